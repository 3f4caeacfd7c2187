//! A diagnostic: one mistake in `api.yaml`, with its position, what is wrong and what to do; and how it is rendered.
//!
//! [`crate::yaml`], [`crate::read`] and [`crate::check`] create diagnostics. Knows positions and texts only.

mod draw;

pub use draw::{Drawing, Location};

use crate::nearest::nearest;
use crate::spec::{Span, Word};
use std::collections::HashSet;
use std::fmt::Write;

/// At most so many reports are shown, and looked for names that were meant: who has more mistakes mends these first.
const MOST_SHOWN: usize = 100;

/// A mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Name of the rule that is broken, such as `unknown-type`.
    pub rule: &'static str,
    /// Where.
    pub at: Span,
    /// What was found, and what would be right.
    pub message: String,
    /// Other places that one wants to look at, and what is there.
    pub related: Vec<(Span, String)>,
    /// What else one should know.
    pub note: Option<String>,
    /// What to do, where there is something to say.
    pub help: Option<String>,
}

/// How reports are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// For logs and files.
    Plain,
    /// With the codes that make a terminal show colours.
    Coloured,
}

impl Diagnostic {
    /// A report without help.
    pub(crate) fn new(rule: &'static str, at: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            rule,
            at,
            message: message.into(),
            related: Vec::new(),
            note: None,
            help: None,
        }
    }

    /// The same with help.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with something else that one should know.
    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// The same with another place that one wants to look at.
    pub(crate) fn related(mut self, at: Span, label: impl Into<String>) -> Self {
        if !at.is_unknown() {
            self.related.push((at, label.into()));
        }
        self
    }

    /// The same with the place where a name is declared.
    pub(crate) fn declared(self, name: &Word) -> Self {
        self.related(name.at, format!("`{}` is declared here", name.text))
    }

    /// The same, if the name is declared at all: what is built in is not.
    pub(crate) fn declared_if(self, name: Option<&Word>) -> Self {
        match name {
            Some(name) => self.declared(name),
            None => self,
        }
    }

    /// The same, proposing the known name that `name` is nearest to, or else listing the known ones.
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

    /// The whole text: message, place, the source with the mistake underlined, help.
    pub fn render(&self, file: &str, source: &str) -> String {
        self.draw(file, source, Style::Plain)
    }

    /// The same in a style.
    pub fn draw(&self, file: &str, source: &str, style: Style) -> String {
        draw::mistake(self, file, source).draw(style)
    }
}

/// All reports as text, in the order of the file. Of very many the first are shown, and then how many more there are.
pub fn render(diagnostics: &[Diagnostic], file: &str, source: &str) -> Vec<String> {
    draw(diagnostics, file, source, Style::Plain)
}

/// The same in a style.
pub fn draw(diagnostics: &[Diagnostic], file: &str, source: &str, style: Style) -> Vec<String> {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|diagnostic| diagnostic.at);
    let shown = sorted.iter().take(MOST_SHOWN);
    let mut drawn: Vec<String> = shown.map(|diagnostic| diagnostic.draw(file, source, style)).collect();
    if sorted.len() > MOST_SHOWN {
        drawn.push(draw::rest(sorted.len() - MOST_SHOWN, style));
    }
    drawn
}

/// The places of reports, for rules that say nothing of what has been reported.
pub(crate) fn places(diagnostics: &[Diagnostic]) -> HashSet<Span> {
    diagnostics.iter().map(|diagnostic| diagnostic.at).collect()
}

/// Adds those of `found` that are at places of which nothing has been reported, one a place.
pub(crate) fn add_new(found: impl IntoIterator<Item = Diagnostic>, diagnostics: &mut Vec<Diagnostic>) {
    let mut places = places(diagnostics);
    diagnostics.extend(found.into_iter().filter(|diagnostic| places.insert(diagnostic.at)));
}

/// Names to propose, and none where so many reports have been made that nobody would read it, or so many names would be
/// looked at for each of them that it took its time.
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

/// At most some ten names, for a help text.
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
