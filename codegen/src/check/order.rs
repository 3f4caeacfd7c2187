//! `impossible-order`: the order of the error table contradicts the order in which the server can check requests.

use crate::diagnostic::{Diagnostic, Rule};
use crate::step::Step;
use crate::syntax::{Spec, Word};
use std::collections::HashMap;

/// Maximum number of diagnostics. Further ones follow once these are corrected.
const MOST: usize = 50;

/// `impossible-order`: reports the error that conflicts with the most other errors, removes it, and repeats.
pub(super) fn impossible_order(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let mut rows: Vec<(&Word, Step)> = spec
        .errors
        .iter()
        .filter_map(|(_, row)| Some((&row.step, Step::parse(&row.step.text)?)))
        .collect();
    let by_caller = limits_by_caller(spec);
    for _ in 0..MOST {
        let Some((index, conflict)) = worst(&rows, by_caller) else {
            break;
        };
        let (word, step) = rows[index];
        let (other_word, other) = rows[conflict];
        let (first, second) = if conflict < index { (step, other) } else { (other, step) };
        let message = format!("`{}` must come before `{}`", first.as_str(), second.as_str());
        let help = "`errors` has the order in which a request is checked";
        let diagnostic = Diagnostic::new(Rule::ImpossibleOrder, word.at, message).help(help);
        diagnostics.push(diagnostic.related(other_word.at, "the other error"));
        rows.remove(index);
    }
}

/// Pairs of steps that are checked at once: nothing can be checked between them.
const ONE: [(Step, Step); 4] = [
    (Step::CredentialLimit, Step::Credential),
    (Step::BodySize, Step::BodyTime),
    (Step::KeyReused, Step::KeyInProgress),
    (Step::KeyInProgress, Step::KeySecret),
];

/// `impossible-order`: the errors of a pair of steps with other errors between them.
pub(super) fn torn_apart(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    if diagnostics
        .iter()
        .any(|diagnostic| diagnostic.rule == Rule::ImpossibleOrder)
    {
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
                "`{}` and `{}` are checked together, so they must be next to each other",
                one.as_str(),
                other.as_str()
            );
            let diagnostic = Diagnostic::new(Rule::ImpossibleOrder, steps[first.max(second)].0.at, message);
            diagnostics.push(diagnostic.related(steps[first.min(second)].0.at, "the other error"));
        }
    }
}

/// The error that conflicts with the most others, and the first of those.
fn worst(rows: &[(&Word, Step)], by_caller: bool) -> Option<(usize, usize)> {
    let mut later = counted(rows);
    let mut earlier: HashMap<Step, usize> = HashMap::new();
    let mut worst = (0, 0);
    for (index, (_, step)) in rows.iter().enumerate() {
        later.entry(*step).and_modify(|count| *count -= 1);
        let before = earlier.iter().filter(|(other, _)| precedes(*step, **other, by_caller));
        let behind = later.iter().filter(|(other, _)| precedes(**other, *step, by_caller));
        let conflicts = before.chain(behind).map(|(_, count)| count).sum();
        if conflicts >= worst.0 {
            worst = (conflicts, index);
        }
        *earlier.entry(*step).or_default() += 1;
    }
    let (conflicts, index) = worst;
    let is_in_the_way = |other: usize| match other < index {
        true => precedes(rows[index].1, rows[other].1, by_caller),
        false => precedes(rows[other].1, rows[index].1, by_caller),
    };
    let first = (0..rows.len()).find(|other| *other != index && is_in_the_way(*other))?;
    (conflicts > 0).then_some((index, first))
}

/// The number of errors of each step.
fn counted(rows: &[(&Word, Step)]) -> HashMap<Step, usize> {
    let mut counts = HashMap::new();
    for (_, step) in rows {
        *counts.entry(*step).or_default() += 1;
    }
    counts
}

fn precedes(earlier: Step, later: Step, by_caller: bool) -> bool {
    earlier.precedes(later) || (by_caller && earlier == Step::Credential && later == Step::Limit)
}

/// Whether a limit counts by caller.
fn limits_by_caller(spec: &Spec) -> bool {
    spec.limits.iter().any(|(_, limit)| limit.per.text == "caller")
}
