//! Reads expressions inside scalars: uses of types, rates, guards, members of the envelope.

use super::descriptions::{bracketed, described, undescribed};
use super::words::{clipped, word, wrong_form};
use crate::aliases;
use crate::diagnostic::{Diagnostic, Rule};
use crate::json;
use crate::language::Form;
use crate::nearest::nearest;
use crate::spec::{EnvelopeValue, Guard, Num, Span, TypeUse, Word};
use crate::yaml::{Node, Value as Tree};

/// `title`, `title?`, `title = x`, `[Author]`, with ` -- text` where a description is allowed. `[Author]` may also be a
/// YAML list with one name.
pub(super) fn type_use(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> TypeUse {
    if let Tree::List(items) = &node.form
        && let [item] = items.as_slice()
    {
        let name = type_name(&bracketed(&word(item, form, diagnostics), diagnostics), diagnostics);
        return TypeUse {
            name,
            list: true,
            optional: false,
            default: None,
            doc: None,
        };
    }
    let (whole, doc) = written_use(node, form, diagnostics);
    let (rest, default) = match whole.text.split_once('=') {
        Some((rest, default)) => (rest.trim_end(), Some(default.trim())),
        None => (whole.text.as_str(), None),
    };
    let (rest, optional) = match rest.strip_suffix('?') {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let inside = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let message = match default {
        Some(_) if optional => "a type has `?` (null if absent) or `= value` (that value if absent), not both",
        Some("") => "`=` needs a default after it",
        _ => "",
    };
    if !message.is_empty() {
        diagnostics.push(Diagnostic::new(Rule::BadType, whole.at, message));
    }
    TypeUse {
        name: type_name(&whole.part(inside.unwrap_or(rest)), diagnostics),
        list: inside.is_some(),
        optional,
        default: default.map(|text| whole.part(text)),
        doc,
    }
}

/// The use of a type in a scalar, and its description.
fn written_use(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> (Word, Option<Word>) {
    let whole = match &node.form {
        Tree::Text(_) => word(node, form, diagnostics),
        Tree::Map(_) => {
            let help = "a type is one word: `title`, `title?` if it may be absent, `title = x` with a default; \
                declare bounds in `types`, and write a description after ` -- `";
            diagnostics.push(Diagnostic::new(Rule::WrongForm, node.head, "expected a type, found a map").help(help));
            Word::default()
        }
        _ => {
            wrong_form(node, form, diagnostics);
            Word::default()
        }
    };
    match form.scalar() {
        Some(scalar) if scalar.is_described() => described(&whole, diagnostics),
        _ => (undescribed(whole, diagnostics), None),
    }
}

/// A name such as `title` or `Book.id`. If it is invalid, the result has no position.
fn type_name(name: &Word, diagnostics: &mut Vec<Diagnostic>) -> Word {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let mut parts = name.text.split('.');
    let is_type = parts.next().is_some_and(is_name) && parts.next().is_none_or(is_name) && parts.next().is_none();
    if is_type || name.at.is_unknown() {
        return name.clone();
    }
    let message = format!("`{}` is not a type", clipped(&name.text));
    let help = "a type is written `title`, `title?`, `title = x` or `[title]`";
    let help = aliases::type_form(&name.text).unwrap_or(help);
    diagnostics.push(Diagnostic::new(Rule::BadType, name.at, message).help(help));
    Word::default()
}

/// `100/min`: a number, and a period in seconds.
pub(super) fn rate(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> (Num, u32) {
    let nothing = Num {
        value: 0.0,
        at: Span::default(),
    };
    let Tree::Text(text) = &node.form else {
        wrong_form(node, form, diagnostics);
        return (nothing, 1);
    };
    let whole = Word {
        text: text.clone(),
        at: node.at,
    };
    parsed_rate(&whole, diagnostics).unwrap_or((nothing, 1))
}

/// The units of a rate, in seconds.
const UNITS: [(&str, u32); 4] = [("s", 1), ("min", 60), ("h", 3_600), ("day", 86_400)];

fn parsed_rate(whole: &Word, diagnostics: &mut Vec<Diagnostic>) -> Option<(Num, u32)> {
    let Some((max, unit)) = whole.text.split_once('/') else {
        let message = format!("`{}` is not a rate", clipped(&whole.text));
        diagnostics.push(Diagnostic::new(Rule::BadRate, whole.at, message).help("a rate is written `100/min`"));
        return None;
    };
    let (max, unit) = (whole.part(max.trim()), whole.part(unit.trim()));
    let value = max.text.parse::<u32>().ok().filter(|max| *max > 0);
    if value.is_none() {
        let message = format!("`{}` is not a number of requests", clipped(&max.text));
        let help = "write a whole number, 1 or more";
        diagnostics.push(Diagnostic::new(Rule::BadRate, max.at, message).help(help));
    }
    let Some((_, seconds)) = UNITS.iter().find(|(name, _)| *name == unit.text) else {
        let message = format!("`{}` is not a unit of time", clipped(&unit.text));
        let diagnostic = Diagnostic::new(Rule::BadRate, unit.at, message);
        diagnostics.push(diagnostic.propose(&unit.text, UNITS.map(|(name, _)| name)));
        return None;
    };
    let num = |value| Num { value, at: max.at };
    value.map(|value| (num(f64::from(value)), *seconds))
}

/// `plan verified`, `exists Book`, `exists Copy in Book`, `owner Book`.
pub(super) fn guard(whole: &Word, diagnostics: &mut Vec<Diagnostic>) -> Option<Guard> {
    let name = |text: &str| whole.part(text);
    let parts: Vec<&str> = whole.text.split_whitespace().collect();
    let guard = match parts.as_slice() {
        ["plan", plan] => Guard::Plan(name(plan)),
        ["exists", resource] => Guard::Exists {
            resource: name(resource),
            parent: None,
        },
        ["exists", resource, "in", parent] => Guard::Exists {
            resource: name(resource),
            parent: Some(name(parent)),
        },
        ["owner", resource] => Guard::Owner(name(resource)),
        _ => {
            diagnostics.push(bad_guard(whole, parts.first().copied().unwrap_or_default()));
            return None;
        }
    };
    Some(guard)
}

/// The diagnostic for an invalid guard: at its first word, if that is misspelled.
fn bad_guard(whole: &Word, kind: &str) -> Diagnostic {
    let diagnostic =
        |at, what: &str| Diagnostic::new(Rule::BadGuard, at, format!("`{}` is not a guard", clipped(what)));
    match nearest(kind, ["plan", "exists", "owner"]) {
        Some(near) if near != kind => diagnostic(whole.part(kind).at, kind).help(format!("did you mean `{near}`?")),
        _ => diagnostic(whole.at, &whole.text)
            .help("a guard is `exists Resource`, `exists Resource in Parent`, `owner Resource` or `plan name`"),
    }
}

/// `minRate <= maxRate`
pub(super) fn constraint(whole: &Word, diagnostics: &mut Vec<Diagnostic>) -> Option<(Word, Word)> {
    let name = |text: &str| whole.part(text);
    let parts: Vec<&str> = whole.text.split_whitespace().collect();
    if let [lower, "<=", upper] = parts.as_slice() {
        return Some((name(lower), name(upper)));
    }
    if let [_, sign @ ("<" | ">" | ">=" | "=" | "==" | "!="), _] = parts.as_slice() {
        let message = format!("`{sign}` is not allowed in a constraint");
        let help = "write `lower <= upper`: the first parameter must not be above the second";
        diagnostics.push(Diagnostic::new(Rule::BadConstraint, whole.part(sign).at, message).help(help));
        return None;
    }
    let message = format!("`{}` is not a constraint", clipped(&whole.text));
    let help = "a constraint compares two query parameters: `lower <= upper`";
    diagnostics.push(Diagnostic::new(Rule::BadConstraint, whole.at, message).help(help));
    None
}

/// A literal, `$name` or `$name?`.
pub(super) fn envelope_value(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> EnvelopeValue {
    let literal = match &node.form {
        Tree::Null => "null".to_owned(),
        Tree::Bool(value) => value.to_string(),
        Tree::Number { text, .. } => text.clone(),
        Tree::Text(text) if text.starts_with('$') => return placeholder(text, node.at),
        Tree::Text(text) => json::quoted(text),
        _ => {
            wrong_form(node, form, diagnostics);
            "null".to_owned()
        }
    };
    EnvelopeValue::Literal(literal)
}

fn placeholder(text: &str, at: Span) -> EnvelopeValue {
    let text = text.to_owned();
    let whole = Word { text, at };
    let name = whole.text.strip_prefix('$').unwrap_or_default();
    EnvelopeValue::Placeholder {
        name: whole.part(name.strip_suffix('?').unwrap_or(name)),
        optional: name.ends_with('?'),
    }
}
