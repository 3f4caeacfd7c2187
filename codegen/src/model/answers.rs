//! What is answered: texts with placeholders, the members of the envelope, the rows of the error table.

use super::Span;
use crate::step::Step;

/// A text with `{placeholders}`, in pieces.
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

    /// The template with those placeholders filled in whose value `known` gives.
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

/// A piece of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text as it stands.
    Text(String),
    /// The name between braces.
    Placeholder(String),
}

/// The value of a member of the envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnvelopeValue {
    /// JSON text.
    Literal(String),
    /// `$data`, `$message`, …
    Placeholder {
        /// The name without the `$`.
        name: String,
        /// Left out where there is nothing to say.
        optional: bool,
    },
}

/// A row of the error table.
#[derive(Clone, Debug)]
pub struct ErrorEntry {
    /// Its name.
    pub name: String,
    /// HTTP status.
    pub status: u16,
    /// The step that rejects.
    pub step: Step,
    /// What is said.
    pub text: Template,
    /// What a caller does next who gets it.
    pub help: Option<String>,
    /// Headers that go along.
    pub headers: Vec<(String, Template)>,
    /// Why a suite that only sends requests cannot see it; only at the steps `body_time`, `write` and `internal`.
    pub untestable: Option<Untestable>,
    /// Where it stands.
    pub at: Span,
}

/// Why a suite from outside cannot see an error response, and who sees it instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untestable {
    /// What stands in its way.
    pub reason: String,
    /// The name of the service's own test that injects the fault and sees the refusal.
    pub test: String,
}

impl ErrorEntry {
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
