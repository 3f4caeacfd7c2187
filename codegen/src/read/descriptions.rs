//! Texts behind ` -- `: what describes a field, a member, a parameter or a value of an enum, where it is declared.

use super::words::clipped;
use crate::report::Report;
use crate::spec::Word;
use crate::tree::DESCRIBED;

/// What the mark is without its spaces.
const MARK: &str = "--";

/// What is described, and the text that does it.
pub(super) fn described(whole: &Word, reports: &mut Vec<Report>) -> (Word, Option<Word>) {
    let (before, doc) = match whole.text.split_once(DESCRIBED) {
        Some((before, doc)) => (before.trim_end(), Some(doc.trim())),
        None => (whole.text.as_str(), None),
    };
    if let Some((before, behind)) = without_spaces(before) {
        reports.push(badly_set_off(whole, before, behind));
        let described = match before {
            "" => Word::default(),
            before => whole.part(before),
        };
        return (described, None);
    }
    let report = |at: &str, message: &str, help: &str| {
        Report::new("bad-description", whole.part(at).at, message).help(help.to_owned())
    };
    let wrong = match doc {
        Some("") => Some(report(&whole.text, EMPTY.0, EMPTY.1)),
        Some(doc) if doc.contains(char::is_control) => {
            let help = "write it in one line, without control characters";
            Some(report(doc, "a description is plain text in one line", help))
        }
        _ => None,
    };
    let doc = doc.filter(|_| wrong.is_none()).map(|doc| whole.part(doc));
    reports.extend(wrong);
    (whole.part(before), doc)
}

const EMPTY: (&str, &str) = (
    "nothing stands behind `--`",
    "write there what it is, such as `title -- What is on the cover.`, or leave `--` out",
);

/// What is described nowhere: a text behind it is a mistake.
pub(super) fn undescribed(whole: Word, reports: &mut Vec<Report>) -> Word {
    let Some((before, _)) = whole.text.split_once(DESCRIBED) else {
        return whole;
    };
    let doc = &whole.text[before.len()..];
    let help = "a text behind ` -- ` describes a field, a member or a parameter behind its type, and a value of an enum \
                where the enum is declared";
    let report = Report::new(
        "bad-description",
        whole.part(doc.trim_start()).at,
        "nothing can be described here",
    );
    reports.push(report.help(help));
    whole.part(before.trim_end())
}

/// The name in YAML's own brackets: a text in these would be a part of it.
pub(super) fn bracketed(whole: &Word, reports: &mut Vec<Report>) -> Word {
    let (name, doc) = described(whole, reports);
    if let Some(doc) = doc {
        let message = "a list and its description stand in quotes";
        let help = format!("write `\"[{}] -- {}\"`", name.text, clipped(&doc.text));
        reports.push(Report::new("bad-description", doc.at, message).help(help));
    }
    name
}

/// What stands before and behind a `--` that a space is missing at: beside a name that has none of its own, or at one
/// side of it.
fn without_spaces(written: &str) -> Option<(&str, &str)> {
    let is_of_default = |place: usize| {
        let (before, behind) = (&written[..place], &written[place + MARK.len()..]);
        before.contains('=') && !before.ends_with(char::is_whitespace) && !behind.starts_with(char::is_whitespace)
    };
    let mut places = written.match_indices(MARK).map(|(place, _)| place);
    let place = places.find(|place| !is_of_default(*place))?;
    Some((written[..place].trim_end(), written[place + MARK.len()..].trim()))
}

fn badly_set_off(whole: &Word, before: &str, behind: &str) -> Report {
    let at = whole.part(whole.text[before.len()..].trim_start()).at;
    if behind.is_empty() {
        return Report::new("bad-description", at, EMPTY.0).help(EMPTY.1);
    }
    let help = match before {
        "" => format!("what is described stands before it: `title -- {}`", clipped(behind)),
        before => format!("write `{before} -- {}`", clipped(behind)),
    };
    Report::new("bad-description", at, "a space belongs on both sides of `--`").help(help)
}
