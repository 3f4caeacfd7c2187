//! Reads scalars: texts, numbers, `true` and `false`.

use super::clipped::clipped;
use super::descriptions::undescribed;
use crate::aliases;
use crate::diagnostic::{Diagnostic, Rule};
use crate::span::{Num, Span, Word};
use crate::syntax::grammar::{Choice, Form, GREATEST, Scalar};
use crate::syntax::reader::Reader;
use crate::yaml::{Node, Value as Tree};
use std::collections::HashMap;

/// Reports that a node does not have the form of the grammar.
pub(crate) fn wrong_form(node: &Node, form: &Form, reader: &mut Reader) {
    unexpected(node, &form.expected(), form.example(), reader);
    let is_described = form.scalar().is_some_and(Scalar::is_described);
    if let (Tree::Null, true, Some(diagnostic)) = (&node.form, is_described, reader.diagnostics.last_mut()) {
        // The rest of a text after a comma that YAML took for a separator.
        let help = format!(
            "for example `{}`; inside braces, a text with a comma needs quotes",
            form.example()
        );
        diagnostic.help = Some(help);
    }
}

fn unexpected(node: &Node, expected: &str, example: &str, reader: &mut Reader) {
    let found = match &node.form {
        Tree::Absent => return,
        Tree::Null => "nothing".to_owned(),
        Tree::Bool(value) => format!("`{value}`"),
        Tree::Number { text, .. } => format!("the number {text}"),
        Tree::Text(text) if text.trim().is_empty() => "an empty text".to_owned(),
        Tree::Text(text) => format!("`{}`", clipped(text)),
        Tree::List(_) => "a list".to_owned(),
        Tree::Map(_) => "a map".to_owned(),
    };
    let message = format!("expected {expected}, found {found}");
    let help = match without_quotes(node) {
        Some(text) => format!("a text that begins with a brace needs quotes: `\"{text}\"`"),
        None => format!("for example `{example}`"),
    };
    reader.report(Diagnostic::new(Rule::WrongForm, node.head, message).help(help));
}

/// The placeholder that was meant where YAML reads `{name}` as a map.
fn without_quotes(node: &Node) -> Option<String> {
    match &node.form {
        Tree::Map(entries) => match entries.as_slice() {
            [(name, value)] if matches!(value.form, Tree::Null) => Some(format!("{{{}}}", name.text)),
            _ => None,
        },
        _ => None,
    }
}

/// Reads a scalar that is text: a name, an expression, a text for people or for the wire.
pub(crate) fn word(node: &Node, form: &'static Form, reader: &mut Reader) -> Word {
    match &node.form {
        Tree::Text(text) if !text.trim().is_empty() => {
            let written = Word {
                text: text.clone(),
                at: node.at,
            };
            return match form.scalar() {
                Some(scalar) if scalar.is_text() || scalar.is_described() => written,
                _ => undescribed(written, reader),
            };
        }
        Tree::Bool(_) | Tree::Number { .. } => {
            let expected = format!("{} (in quotes if it looks like a number or `true`)", form.expected());
            unexpected(node, &expected, form.example(), reader);
        }
        _ => wrong_form(node, form, reader),
    }
    Word::default()
}

/// A reader of texts with a syntax: versions, URLs, email addresses.
pub(crate) fn formed(is_formed: fn(&str) -> bool) -> impl Fn(&Node, &'static Form, &mut Reader) -> Word {
    move |node, form, reader| {
        let word = word(node, form, reader);
        if word.at.is_unknown() || is_formed(&word.text) {
            return word;
        }
        wrong_form(node, form, reader);
        Word::default()
    }
}

/// A reader of one of some words.
pub(crate) fn one_of(choices: &'static [Choice]) -> impl Fn(&Node, &'static Form, &mut Reader) -> Word {
    move |node, form, reader| {
        let word = word(node, form, reader);
        let known = || choices.iter().map(|choice| choice.word);
        if word.at.is_unknown() || known().any(|known| known == word.text) {
            return word;
        }
        let message = format!("`{}` is none of the words that are allowed here", clipped(&word.text));
        reader.report(Diagnostic::new(Rule::WrongForm, node.head, message).propose(&word.text, known()));
        Word::default()
    }
}

/// A reader of expressions: `None` after a diagnostic.
pub(crate) fn parsed<T>(
    parse: fn(&Word, &mut Reader) -> Option<T>,
) -> impl Fn(&Node, &'static Form, &mut Reader) -> Option<T> {
    move |node, form, reader| {
        let word = word(node, form, reader);
        if word.at.is_unknown() {
            None
        } else {
            parse(&word, reader)
        }
    }
}

/// Reads a text, a number, `true` or `false`, as written.
pub(crate) fn field_value(node: &Node, form: &'static Form, reader: &mut Reader) -> Word {
    let text = match &node.form {
        Tree::Bool(value) => value.to_string(),
        Tree::Number { text, .. } => text.clone(),
        _ => return word(node, form, reader),
    };
    Word { text, at: node.at }
}

/// Reads a number.
pub(crate) fn number(node: &Node, form: &'static Form, reader: &mut Reader) -> Num {
    if let Tree::Number { value, .. } = node.form {
        return Num { value, at: node.at };
    }
    wrong_form(node, form, reader);
    Num::default()
}

/// A reader of whole numbers, `least` or more.
pub(crate) fn whole(least: i64) -> impl Fn(&Node, &'static Form, &mut Reader) -> Num {
    let (least, greatest) = (least as f64, GREATEST as f64);
    move |node, form, reader| {
        match &node.form {
            Tree::Number { value, .. } if value.fract() == 0.0 && (least..=greatest).contains(value) => {
                return Num {
                    value: *value,
                    at: node.at,
                };
            }
            Tree::Number { value, .. } if value.abs() > greatest => {
                let expected = format!("{}, at most {greatest}", form.expected());
                unexpected(node, &expected, form.example(), reader);
            }
            form_of => {
                wrong_form(node, form, reader);
                if let (Tree::Text(text), Some(diagnostic)) = (form_of, reader.diagnostics.last_mut())
                    && let Some(help) = aliases::number(text)
                {
                    diagnostic.help = Some(help.to_owned());
                }
            }
        }
        Num::default()
    }
}

/// Reads `true` or `false`.
pub(crate) fn boolean(node: &Node, form: &'static Form, reader: &mut Reader) -> bool {
    match node.form {
        Tree::Bool(value) => value,
        _ => {
            wrong_form(node, form, reader);
            false
        }
    }
}

/// The items with distinct names. Duplicates are reported, and items without a position are dropped.
pub(crate) fn unique<T>(items: Vec<T>, name: impl Fn(&T) -> Word, reader: &mut Reader) -> Vec<T> {
    let mut seen: HashMap<String, Span> = HashMap::new();
    let mut keep = |item: &T| {
        let Word { text, at } = name(item);
        if at.is_unknown() {
            return false;
        }
        if let Some(first) = seen.get(&text) {
            let diagnostic = Diagnostic::new(Rule::DuplicateItem, at, format!("`{text}` occurs twice in this list"));
            reader.report(diagnostic.related(*first, "first given here"));
            return false;
        }
        seen.insert(text, at);
        true
    };
    items.into_iter().filter(|item| keep(item)).collect()
}
