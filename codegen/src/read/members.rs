//! Reads the members of a map one by one. Reports missing, unknown and duplicate members.

use super::words::wrong_form;
use crate::aliases;
use crate::diagnostic::{Diagnostic, Rule};
use crate::language::{Form, Key, Presence, Section};
use crate::nearest::nearest;
use crate::spec::{Span, Word};
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
pub(super) struct Members<'t, 'r> {
    section: &'static Section,
    at: Span,
    entries: Vec<(&'t Word, &'t Node)>,
    taken: Vec<&'static str>,
    missing: Vec<&'static str>,
    /// The names of a choice from which one key is missing.
    choice: Vec<&'static str>,
    diagnostics: &'r mut Vec<Diagnostic>,
}

impl<'t, 'r> Members<'t, 'r> {
    /// The members of `node`. If it is not a map, that is the only diagnostic.
    ///
    /// # Panics
    /// If the grammar has no section here.
    pub(super) fn of(node: &'t Node, form: &Form, diagnostics: &'r mut Vec<Diagnostic>) -> Self {
        let section = form.section().expect("the grammar has a section here");
        let entries = match &node.form {
            Tree::Map(entries) => without_duplicates(entries, diagnostics),
            _ => {
                wrong_form(node, form, diagnostics);
                Vec::new()
            }
        };
        Members {
            section,
            at: match node.form {
                Tree::Map(_) => node.head,
                _ => NO_SPAN,
            },
            entries,
            taken: Vec::new(),
            missing: Vec::new(),
            choice: Vec::new(),
            diagnostics,
        }
    }

    /// Reads the value of a key. A missing key is read as [`Form::Absent`](Tree::Absent), and reported if it is
    /// required.
    pub(super) fn value<T>(&mut self, name: &str, read: impl Read<'t, T>) -> T {
        let key = self.key(name);
        let node = self.take(key).map(|(_, node)| node);
        if node.is_none() && key.presence == Presence::Required {
            self.missing.push(key.name);
        }
        read(node.unwrap_or(&ABSENT), &key.form, self.diagnostics)
    }

    /// Reads the value of a key, if it is present.
    pub(super) fn given<T>(&mut self, name: &str, read: impl Read<'t, T>) -> Option<T> {
        let key = self.key(name);
        let (_, node) = self.take(key)?;
        Some(read(node, &key.form, self.diagnostics))
    }

    /// Reads the key of which the section must have exactly one, and returns its name and value.
    pub(super) fn choice<T>(&mut self, read: impl Read<'t, T>) -> Option<(&'t Word, T)> {
        let names: Vec<&'static str> = self.section.choice().collect();
        let keys: Vec<&Key> = names.iter().map(|name| self.key(name)).collect();
        let found = keys.into_iter().filter_map(|key| Some((self.take(key)?, key)));
        let mut found: Vec<_> = found.collect();
        found.sort_by_key(|((name, _), _)| name.at);
        for ((name, _), _) in found.iter().skip(1) {
            let ((first, _), _) = found[0];
            let message = format!("{} has only one of `{}`", self.section.what, names.join("`, `"));
            let diagnostic = Diagnostic::new(Rule::DuplicateKey, name.at, message);
            self.diagnostics
                .push(diagnostic.related(first.at, format!("`{}` is already given", first.text)));
        }
        if found.is_empty() {
            self.choice = names;
        }
        let ((name, node), key) = found.into_iter().next()?;
        Some((name, read(node, &key.form, self.diagnostics)))
    }

    /// Reports missing keys, and keys that the section does not have.
    ///
    /// # Panics
    /// If the reader has not asked for a key of the section.
    pub(super) fn done(mut self) {
        let what = self.section.what;
        let is_forgotten = |key: &&Key| !self.taken.contains(&key.name);
        let forgotten = self.section.keys.iter().find(is_forgotten).map(|key| key.name);
        assert_eq!(
            forgotten, None,
            "the reader of {what} reads all keys that the grammar has"
        );
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
            self.diagnostics.push(match self.section.example {
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
        self.diagnostics.push(diagnostic);
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

    fn key(&self, name: &str) -> &'static Key {
        let key = self.section.key(name);
        key.unwrap_or_else(|| panic!("the grammar of {} has a key `{name}`", self.section.what))
    }

    fn take(&mut self, key: &'static Key) -> Option<(&'t Word, &'t Node)> {
        self.taken.push(key.name);
        let index = self.entries.iter().position(|(name, _)| name.text == key.name)?;
        Some(self.entries.remove(index))
    }
}

/// Whether this is not a key but the rest of a text after a comma: it has no value and is not written like a key.
fn is_rest_of_a_text(name: &Word, node: &Node) -> bool {
    let is_of_names = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    matches!(node.form, Tree::Null) && !name.text.chars().all(is_of_names)
}

/// A function that reads a node with a form of the grammar.
pub(super) trait Read<'t, T>: FnOnce(&'t Node, &'static Form, &mut Vec<Diagnostic>) -> T {}

impl<'t, T, F: FnOnce(&'t Node, &'static Form, &mut Vec<Diagnostic>) -> T> Read<'t, T> for F {}

/// The entries of a map. Only the first entry of each name is kept; the others are reported.
pub(super) fn without_duplicates<'t>(
    entries: &'t [(Word, Node)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(&'t Word, &'t Node)> {
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
                diagnostics.push(diagnostic.related(*first, "first given here"));
            }
        }
    }
    kept
}
