//! The events that callers get.

use super::{section as make, sentence};
use crate::documents::shared::events;
use crate::documents::shared::selection::Selection;
use crate::model::EventKind;

/// The section of the events; empty if there are none.
pub(super) fn section(part: &Selection<'_>) -> String {
    let lines: Vec<String> = part.events().map(|kind| line(part, kind)).collect();
    if lines.is_empty() {
        return String::new();
    }
    let first = "Each is `{eventId, name, timestamp, data, cursor}`. No other event has its `eventId`. Beside the list, `cursor` is where the next call goes \
                 on, `has_more` says whether to call at once, and `truncated` whether events were dropped before you \
                 read them.";
    let lines: Vec<String> = std::iter::once(first.to_owned()).chain(lines).collect();
    make("Events", &lines)
}

fn line(part: &Selection<'_>, kind: &EventKind) -> String {
    let data = kind.data.iter().map(|member| &member.field);
    let data = data.map(|field| format!("{}: {}", field.name, super::notation::in_response(&field.of)));
    let data = data.collect::<Vec<_>>().join(", ");
    let doc = sentence(kind.doc.as_deref().unwrap_or_default());
    let by = match part.surfaces.len() {
        1 => String::new(),
        _ => format!(" {}", events::caused_by(kind)),
    };
    format!("- `{}` `{{{data}}}`: {doc}{by}", kind.name)
}
