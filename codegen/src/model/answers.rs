//! Content of answers: templates, entries of the error table.

use super::{Condition, Span, Untestable};
use crate::step::Step;
use std::fmt;

/// A text with `{placeholders}`, in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(pub Vec<Piece>);

impl Template {
    /// The names of the placeholders, each once, in order.
    pub fn placeholders(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for piece in &self.0 {
            if let Piece::Placeholder(name) = piece
                && !names.contains(&name.as_str())
            {
                names.push(name.as_str());
            }
        }
        names
    }

    /// The template with the placeholders replaced for which `known` returns a value.
    pub fn filled(&self, known: impl Fn(&str) -> Option<String>) -> Self {
        let mut pieces: Vec<Piece> = Vec::new();
        for piece in &self.0 {
            let text = match piece {
                Piece::Text(text) => Some(text.clone()),
                Piece::Placeholder(name) => known(name),
            };
            match (text, pieces.last_mut()) {
                (Some(text), Some(Piece::Text(before))) => before.push_str(&text),
                (Some(text), _) => pieces.push(Piece::Text(text)),
                (None, _) => pieces.push(piece.clone()),
            }
        }
        Self(pieces)
    }
}

/// As the contract writes it.
impl fmt::Display for Template {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| match piece {
            Piece::Text(text) => out.write_str(text),
            Piece::Placeholder(name) => write!(out, "{{{name}}}"),
        })
    }
}

/// A part of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Literal text.
    Text(String),
    /// The name between braces.
    Placeholder(String),
}

/// An entry of the error table.
#[derive(Clone, Debug)]
pub struct ErrorEntry {
    /// Its name.
    pub name: String,
    /// HTTP status.
    pub status: u16,
    /// The step that rejects.
    pub step: Step,
    /// The error text.
    pub text: Template,
    /// A short name for people, the same in each response.
    pub title: String,
    /// What the caller should do next.
    pub help: Option<String>,
    /// When the rule rejects a request. `None`: the handler decides. Only at the step `rule`.
    pub when: Option<Condition>,
    /// Headers of the error response.
    pub headers: Vec<(String, Template)>,
    /// Why a suite that only sends requests cannot cause it. Only at steps that are
    /// [out of reach](Step::is_out_of_reach), and if the handler decides.
    pub untestable: Option<Untestable>,
    /// Position in the file.
    pub at: Span,
}

impl ErrorEntry {
    /// Whether no ordinary request causes it.
    pub fn is_out_of_reach(&self) -> bool {
        self.step.is_out_of_reach() || self.untestable.is_some()
    }

    /// The placeholders of its text and headers, each once, in order.
    pub fn placeholders(&self) -> Vec<&str> {
        let mut names = self.text.placeholders();
        for (_, template) in &self.headers {
            for name in template.placeholders() {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }
}
