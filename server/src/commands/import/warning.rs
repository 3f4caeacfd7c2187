//! Warnings about lines that the server accepted.

use contract::support::text::fold;
use serde::Deserialize;
use visible::visible;

use super::lines::Line;
use crate::prefectures;

#[derive(Deserialize)]
struct WorkerState {
    state: String,
}

/// The warning for a line: agents search by prefecture, but the contract accepts any text.
pub(super) fn for_line(line: &Line) -> Option<String> {
    let WorkerState { state } = serde_json::from_str(line.json()).ok()?;
    if prefectures::canonical(&fold(&state)).is_some() {
        return None;
    }
    let meant = prefectures::meant(&state).map_or(String::new(), |meant| format!(", did you mean {meant}?"));
    Some(format!(
        "`state` is `{}`, which is none of the 47 prefectures{meant}",
        visible(&state)
    ))
}
