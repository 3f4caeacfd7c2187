//! What a log of commits receives of a write.

use crate::commit_log::LogChange;
use crate::engine::Batch;
use crate::hooks::{Hooks, kind_at};
use crate::sled::number;
use crate::transaction::LAST_ID;
use crate::tree::Tree;

/// The changes that the log receives of these entries. Indexes and counts follow from them.
///
/// # Errors
/// If an entry is malformed.
pub(crate) fn changes_of<S: Hooks>(entries: &Batch) -> Result<Vec<LogChange>, String> {
    let mut changes = Vec::with_capacity(entries.len());
    for ((tree, key), value) in entries {
        let malformed = || format!("an entry of {} is malformed", tree.name());
        if *tree == Tree::META {
            let name = std::str::from_utf8(key)
                .ok()
                .and_then(|name| name.strip_prefix(LAST_ID));
            let number = value.as_ref().and_then(|value| number(value));
            if let (Some(name), Some(number)) = (name, number) {
                changes.push(LogChange::LastId(name.to_owned(), number));
            }
        } else if let Some(kind) = kind_at::<S>(*tree) {
            let document = match value {
                None => None,
                Some(value) => {
                    let line = kind.line_of(key, value).ok_or_else(malformed)?;
                    Some(String::from_utf8(line.into_owned()).map_err(|_| malformed())?)
                }
            };
            let (kind, key) = (*tree, key.to_vec());
            changes.push(LogChange::Entry { kind, key, document });
        }
    }
    Ok(changes)
}
