//! What a log of commits receives of a write.

use codegen_store::commit_log::LogChange;
use codegen_store::{Batch, Tree};

use super::transaction::LAST_ID;
use super::{keys, kinds};

/// The changes that the log receives of these entries. Indexes and counts follow from them.
///
/// # Errors
/// If an entry is malformed.
pub(crate) fn changes_of(entries: &Batch) -> Result<Vec<LogChange>, String> {
    let mut changes = Vec::with_capacity(entries.len());
    for ((tree, key), value) in entries {
        let malformed = || format!("an entry of {} is malformed", tree.name());
        if *tree == Tree::META {
            let name = std::str::from_utf8(key)
                .ok()
                .and_then(|name| name.strip_prefix(LAST_ID));
            let number = value.as_ref().and_then(|value| keys::number(value));
            if let (Some(name), Some(number)) = (name, number) {
                changes.push(LogChange::LastId(name.to_owned(), number));
            }
        } else if let Some(kind) = kinds::of(*tree) {
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
