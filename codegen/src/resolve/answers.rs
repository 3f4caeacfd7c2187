//! Resolves templates, the envelope and the error table.

use super::words::{status, text};
use crate::model::{ErrorEntry, Piece, Template};
use crate::step::Step;
use crate::syntax::{self, Table, Word};

/// Splits a text at its `{placeholders}`.
pub(super) fn template(source: &str) -> Template {
    let mut pieces = Vec::new();
    let mut rest = source;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((name, after)) = behind.split_once('}') else {
            break;
        };
        if !before.is_empty() {
            pieces.push(Piece::Text(before.to_owned()));
        }
        pieces.push(Piece::Placeholder(name.to_owned()));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Template(pieces)
}

pub(super) fn templates(table: &Table<Word>) -> Vec<(String, Template)> {
    table
        .iter()
        .map(|(name, source)| (text(name), template(&source.text)))
        .collect()
}

pub(super) fn error_entry(name: &Word, error: &syntax::ErrorEntry) -> ErrorEntry {
    ErrorEntry {
        name: text(name),
        status: status(error.status),
        step: Step::parse(&error.step.text).expect("checked: the step is known"),
        text: template(&error.text.text),
        title: error.shown_title().unwrap_or_default().to_owned(),
        help: error.help.as_ref().map(text),
        when: None,
        headers: templates(&error.headers),
        untestable: error.untestable.clone(),
        at: name.at,
    }
}
