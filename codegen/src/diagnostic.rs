//! A diagnostic: one error or warning in `api.yaml`, with its position, what is wrong and what to do; and how it is rendered.
//!
//! [`crate::yaml`], [`crate::syntax`] and [`crate::check`] create diagnostics. Knows positions and texts only.

mod draw;

pub use draw::{Drawing, Location};

use crate::nearest::nearest;
pub(crate) use crate::rules::Rule;
use crate::span::{Span, Word};
use std::collections::HashSet;
use std::fmt::Write;

/// Maximum number of diagnostics that are rendered, and of those that propose names.
const MOST_SHOWN: usize = 100;

/// An error in a contract, or a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The violated rule, such as `unknown-type`.
    pub rule: Rule,
    /// The position of the error.
    pub at: Span,
    /// What was found, and what is expected.
    pub message: String,
    /// Other relevant positions, each with a label.
    pub related: Vec<(Span, String)>,
    /// Additional information.
    pub note: Option<String>,
    /// What to do.
    pub help: Option<String>,
}

/// How diagnostics are rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without colours, for logs and files.
    Plain,
    /// With the escape codes for colours of a terminal.
    Coloured,
}

impl Diagnostic {
    /// A diagnostic without help.
    pub(crate) fn new(rule: Rule, at: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            rule,
            at,
            message: message.into(),
            related: Vec::new(),
            note: None,
            help: None,
        }
    }

    /// Adds help.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a note.
    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Adds another relevant position.
    pub(crate) fn related(mut self, at: Span, label: impl Into<String>) -> Self {
        if !at.is_unknown() {
            self.related.push((at, label.into()));
        }
        self
    }

    /// Adds the position where a name is declared.
    pub(crate) fn declared(self, name: &Word) -> Self {
        self.related(name.at, format!("`{}` is declared here", name.text))
    }

    /// Adds the position where a name is declared, if it is: built-in names are not.
    pub(crate) fn declared_if(self, name: Option<&Word>) -> Self {
        match name {
            Some(name) => self.declared(name),
            None => self,
        }
    }

    /// Proposes the known name that is nearest to `name`, or else lists the known names.
    pub(crate) fn propose<'a>(self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = known.into_iter().collect();
        if name.contains(' ') && name.split(' ').all(|part| known.contains(&part)) {
            return self.help("a comma is missing between two names");
        }
        match nearest(name, known.iter().copied()) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None if known.is_empty() => self,
            None => self.help(format!("known: {}", listed(&known))),
        }
    }

    /// The rendered diagnostic: message, position, the source with the error underlined, help.
    pub fn render(&self, file: &str, source: &str) -> String {
        self.draw(file, source, Style::Plain)
    }

    /// Like [`Self::render`], in a given style.
    pub fn draw(&self, file: &str, source: &str, style: Style) -> String {
        draw::mistake(self, file, source).draw(style)
    }
}

/// All diagnostics as text, in the order of the file. If there are too many, only the first ones and the number of the
/// others.
pub fn render(diagnostics: &[Diagnostic], file: &str, source: &str) -> Vec<String> {
    draw(diagnostics, file, source, Style::Plain)
}

/// Like [`render`], in a given style.
pub fn draw(diagnostics: &[Diagnostic], file: &str, source: &str, style: Style) -> Vec<String> {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|diagnostic| diagnostic.at);
    let shown = sorted.iter().take(MOST_SHOWN);
    let mut drawn: Vec<String> = shown.map(|diagnostic| diagnostic.draw(file, source, style)).collect();
    if sorted.len() > MOST_SHOWN {
        let severity = sorted[0].rule.severity();
        drawn.push(draw::rest(sorted.len() - MOST_SHOWN, severity, style));
    }
    drawn
}

/// The positions of diagnostics, for rules that skip what has been reported.
pub(crate) fn places(diagnostics: &[Diagnostic]) -> HashSet<Span> {
    diagnostics.iter().map(|diagnostic| diagnostic.at).collect()
}

/// Adds the diagnostics of `found` at positions that have none yet, one for each position.
pub(crate) fn add_new(found: impl IntoIterator<Item = Diagnostic>, diagnostics: &mut Vec<Diagnostic>) {
    let mut places = places(diagnostics);
    diagnostics.extend(found.into_iter().filter(|diagnostic| places.insert(diagnostic.at)));
}

/// Names to propose. Empty if there are already many diagnostics, or if the search among so many names would be slow.
pub(crate) fn while_few<'a>(diagnostics: &[Diagnostic], known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    const MOST_COMPARED: usize = 200_000;
    if diagnostics.len() >= MOST_SHOWN {
        return Vec::new();
    }
    let known: Vec<&str> = known.into_iter().collect();
    if diagnostics.len() * known.len() > MOST_COMPARED {
        return Vec::new();
    }
    known
}

/// About ten of the names, for a help text.
pub(crate) fn listed(names: &[&str]) -> String {
    const MOST: usize = 12;
    let mut text = names
        .iter()
        .take(MOST)
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > MOST {
        let _ = write!(text, " and {} more", names.len() - MOST);
    }
    text
}
