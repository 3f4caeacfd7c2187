//! `impossible-order`: an order of the error table in which requests cannot be checked.

use crate::report::Report;
use crate::spec::{Spec, Word};
use crate::step::Step;

/// See the module. Of rows in each other's way the one that is in most others' way is reported.
pub(super) fn impossible_order(spec: &Spec, reports: &mut Vec<Report>) {
    let mut rows: Vec<(&Word, Step)> = spec
        .errors
        .iter()
        .filter_map(|(_, row)| Some((&row.step, Step::parse(&row.step.text)?)))
        .collect();
    let by_caller = limits_by_caller(spec);
    while let Some((index, conflicts)) = worst(&rows, by_caller) {
        let (word, step) = rows[index];
        let (other_word, other) = rows[conflicts[0]];
        let (first, second) = if conflicts[0] < index {
            (step, other)
        } else {
            (other, step)
        };
        let message = format!("`{}` must come before `{}`", first.as_str(), second.as_str());
        let help = "the rows stand in the order in which a request is checked";
        let report = Report::new("impossible-order", word.at, message).help(help);
        reports.push(report.related(other_word.at, "the other row"));
        rows.remove(index);
    }
}

/// Steps that are one: nothing can be checked between them.
const ONE: [(Step, Step); 2] = [
    (Step::CredentialLimit, Step::Credential),
    (Step::BodySize, Step::BodyTime),
];

/// `impossible-order`: two rows of what is one step, with others between them.
pub(super) fn torn_apart(spec: &Spec, reports: &mut Vec<Report>) {
    if reports.iter().any(|report| report.rule == "impossible-order") {
        return;
    }
    let steps: Vec<_> = spec
        .errors
        .iter()
        .map(|(_, row)| (&row.step, Step::parse(&row.step.text)))
        .collect();
    let place = |wanted| steps.iter().position(|(_, step)| *step == Some(wanted));
    for (one, other) in ONE {
        let (Some(first), Some(second)) = (place(one), place(other)) else {
            continue;
        };
        if first.abs_diff(second) > 1 {
            let message = format!(
                "`{}` and `{}` are checked together, and must stand together",
                one.as_str(),
                other.as_str()
            );
            let report = Report::new("impossible-order", steps[first.max(second)].0.at, message);
            reports.push(report.related(steps[first.min(second)].0.at, "the other row"));
        }
    }
}

/// The row with most others in its way, and those.
fn worst(rows: &[(&Word, Step)], by_caller: bool) -> Option<(usize, Vec<usize>)> {
    let mut conflicts = vec![Vec::new(); rows.len()];
    for (late, (_, later)) in rows.iter().enumerate() {
        for (early, (_, earlier)) in rows[..late].iter().enumerate() {
            if precedes(*later, *earlier, by_caller) {
                conflicts[late].push(early);
                conflicts[early].push(late);
            }
        }
    }
    let most = conflicts.iter().map(Vec::len).max().filter(|most| *most > 0)?;
    let index = conflicts.iter().rposition(|of| of.len() == most)?;
    Some((index, conflicts.swap_remove(index)))
}

fn precedes(earlier: Step, later: Step, by_caller: bool) -> bool {
    earlier.precedes(later) || (by_caller && earlier == Step::Credential && later == Step::Limit)
}

/// Whether a limit must know who calls.
fn limits_by_caller(spec: &Spec) -> bool {
    spec.limits.iter().any(|(_, limit)| limit.per.text == "caller")
}
