//! Reads scalars, lists of names, and tables.

use super::descriptions::undescribed;
use super::forms;
use super::members::without_duplicates;
use crate::aliases;
use crate::diagnostic::{Diagnostic, Rule};
use crate::language::{self, Form, Scalar};
use crate::spec::{Num, Span, Table, Word};
use crate::yaml::{Node, Value as Tree};
use std::collections::HashMap;

/// Reports that a node does not have the form of the grammar.
pub(super) fn wrong_form(node: &Node, form: &Form, diagnostics: &mut Vec<Diagnostic>) {
    unexpected(node, &form.expected(), form.example(), diagnostics);
    let is_described = form.scalar().is_some_and(Scalar::is_described);
    if let (Tree::Null, true, Some(diagnostic)) = (&node.form, is_described, diagnostics.last_mut()) {
        // The rest of a text after a comma that YAML took for a separator.
        let help = format!(
            "for example `{}`; inside braces, a text with a comma needs quotes",
            form.example()
        );
        diagnostic.help = Some(help);
    }
}

fn unexpected(node: &Node, expected: &str, example: &str, diagnostics: &mut Vec<Diagnostic>) {
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
    diagnostics.push(Diagnostic::new(Rule::WrongForm, node.head, message).help(help));
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

/// The beginning of a text.
pub(super) fn clipped(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown.replace('\n', " ")
}

/// Reads a scalar that is text: a name, an expression, a text for people or for the wire.
pub(super) fn word(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Word {
    match &node.form {
        Tree::Text(text) if !text.trim().is_empty() => {
            let written = Word {
                text: text.clone(),
                at: node.at,
            };
            return match form.scalar() {
                Some(scalar) if scalar.is_text() || scalar.is_described() => written,
                _ => undescribed(written, diagnostics),
            };
        }
        Tree::Bool(_) | Tree::Number { .. } => {
            let expected = format!("{} (in quotes if it looks like a number or `true`)", form.expected());
            unexpected(node, &expected, form.example(), diagnostics);
        }
        _ => wrong_form(node, form, diagnostics),
    }
    Word::default()
}

/// Reads a scalar that is text with a syntax: a version, a URL, an email address.
///
/// # Panics
/// If the grammar has no scalar here.
pub(super) fn formed(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Word {
    let scalar = form.scalar().expect("the grammar has a scalar here");
    let word = word(node, form, diagnostics);
    if word.at.is_unknown() || forms::is_formed(scalar, &word.text) {
        return word;
    }
    wrong_form(node, form, diagnostics);
    Word::default()
}

/// Reads a number, or an integer if the grammar requires one.
///
/// # Panics
/// If the grammar has no number here.
pub(super) fn number(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Num {
    let (is_whole, least) = match form.scalar() {
        Some(Scalar::Number) => (false, -f64::INFINITY),
        Some(Scalar::Integer | Scalar::Status) => (true, -(language::GREATEST as f64)),
        Some(Scalar::Count(least)) => (true, f64::from(least)),
        _ => panic!("the grammar has a number here"),
    };
    let greatest = language::GREATEST as f64;
    match node.form {
        Tree::Number { value, .. } if !is_whole => return Num { value, at: node.at },
        Tree::Number { value, .. } if value.fract() == 0.0 && (least..=greatest).contains(&value) => {
            return Num { value, at: node.at };
        }
        Tree::Number { value, .. } if value.abs() > greatest => {
            let expected = format!("{}, at most {greatest}", form.expected());
            unexpected(node, &expected, form.example(), diagnostics);
        }
        _ => {
            wrong_form(node, form, diagnostics);
            if let (Tree::Text(text), Some(diagnostic)) = (&node.form, diagnostics.last_mut())
                && let Some(help) = aliases::number(text).filter(|_| is_whole)
            {
                diagnostic.help = Some(help.to_owned());
            }
        }
    }
    Num {
        value: 0.0,
        at: Span::default(),
    }
}

/// Reads `true` or `false`.
pub(super) fn boolean(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> bool {
    match node.form {
        Tree::Bool(value) => value,
        _ => {
            wrong_form(node, form, diagnostics);
            false
        }
    }
}

/// Reads a list of distinct names.
pub(super) fn words(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Vec<Word> {
    let names = list(node, form, word, diagnostics);
    unique(names, |name| name.clone(), diagnostics)
}

/// Reads a list with `item` as the reader of its items.
///
/// # Panics
/// If the grammar has no list here.
pub(super) fn list<T>(
    node: &Node,
    form: &'static Form,
    item: impl Fn(&Node, &'static Form, &mut Vec<Diagnostic>) -> T,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<T> {
    let of = form.items().expect("the grammar has a list here");
    match &node.form {
        Tree::List(items) => items.iter().map(|node| item(node, of, diagnostics)).collect(),
        _ => {
            wrong_form(node, form, diagnostics);
            Vec::new()
        }
    }
}

/// The items with distinct names. Duplicates are reported, and items without a position are dropped.
pub(super) fn unique<T>(items: Vec<T>, name: impl Fn(&T) -> Word, diagnostics: &mut Vec<Diagnostic>) -> Vec<T> {
    let mut seen: HashMap<String, Span> = HashMap::new();
    let mut keep = |item: &T| {
        let Word { text, at } = name(item);
        if at.is_unknown() {
            return false;
        }
        if let Some(first) = seen.get(&text) {
            let diagnostic = Diagnostic::new(Rule::DuplicateItem, at, format!("`{text}` occurs twice in this list"));
            diagnostics.push(diagnostic.related(*first, "first given here"));
            return false;
        }
        seen.insert(text, at);
        true
    };
    items.into_iter().filter(|item| keep(item)).collect()
}

/// A reader of named entries, with `entry` as the reader of their values.
pub(super) fn table<T>(
    entry: impl Fn(&Node, &'static Form, &mut Vec<Diagnostic>) -> T,
) -> impl Fn(&Node, &'static Form, &mut Vec<Diagnostic>) -> Table<T> {
    move |node, form, diagnostics| {
        let of = form.entries().expect("the grammar has a map of names here");
        match &node.form {
            Tree::Map(entries) => without_duplicates(entries, diagnostics)
                .into_iter()
                .map(|(name, node)| (name.clone(), entry(node, of, diagnostics)))
                .collect(),
            _ => {
                wrong_form(node, form, diagnostics);
                Table::default()
            }
        }
    }
}
