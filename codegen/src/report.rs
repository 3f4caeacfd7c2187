//! One mistake in `api.yaml`, and how it is shown: rustc-like, with the line and a caret.
//!
//! Knows places and text only; what is a mistake is said by [`crate::tree`], [`crate::read`] and [`crate::check`].

use crate::nearest::nearest;
use crate::spec::Span;
use std::fmt::Write;

/// A mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Name of the rule that is broken, such as `unknown-type`.
    pub rule: &'static str,
    /// Where.
    pub at: Span,
    /// What was found, and what would be right.
    pub message: String,
    /// What to do, where there is something to say.
    pub help: Option<String>,
}

/// Longest piece of a source line that is shown, in characters.
const SHOWN: usize = 140;

impl Report {
    /// A report without help.
    pub(crate) fn new(rule: &'static str, at: Span, message: impl Into<String>) -> Self {
        Report {
            rule,
            at,
            message: message.into(),
            help: None,
        }
    }

    /// The same with help.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same, proposing the known name that `name` is nearest to, or else listing the known ones.
    pub(crate) fn propose<'a>(self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = known.into_iter().collect();
        match nearest(name, known.iter().copied()) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None if known.is_empty() => self,
            None => self.help(format!("known: {}", listed(&known))),
        }
    }

    /// The whole text: message, place, source line with a caret, help.
    pub fn render(&self, file: &str, source: &str) -> String {
        let Span { line, column } = self.at;
        let number = line.to_string();
        let gutter = " ".repeat(number.len());
        let mut text = format!(
            "error[{}]: {}\n{gutter}--> {file}:{line}:{column}\n",
            self.rule, self.message
        );
        let shown = line.checked_sub(1).and_then(|n| source.lines().nth(n));
        if let Some(shown) = shown {
            let (piece, before) = window(shown, column);
            let _ = write!(text, "{gutter} |\n{number} | {piece}\n{gutter} | {before}^\n");
        }
        if let Some(help) = &self.help {
            let _ = writeln!(text, "{gutter} = help: {help}");
        }
        text
    }
}

/// All reports as text, in the order of the file.
pub fn render(reports: &[Report], file: &str, source: &str) -> Vec<String> {
    let mut sorted: Vec<&Report> = reports.iter().collect();
    sorted.sort_by_key(|report| report.at);
    sorted.iter().map(|report| report.render(file, source)).collect()
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

/// The piece of a line around a column, and the blanks that bring a caret below that column.
fn window(line: &str, column: usize) -> (String, String) {
    let at = column.saturating_sub(1);
    let start = at.saturating_sub(SHOWN / 2);
    let piece: String = line.chars().skip(start).take(SHOWN).collect();
    let before = piece
        .chars()
        .chain(std::iter::repeat(' '))
        .take(at - start)
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    (piece, before)
}
