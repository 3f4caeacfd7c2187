//! What emitters share: names, types, texts, and what an operation knows of itself. It knows the model, and no emitter.

pub(crate) mod body;
pub(crate) mod entering;
pub(crate) mod file;
pub(crate) mod filter;
pub(crate) mod literals;
pub(crate) mod names;
pub(crate) mod refusals;
pub(crate) mod serde;
pub(crate) mod stored;
pub(crate) mod subject;
pub(crate) mod templates;
pub(crate) mod types;

pub(crate) use crate::names::GeneratedName;
pub(crate) use subject::Subject;

use crate::model::{Field, Model, Span};

/// A doc comment: a name of the contract, and what that says of it.
pub(crate) fn doc(name: &str, said: Option<&str>) -> String {
    match said {
        Some(said) => format!("`{name}`: {said}"),
        None => format!("`{name}`"),
    }
}

/// What the contract says of something, on one line, to stand behind what is said of it here.
pub(crate) fn said(doc: Option<&str>) -> String {
    let words = doc.into_iter().flat_map(str::split_whitespace);
    words.map(|word| format!(" {word}")).collect()
}

/// What every emitter is given.
pub(crate) struct Context<'m> {
    pub(crate) model: &'m Model,
    /// The file that lines are quoted from.
    pub(crate) file: &'m str,
}

impl<'m> Context<'m> {
    pub(crate) fn new(model: &'m Model, file: &'m str) -> Self {
        Self { model, file }
    }

    /// `api.yaml:LINE:COL`
    pub(crate) fn at(&self, at: Span) -> String {
        format!("{}:{}:{}", self.file, at.line, at.column)
    }

    /// `(api.yaml:LINE:COL)`, for doc comments.
    pub(crate) fn place(&self, at: Span) -> String {
        format!("({})", self.at(at))
    }

    /// The doc comment of a field, a member or a parameter.
    pub(crate) fn doc(&self, field: &Field) -> String {
        format!("{} {}", doc(&field.name, field.doc.as_deref()), self.place(field.at))
    }
}
