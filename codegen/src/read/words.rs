//! Scalars, lists of words and tables: what every section is made of.

use super::members::without_duplicates;
use crate::foreign;
use crate::report::Report;
use crate::spec::{Num, Span, Table, Word};
use crate::tree::{Form, Node};
use std::collections::HashMap;

/// Greatest whole number that every reader of JSON keeps.
const GREATEST: f64 = 9_007_199_254_740_992.0;

/// Reports that a node is not what is expected.
pub(super) fn wrong_form(node: &Node, expected: &str, example: &str, reports: &mut Vec<Report>) {
    let found = match &node.form {
        Form::Absent => return,
        Form::Null => "nothing".to_owned(),
        Form::Bool(value) => format!("`{value}`"),
        Form::Number { text, .. } => format!("the number {text}"),
        Form::Text(text) if text.trim().is_empty() => "an empty text".to_owned(),
        Form::Text(text) => format!("`{}`", clipped(text)),
        Form::List(_) => "a list".to_owned(),
        Form::Map(_) => "a map".to_owned(),
    };
    let message = format!("expected {expected}, found {found}");
    let help = match without_quotes(node) {
        Some(text) => format!("a text that begins with a brace needs quotes: `\"{text}\"`"),
        None => format!("for example `{example}`"),
    };
    reports.push(Report::new("wrong-form", node.head, message).help(help));
}

/// The placeholder that was meant where YAML reads `{name}` as a map.
fn without_quotes(node: &Node) -> Option<String> {
    match &node.form {
        Form::Map(entries) => match entries.as_slice() {
            [(name, value)] if matches!(value.form, Form::Null) => Some(format!("{{{}}}", name.text)),
            _ => None,
        },
        _ => None,
    }
}

/// The beginning of a text that may be long.
pub(super) fn clipped(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown.replace('\n', " ")
}

/// A name.
pub(super) fn word(node: &Node, reports: &mut Vec<Report>) -> Word {
    text_like(node, "a name", "title", reports)
}

/// A text for people or for the wire.
pub(super) fn text(node: &Node, reports: &mut Vec<Report>) -> Word {
    text_like(node, "a text", "\"some text\"", reports)
}

fn text_like(node: &Node, expected: &str, example: &str, reports: &mut Vec<Report>) -> Word {
    match &node.form {
        Form::Text(text) if !text.trim().is_empty() => Word {
            text: text.clone(),
            at: node.at,
        },
        Form::Bool(_) | Form::Number { .. } => {
            let expected = format!("{expected} (in quotes, if it is one)");
            wrong_form(node, &expected, example, reports);
            Word::default()
        }
        _ => {
            wrong_form(node, expected, example, reports);
            Word::default()
        }
    }
}

/// Any number.
pub(super) fn number(node: &Node, reports: &mut Vec<Report>) -> Num {
    match node.form {
        Form::Number { value, .. } => Num { value, at: node.at },
        _ => {
            wrong_form(node, "a number", "0.5", reports);
            nothing()
        }
    }
}

/// A whole number of things.
pub(super) fn count(node: &Node, reports: &mut Vec<Report>) -> Num {
    whole_from(0.0, "a whole number, 0 or more", "10", node, reports)
}

/// A whole number of things, at least one.
pub(super) fn positive(node: &Node, reports: &mut Vec<Report>) -> Num {
    whole_from(1.0, "a whole number, 1 or more", "10", node, reports)
}

/// A whole number.
pub(super) fn integer(node: &Node, reports: &mut Vec<Report>) -> Num {
    whole_from(-GREATEST, "a whole number", "10", node, reports)
}

/// An HTTP status.
pub(super) fn status(node: &Node, reports: &mut Vec<Report>) -> Num {
    whole_from(-GREATEST, "an HTTP status", "409", node, reports)
}

fn whole_from(least: f64, expected: &str, example: &str, node: &Node, reports: &mut Vec<Report>) -> Num {
    match node.form {
        Form::Number { value, .. } if value.fract() == 0.0 && (least..=GREATEST).contains(&value) => {
            Num { value, at: node.at }
        }
        Form::Number { value, .. } if value.abs() > GREATEST => {
            let expected = format!("{expected}, of at most {GREATEST}");
            wrong_form(node, &expected, example, reports);
            nothing()
        }
        _ => {
            wrong_form(node, expected, example, reports);
            if let (Form::Text(text), Some(report)) = (&node.form, reports.last_mut())
                && let Some(help) = foreign::number(text)
            {
                report.help = Some(help.to_owned());
            }
            nothing()
        }
    }
}

fn nothing() -> Num {
    Num {
        value: 0.0,
        at: Span::default(),
    }
}

/// `true` or `false`.
pub(super) fn boolean(node: &Node, reports: &mut Vec<Report>) -> bool {
    match node.form {
        Form::Bool(value) => value,
        _ => {
            wrong_form(node, "`true` or `false`", "true", reports);
            false
        }
    }
}

/// A list of different names.
pub(super) fn words(node: &Node, reports: &mut Vec<Report>) -> Vec<Word> {
    let names = list(node, "[first, second]", word, reports);
    unique(names, |name| name.clone(), reports)
}

/// A list of whatever `item` reads.
pub(super) fn list<T>(
    node: &Node,
    example: &str,
    item: impl Fn(&Node, &mut Vec<Report>) -> T,
    reports: &mut Vec<Report>,
) -> Vec<T> {
    match &node.form {
        Form::List(items) => items.iter().map(|node| item(node, reports)).collect(),
        _ => {
            wrong_form(node, "a list", example, reports);
            Vec::new()
        }
    }
}

/// The items of different names; the others are reported, those at no place are dropped.
pub(super) fn unique<T>(items: Vec<T>, name: impl Fn(&T) -> Word, reports: &mut Vec<Report>) -> Vec<T> {
    let mut seen: HashMap<String, Span> = HashMap::new();
    let mut keep = |item: &T| {
        let Word { text, at } = name(item);
        if at.is_nowhere() {
            return false;
        }
        if let Some(first) = seen.get(&text) {
            let report = Report::new("duplicate-item", at, format!("`{text}` stands twice in this list"));
            reports.push(report.related(*first, "first given here"));
            return false;
        }
        seen.insert(text, at);
        true
    };
    items.into_iter().filter(|item| keep(item)).collect()
}

/// Named entries of whatever `entry` reads.
pub(super) fn table<T>(
    node: &Node,
    example: &str,
    entry: impl Fn(&Node, &mut Vec<Report>) -> T,
    reports: &mut Vec<Report>,
) -> Table<T> {
    match &node.form {
        Form::Map(entries) => without_duplicates(entries, reports)
            .into_iter()
            .map(|(name, node)| (name.clone(), entry(node, reports)))
            .collect(),
        _ => {
            wrong_form(node, "a map of names", example, reports);
            Table::default()
        }
    }
}

/// Header names and their templates.
pub(super) fn templates(node: &Node, reports: &mut Vec<Report>) -> Table<Word> {
    table(node, "{ X-Trace: \"{request_id}\" }", text, reports)
}
