//! What an engine is: trees of ordered bytes.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::time::Duration;
use std::{fmt, io};

use parking_lot::RwLockReadGuard;

use crate::tree::Tree;

/// A key or a value. Up to 22 bytes are stored in place, and a clone of a longer one shares them.
pub type Bytes = ::sled::IVec;

/// A key and its value.
pub type Entry = (Bytes, Bytes);

/// A range of keys.
pub type KeyRange<'k> = (Bound<&'k [u8]>, Bound<&'k [u8]>);

/// New values of entries; `None` for one that is removed. Sorted: for the few entries of a write this is faster than
/// hashing.
pub type Batch = BTreeMap<(Tree, Bytes), Option<Bytes>>;

/// Why an engine failed.
#[derive(Debug)]
pub enum EngineError {
    /// A value differs from what was written.
    Damaged(String),
    /// The content cannot be read.
    Unreadable(String),
    /// The system reported an error. What needs to be read then waits for a restart, as writes do.
    Io(io::Error),
    /// A batch may or may not be stored. No later one is until a restart.
    OutcomeUnknown(String),
}

impl EngineError {
    pub(crate) fn unknown(step: &str, error: impl fmt::Display) -> Self {
        Self::OutcomeUnknown(format!("{step}: {error}"))
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(cause) | Self::Unreadable(cause) | Self::OutcomeUnknown(cause) => out.write_str(cause),
            Self::Io(error) => error.fmt(out),
        }
    }
}

impl std::error::Error for EngineError {}

/// Reads. Each may wait for the disk.
pub trait Reads {
    /// The value of an entry.
    ///
    /// # Errors
    /// If it cannot be read. The same holds for the other methods.
    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Bytes>, EngineError>;

    /// The first entries of a range, at most `most`, in the order of their keys.
    ///
    /// # Errors
    /// As those of [`Self::get`].
    fn range(&self, tree: Tree, range: KeyRange<'_>, most: usize) -> Result<Vec<Entry>, EngineError>;

    /// The keys of those entries, without their values.
    ///
    /// # Errors
    /// As those of [`Self::get`].
    fn keys(&self, tree: Tree, range: KeyRange<'_>, most: usize) -> Result<Vec<Bytes>, EngineError>;
}

/// An engine. Any thread reads; one thread writes.
pub trait Engine: Reads + Send + Sync {
    /// Stores a batch as a whole. Readers see it at once. When this returns, it is where the engine keeps what is acknowledged: on
    /// disk, unless a log elsewhere holds it.
    ///
    /// # Errors
    /// [`EngineError::OutcomeUnknown`], for this batch and all later ones.
    fn commit(&self, batch: &Batch) -> Result<Committed, EngineError>;

    /// The number of the last batch that readers see. They are numbered from 1, without gaps.
    fn last_commit(&self) -> u64;

    /// No batch is written until this is dropped, so that several reads see one state. To be held shortly.
    fn still(&self) -> RwLockReadGuard<'_, ()>;
}

/// A batch that is stored.
#[derive(Clone, Copy, Debug)]
pub struct Committed {
    /// Its number.
    pub number: u64,
    /// The time for syncing it to disk.
    pub sync: Duration,
}

/// The keys that begin with `prefix`.
#[must_use]
pub fn prefixed(prefix: &[u8]) -> (Bound<&[u8]>, Bound<Vec<u8>>) {
    let mut end = prefix.to_vec();
    while end.last() == Some(&u8::MAX) {
        end.pop();
    }
    let end = match end.last_mut() {
        Some(last) => {
            *last += 1;
            Bound::Excluded(end)
        }
        None => Bound::Unbounded,
    };
    (Bound::Included(prefix), end)
}

/// All entries of a range, read `batch` at a time.
pub fn scan<'r>(
    reads: &'r (impl Reads + ?Sized),
    tree: Tree,
    (from, to): (Bound<Vec<u8>>, Bound<Vec<u8>>),
    batch: usize,
) -> impl Iterator<Item = Result<Entry, EngineError>> + 'r {
    in_batches(
        from,
        to,
        batch,
        move |range| reads.range(tree, range, batch),
        |entry| &entry.0,
    )
}

/// All keys of a range, read `batch` at a time.
pub fn keys<'r>(
    reads: &'r (impl Reads + ?Sized),
    tree: Tree,
    (from, to): (Bound<Vec<u8>>, Bound<Vec<u8>>),
    batch: usize,
) -> impl Iterator<Item = Result<Bytes, EngineError>> + 'r {
    in_batches(from, to, batch, move |range| reads.keys(tree, range, batch), |key| key)
}

fn in_batches<'r, T: 'r>(
    from: Bound<Vec<u8>>,
    to: Bound<Vec<u8>>,
    batch: usize,
    read: impl Fn(KeyRange<'_>) -> Result<Vec<T>, EngineError> + 'r,
    key: fn(&T) -> &Bytes,
) -> impl Iterator<Item = Result<T, EngineError>> + 'r {
    let (mut next, mut found) = (Some(from), Vec::new().into_iter());
    std::iter::from_fn(move || {
        if found.len() == 0 {
            let from = next.take()?;
            let read = read((from.as_ref().map(Vec::as_slice), to.as_ref().map(Vec::as_slice)));
            let read = match read {
                Ok(read) => read,
                Err(error) => return Some(Err(error)),
            };
            if read.len() >= batch {
                next = read.last().map(|last| Bound::Excluded(key(last).to_vec()));
            }
            found = read.into_iter();
        }
        found.next().map(Ok)
    })
}
