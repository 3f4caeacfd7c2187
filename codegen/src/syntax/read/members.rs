//! Reads the members of a map one by one. Reports missing, unknown and duplicate members.

use super::words::wrong_form;
use crate::aliases;
use crate::diagnostic::{Diagnostic, Rule};
use crate::nearest::nearest;
use crate::span::{Span, Word};
use crate::syntax::grammar::{Form, Section};
use crate::syntax::reader::Reader;
use crate::syntax::value::Value;
use crate::yaml::{Node, Value as Tree};

/// Replaces a missing member. Readers return a value without position for it, and report nothing.
static ABSENT: Node = Node {
    at: NO_SPAN,
    head: NO_SPAN,
    form: Tree::Absent,
};

const NO_SPAN: Span = Span {
    line: 0,
    column: 0,
    start: 0,
    end: 0,
};

/// The members of a map whose section is in the grammar.
pub(crate) struct Members<'t, 'r> {
    section: &'static Section,
    at: Span,
    entries: Vec<(&'t Word, &'t Node)>,
    missing: Vec<&'static str>,
    /// The names of a choice from which one key is missing.
    choice: Vec<&'static str>,
    reader: &'r mut Reader,
}

impl<'t, 'r> Members<'t, 'r> {
    /// The members of `node`. If it is not a map, that is the only diagnostic.
    pub(crate) fn from_node(node: &'t Node, section: &'static Section, form: &Form, reader: &'r mut Reader) -> Self {
        let (entries, at) = match &node.form {
            Tree::Map(entries) => (without_duplicates(entries, reader), node.head),
            _ => {
                wrong_form(node, form, reader);
                (Vec::new(), NO_SPAN)
            }
        };
        Members {
            section,
            at,
            entries,
            missing: Vec::new(),
            choice: Vec::new(),
            reader,
        }
    }

    /// Reads the value of a required key. A missing key is reported.
    pub(crate) fn required<T: Value>(&mut self, name: &'static str, form: &'static Form) -> T::Out {
        if self.entries.iter().all(|(key, _)| key.text != name) {
            self.missing.push(name);
        }
        self.default::<T>(name, form)
    }

    /// Reads the value of a key. An absent key is read as an empty value.
    pub(crate) fn default<T: Value>(&mut self, name: &'static str, form: &'static Form) -> T::Out {
        let node = self.take(name).map_or(&ABSENT, |(_, node)| node);
        T::read(node, form, self.reader)
    }

    /// Reads the value of a key, if it is present.
    pub(crate) fn optional<T: Value>(&mut self, name: &'static str, form: &'static Form) -> Option<T::Out> {
        let (_, node) = self.take(name)?;
        Some(T::read(node, form, self.reader))
    }

    /// Reads the key of which the section must have exactly one. Returns it, and its value. A missing choice is read as
    /// an empty value of the first of these keys.
    pub(crate) fn choice<T, const N: usize>(&mut self, readers: [(&'static str, Read<T>); N]) -> (Word, T) {
        let names = readers.map(|(name, _)| name);
        let found = readers
            .into_iter()
            .filter_map(|(name, read)| Some((self.take(name)?, read)));
        let mut found: Vec<_> = found.collect();
        found.sort_by_key(|((name, _), _)| name.at);
        let mut found = found.into_iter();
        let Some(((first, node), read)) = found.next() else {
            self.choice = names.to_vec();
            return (Word::default(), readers[0].1(&ABSENT, self.reader));
        };
        for ((name, _), _) in found {
            let message = format!("{} has only one of `{}`", self.section.what, names.join("`, `"));
            let diagnostic = Diagnostic::new(Rule::DuplicateKey, name.at, message);
            self.reader
                .report(diagnostic.related(first.at, format!("`{}` is already given", first.text)));
        }
        (first.clone(), read(node, self.reader))
    }

    /// Reports missing keys, and keys that the section does not have.
    pub(crate) fn done(mut self) {
        let what = self.section.what;
        for (name, node) in std::mem::take(&mut self.entries) {
            self.unknown(name, node);
        }
        let keys = match self.missing.as_slice() {
            [] => None,
            [key] => Some(format!("the key `{key}`")),
            [keys @ .., last] => Some(format!("the keys `{}` and `{last}`", keys.join("`, `"))),
        };
        let choice = (!self.choice.is_empty()).then(|| format!("one of `{}`", self.choice.join("`, `")));
        for needed in keys.into_iter().chain(choice).filter(|_| !self.at.is_unknown()) {
            let diagnostic = Diagnostic::new(Rule::MissingKey, self.at, format!("{what} needs {needed}"));
            self.reader.report(match self.section.example {
                "" => diagnostic,
                example => diagnostic.help(format!("for example `{example}`")),
            });
        }
    }

    /// Reports a key that the section does not have. The key that was probably meant counts as present.
    fn unknown(&mut self, name: &Word, node: &Node) {
        let message = format!("{} has no key `{}`", self.section.what, name.text);
        let diagnostic = Diagnostic::new(Rule::UnknownKey, name.at, message);
        let known = self.section.keys.iter().map(|key| key.name);
        let diagnostic = match (aliases::key(self.section, &name.text), name.text.split_once(':')) {
            (Some(help), _) => diagnostic.help(help),
            (None, Some((key, _))) if self.section.key(key).is_some() => {
                diagnostic.help("a space is needed after the colon")
            }
            (None, _) if is_rest_of_a_text(name, node) => diagnostic.help(
                "inside braces, a text with a comma needs \
                quotes",
            ),
            (None, _) => diagnostic.propose(&name.text, known),
        };
        self.reader.report(diagnostic);
        if aliases::replaces(self.section, &name.text) {
            self.missing.clear();
            self.choice.clear();
        }
        let meant = nearest(&name.text, self.missing.iter().copied());
        self.missing.retain(|missing| Some(*missing) != meant);
        if nearest(&name.text, self.choice.iter().copied()).is_some() {
            self.choice.clear();
        }
    }

    fn take(&mut self, name: &str) -> Option<(&'t Word, &'t Node)> {
        let index = self.entries.iter().position(|(key, _)| key.text == name)?;
        Some(self.entries.remove(index))
    }
}

/// Whether this is not a key but the rest of a text after a comma: it has no value and is not written like a key.
fn is_rest_of_a_text(name: &Word, node: &Node) -> bool {
    let is_of_names = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    matches!(node.form, Tree::Null) && !name.text.chars().all(is_of_names)
}

/// A function that reads the value of a key.
pub(crate) type Read<T> = fn(&Node, &mut Reader) -> T;

/// The entries of a map. Only the first entry of each name is kept; the others are reported.
pub(crate) fn without_duplicates<'t>(entries: &'t [(Word, Node)], reader: &mut Reader) -> Vec<(&'t Word, &'t Node)> {
    let mut first = std::collections::HashMap::new();
    let mut kept = Vec::new();
    for (key, node) in entries {
        match first.get(key.text.as_str()) {
            None => {
                first.insert(key.text.as_str(), key.at);
                kept.push((key, node));
            }
            Some(first) => {
                let diagnostic = Diagnostic::new(Rule::DuplicateKey, key.at, format!("`{}` is given twice", key.text));
                reader.report(diagnostic.related(*first, "first given here"));
            }
        }
    }
    kept
}
