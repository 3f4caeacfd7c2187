//! From the model to `llms.txt`: the contract in plain text, for an agent that has this text, an HTTP client and a credential.
//!
//! ```text
//! Model ─ used ─▶ what is used ─ entrance, conventions, values, things, operations, error responses ─▶ text
//! ```
//!
//! It is Markdown in the format of llmstxt.org, and short enough for a prompt. Facts about many operations are stated
//! once, types and members are named where they are used and described in one place, and examples show the form of
//! answers.

mod conventions;
mod entrance;
mod errors;
mod events;
mod examples;
mod files;
mod notation;
mod operations;
mod things;
mod used;
mod values;

pub(super) use self::files::files;

use self::used::Used;
use crate::documents::shared::selection::Selection;
use crate::documents::shared::words;
use crate::model::Model;

/// The text of a surface, or of all; `None` where no surface has this name.
pub fn text(model: &Model, surface: Option<&str>) -> Option<String> {
    let part = Selection::for_surface(model, surface)?;
    let used = Used::by(&part);
    let sections = [
        entrance::title(&part),
        entrance::callers(&part),
        conventions::section(&part, &used),
        values::section(&part, &used),
        things::section(&part, &used),
        operations::section(&part),
        events::section(&part),
        errors::limits(&part),
        errors::errors(&part),
        files::links(&part),
    ];
    let sections = sections.iter().map(|section| section.trim());
    let sections = sections.filter(|section| !section.is_empty());
    Some(sections.collect::<Vec<_>>().join("\n\n") + "\n")
}

/// A section: its heading and its lines; empty if there are no lines.
fn section(heading: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    format!("## {heading}\n\n{}", lines.join("\n"))
}

/// The text on one line, with a full stop at its end.
fn sentence(text: &str) -> String {
    let text = words::in_line(text);
    if text.is_empty() || text.ends_with(['.', '?', '!', ':']) {
        text
    } else {
        format!("{text}.")
    }
}

/// The sentences that are not empty, joined by blanks.
fn together(sentences: &[&str]) -> String {
    let parts = sentences.iter().map(|one| one.trim()).filter(|one| !one.is_empty());
    parts.collect::<Vec<_>>().join(" ")
}
