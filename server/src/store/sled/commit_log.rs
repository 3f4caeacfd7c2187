//! A log of commits outside of this process: another database holds the records, and the trees are a copy of them. A
//! commit is appended to the log before it changes the copy. So the copy may be lost, and is made anew at start. Other
//! processes append to the log, too: a copy takes their commits in before it decides, and when it is woken.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use sled::IVec;
use tokio::sync::watch;

use super::backup::lines::line_of;
use super::record::Chunks;
use super::transaction::{Entries, LAST_ID, last_id_name};
use super::trees::Tree;
use crate::store::{Role, StoreError};

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

/// Commits that were made elsewhere, one after the other.
#[derive(Debug, Default)]
pub(in crate::store) struct News {
    /// The changes of each.
    pub(in crate::store) commits: Vec<Vec<LogChange>>,
    /// Whether somebody waits until every copy has taken them in.
    pub(in crate::store) is_awaited: bool,
    /// Whether there may be more, which the next call returns.
    pub(in crate::store) has_more: bool,
}

/// Wakes the committer thread.
pub(in crate::store) type Wake = Box<dyn Fn() + Send + Sync>;

/// Why a commit was not appended.
#[derive(Debug)]
pub(in crate::store) enum LogError {
    /// This time. Nothing has changed, and the next commit may succeed.
    Unavailable(String),
    /// This time, because of another process. Nothing has changed, and the commit can be decided again at once.
    Conflict(String),
    /// This time, and it is not known whether it was appended. The next [`CommitLog::begin`] tells.
    Unknown(String),
    /// From now on: the copy no longer follows from the log, and has to be made anew.
    Diverged(String),
}

impl fmt::Display for LogError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Unavailable(cause) | Self::Conflict(cause) | Self::Unknown(cause) | Self::Diverged(cause)) = self;
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
            Self::Unavailable(cause) | Self::Conflict(cause) | Self::Diverged(cause) => StoreError::unavailable(cause),
            Self::Unknown(cause) => StoreError::outcome_unknown(cause),
        }
    }
}

/// Appends commits, and reads those of others. Used by the committer thread only; each call may block for some seconds.
///
/// The news that a call returns must be taken in, and then [`Self::took_in`] called, before anything else.
pub(in crate::store) trait CommitLog: Send {
    /// Calls `wake` from now on when there may be news, or when others have taken in what was appended.
    fn wake_with(&mut self, wake: Wake);
    /// Begins a commit: until it ends, nobody else appends one.
    ///
    /// # Errors
    /// If the log cannot be reached, or others hold it for long ([`LogError::Conflict`]).
    fn begin(&mut self) -> Result<News, LogError>;
    /// Appends the commit that was begun, and ends it. Returns its number. `is_awaited`: others take it in at once, and
    /// report that.
    ///
    /// # Errors
    /// If it is not certain that the commit is stored. The copy must then stay as it is.
    fn append(&mut self, changes: &[LogChange], is_awaited: bool) -> Result<i64, LogError>;
    /// Ends the commit that was begun without appending anything. Then it is certain that all earlier ones stay: what a
    /// copy shows may have been interrupted before.
    ///
    /// # Errors
    /// If the log cannot be reached.
    fn release(&mut self) -> Result<(), LogError>;
    /// Reads news, without a commit.
    ///
    /// # Errors
    /// If the log cannot be reached.
    fn news(&mut self) -> Result<News, LogError>;
    /// The same, and says that this process is alive. Once all news are taken in, it may go on to read from its copy.
    ///
    /// # Errors
    /// If the log cannot be reached.
    fn renew(&mut self) -> Result<News, LogError>;
    /// The last news are in the copy.
    ///
    /// # Errors
    /// If the log cannot be reached.
    fn took_in(&mut self, news: &News) -> Result<(), LogError>;
    /// Whether every other copy that may have a lease has taken in the commit with this number.
    ///
    /// # Errors
    /// If the log cannot be reached.
    fn is_taken_in(&mut self, number: i64) -> Result<bool, LogError>;
    /// Whether every other process takes in that a skill is removed, and what was counted towards quotas. Those of earlier
    /// versions end when they meet it.
    fn has_second_layout(&self) -> bool;
}

/// For how long a copy may be read after this process last heard from the log.
pub(in crate::store) const LEASE: Duration = Duration::from_secs(2);

/// What a copy shares with those who read it: until when it may be read, since somebody else may change the records
/// later, and its role.
#[derive(Clone)]
pub(in crate::store) struct Lease(Arc<LeaseState>);

struct LeaseState {
    /// By [`now`]; 0 before the first extension.
    end: AtomicU64,
    role: watch::Sender<Role>,
}

impl Lease {
    /// A lease that has not begun.
    pub(in crate::store) fn new() -> Self {
        let end = AtomicU64::new(0);
        let role = watch::Sender::new(Role::Follower);
        Self(Arc::new(LeaseState { end, role }))
    }

    /// At this time, by [`now`], the copy held all that the log held.
    pub(in crate::store) fn extend_from(&self, heard: Duration) {
        self.0.end.store(nanos(heard + LEASE), Ordering::Release);
    }

    /// Ends it.
    pub(in crate::store) fn end(&self) {
        self.0.end.store(0, Ordering::Release);
    }

    /// Whether it lasts.
    pub(in crate::store) fn is_held(&self) -> bool {
        nanos(now()) < self.0.end.load(Ordering::Acquire)
    }

    /// How far the copy may be behind the log. `None` if the lease is over.
    pub(super) fn staleness(&self) -> Option<Duration> {
        let end = Duration::from_nanos(self.0.end.load(Ordering::Acquire));
        let left = end.checked_sub(now())?;
        Some(LEASE.saturating_sub(left))
    }

    /// Sets the role.
    pub(in crate::store) fn set_role(&self, role: Role) {
        self.0
            .role
            .send_if_modified(|former| std::mem::replace(former, role) != role);
    }

    /// The role, now and later.
    pub(super) fn role(&self) -> watch::Receiver<Role> {
        self.0.role.subscribe()
    }
}

/// The time since the machine was started. Unlike [`std::time::Instant`], this clock goes on while the machine sleeps.
pub(in crate::store) fn now() -> Duration {
    let now = clock_gettime(ClockId::Boottime);
    let (seconds, nanos) = (now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs());
    Duration::from_secs(seconds) + Duration::from_nanos(nanos)
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
