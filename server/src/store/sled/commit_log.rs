//! A log of commits outside of this process: another database holds the records, and the trees are a copy of them. A
//! commit is appended to the log before it changes the copy. So the copy may be lost, and is made anew at start.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sled::IVec;

use super::backup::lines::line_of;
use super::record::Chunks;
use super::transaction::{Entries, LAST_ID, last_id_name};
use super::trees::Tree;
use crate::store::StoreError;

/// A change of a commit, in a form that depends on no engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) enum LogChange {
    /// A record, or something else that a backup holds, too.
    Entry {
        /// Its kind: one of [`super::snapshot::ORDER`].
        kind: Tree,
        /// Its key in the trees.
        key: Vec<u8>,
        /// What a backup holds for it, as JSON. `None`: it was removed.
        document: Option<String>,
    },
    /// The last assigned id of the kind of this name.
    LastId(String, i64),
}

/// Changes of commits that were made elsewhere, one after the other.
pub(in crate::store) type News = Vec<LogChange>;

/// Why a commit was not appended.
#[derive(Debug)]
pub(in crate::store) enum LogError {
    /// This time. Nothing has changed, and the next commit may succeed.
    Unavailable(String),
    /// This time, and it is not known whether it was appended. The next [`CommitLog::begin`] tells.
    Unknown(String),
    /// From now on: another process has taken over.
    Deposed(String),
}

impl fmt::Display for LogError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Unavailable(cause) | Self::Unknown(cause) | Self::Deposed(cause)) = self;
        out.write_str(cause)
    }
}

impl LogChange {
    /// The last assigned id of a kind, if it is one.
    pub(in crate::store) fn as_last_id(&self) -> Option<(&str, i64)> {
        match self {
            Self::LastId(kind, number) => Some((kind, *number)),
            Self::Entry { .. } => None,
        }
    }
}

impl LogError {
    /// The error of the writes of this commit.
    pub(super) fn of_writes(&self) -> StoreError {
        match self {
            Self::Unavailable(cause) | Self::Deposed(cause) => StoreError::unwritable(cause),
            Self::Unknown(cause) => StoreError::outcome_unknown(cause),
        }
    }
}

/// Appends commits. Used by the committer thread only; each call may block for some seconds.
pub(in crate::store) trait CommitLog: Send {
    /// Begins a commit: until it ends, nobody else appends one. Returns what the log has beyond this copy.
    ///
    /// # Errors
    /// If the log cannot be reached.
    fn begin(&mut self) -> Result<News, LogError>;
    /// Appends the commit that was begun, and ends it.
    ///
    /// # Errors
    /// If it is not certain that the commit is stored. The copy must then stay as it is.
    fn append(&mut self, changes: &[LogChange]) -> Result<(), LogError>;
    /// Ends the commit that was begun without appending anything.
    fn release(&mut self);
    /// Says that this process is alive, and may go on to read from its copy.
    ///
    /// # Errors
    /// If the log cannot be reached.
    fn renew(&mut self) -> Result<(), LogError>;
}

/// Until when a copy may be read: later, somebody else may have changed the records.
#[derive(Clone)]
pub(in crate::store) struct Lease(Arc<(Instant, AtomicU64)>);

impl Lease {
    /// A lease that has not begun.
    pub(in crate::store) fn new() -> Self {
        Self(Arc::new((Instant::now(), AtomicU64::new(0))))
    }

    /// The lease lasts until this time, by the clock that never goes back.
    pub(in crate::store) fn extend_to(&self, until: Instant) {
        let (base, end) = &*self.0;
        end.store(nanos(until.saturating_duration_since(*base)), Ordering::Release);
    }

    /// Ends it.
    pub(in crate::store) fn end(&self) {
        self.0.1.store(0, Ordering::Release);
    }

    /// Whether it lasts.
    pub(super) fn is_held(&self) -> bool {
        let (base, end) = &*self.0;
        nanos(base.elapsed()) < end.load(Ordering::Acquire)
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The changes that the log receives of these entries. Indexes, counts and pieces follow from them.
///
/// # Errors
/// If an entry is malformed.
pub(super) fn changes_of(entries: &Entries) -> Result<Vec<LogChange>, String> {
    let mut changes = Vec::with_capacity(entries.len());
    for ((tree, key), value) in entries {
        let malformed = || format!("an entry of {} is malformed", tree.name());
        if *tree == Tree::Meta {
            let name = std::str::from_utf8(key)
                .ok()
                .and_then(|name| name.strip_prefix(LAST_ID));
            let number = value.as_ref().and_then(|value| super::keys::number(value));
            if let (Some(name), Some(number)) = (name, number)
                && name != Tree::Pieces.name()
            {
                changes.push(LogChange::LastId(name.to_owned(), number));
            }
        } else if super::snapshot::ORDER.contains(tree) {
            let document = match value {
                None => None,
                Some(value) => {
                    let whole = whole(entries, value).ok_or_else(malformed)?;
                    let line = line_of(*tree, key, &whole).ok_or_else(malformed)?;
                    Some(String::from_utf8(line.into_owned()).map_err(|_| malformed())?)
                }
            };
            let (kind, key) = (*tree, key.to_vec());
            changes.push(LogChange::Entry { kind, key, document });
        }
    }
    Ok(changes)
}

/// The value that an entry stands for. Its pieces were written with it.
fn whole(entries: &Entries, value: &IVec) -> Option<IVec> {
    let Some(pieces) = Chunks::referred_to_by(value) else {
        return Some(value.clone());
    };
    let mut whole = Vec::new();
    for key in pieces.keys() {
        whole.extend_from_slice(entries.get(&(Tree::Pieces, IVec::from(&key)))?.as_ref()?);
    }
    Some(whole.into())
}

/// The entry of a last assigned id in the tree of numbers.
pub(super) fn last_id(name: &str) -> Option<String> {
    let kind = Tree::named(name)?;
    Some(last_id_name(kind))
}
