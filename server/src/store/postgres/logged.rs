//! A commit as the log holds it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use codegen_store::commit_log::LogChange;
use codegen_store::kind_named;
use serde::{Deserialize, Serialize};

use crate::store::market::Market;

/// A change as the log holds it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Logged {
    Entry {
        kind: String,
        key: String,
        document: Option<String>,
    },
    LastId {
        kind: String,
        number: i64,
    },
}

impl Logged {
    fn from_change(change: &LogChange) -> Self {
        match change {
            LogChange::Entry { kind, key, document } => Self::Entry {
                kind: kind.name().to_owned(),
                key: STANDARD.encode(key),
                document: document.clone(),
            },
            LogChange::LastId(kind, number) => Self::LastId {
                kind: kind.clone(),
                number: *number,
            },
        }
    }

    fn read(self) -> Option<LogChange> {
        Some(match self {
            Self::Entry { kind, key, document } => LogChange::Entry {
                kind: kind_named::<Market>(&kind)?.tree,
                key: STANDARD.decode(key).ok()?,
                document,
            },
            Self::LastId { kind, number } => LogChange::LastId(kind, number),
        })
    }
}

/// The changes of a commit, as the log holds them.
pub(super) fn encode(changes: &[LogChange]) -> Vec<u8> {
    let logged: Vec<_> = changes.iter().map(Logged::from_change).collect();
    serde_json::to_vec(&logged).expect("changes are texts and numbers")
}

/// The changes of a commit in the log. `None` if it is malformed.
pub(super) fn decode(logged: &[u8]) -> Option<Vec<LogChange>> {
    let logged: Vec<Logged> = serde_json::from_slice(logged).ok()?;
    logged.into_iter().map(Logged::read).collect()
}
