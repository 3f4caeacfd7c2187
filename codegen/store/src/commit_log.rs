//! A log of commits outside of this process: another database holds the records, and the trees are a copy of them. A
//! commit is appended to the log before it changes the copy. So the copy may be lost, and is made anew at start. Other
//! processes append to the log, too: a copy takes their commits in before it decides, and when it is woken.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tokio::sync::watch;

use crate::tree::Tree;

/// A change of a commit, in a form that depends on no engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogChange {
    /// A record, or something else that a backup holds, too.
    Entry {
        /// Its tree.
        kind: Tree,
        /// Its key.
        key: Vec<u8>,
        /// What a backup holds for it, as JSON. `None`: it was removed.
        document: Option<String>,
    },
    /// The last assigned id of the kind of this name.
    LastId(String, i64),
}

/// Commits that were made elsewhere, one after the other.
#[derive(Debug, Default)]
pub struct News {
    /// The changes of each.
    pub commits: Vec<Vec<LogChange>>,
    /// Whether somebody waits until every copy has taken them in.
    pub is_awaited: bool,
    /// Whether there may be more, which the next call returns.
    pub has_more: bool,
}

/// Wakes the committer thread.
pub type Wake = Box<dyn Fn() + Send + Sync>;

/// Why a commit was not appended.
#[derive(Debug)]
pub enum LogError {
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
    pub fn as_last_id(&self) -> Option<(&str, i64)> {
        match self {
            Self::LastId(kind, number) => Some((kind, *number)),
            Self::Entry { .. } => None,
        }
    }
}

/// Appends commits, and reads those of others. Used by the committer thread only; each call may block for some seconds.
///
/// The news that a call returns must be taken in, and then [`Self::took_in`] called, before anything else.
pub trait CommitLog: Send {
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
    /// Whether every other process knows all changes that this program can make. Those of earlier versions end when they meet
    /// another one.
    fn has_latest_layout(&self) -> bool;
}

/// What a process does beside answering requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// All work in the background. Of several processes over one log, one is the leader.
    Leader,
    /// Nothing.
    Follower,
    /// It must end: only a new start helps.
    Unusable,
}

/// For how long a copy may be read after this process last heard from the log.
pub const LEASE: Duration = Duration::from_secs(2);

/// What a copy shares with those who read it: until when it may be read, since somebody else may change the records
/// later, and its role.
#[derive(Clone)]
pub struct Lease(Arc<LeaseState>);

struct LeaseState {
    /// By [`now`]; 0 before the first extension.
    end: AtomicU64,
    role: watch::Sender<Role>,
}

impl Default for Lease {
    /// A lease that has not begun.
    fn default() -> Self {
        let end = AtomicU64::new(0);
        let role = watch::Sender::new(Role::Follower);
        Self(Arc::new(LeaseState { end, role }))
    }
}

impl Lease {
    /// At this time, by [`now`], the copy held all that the log held.
    pub fn extend_from(&self, heard: Duration) {
        self.0.end.store(nanos(heard + LEASE), Ordering::Release);
    }

    /// Ends it.
    pub fn end(&self) {
        self.0.end.store(0, Ordering::Release);
    }

    /// Whether it lasts.
    pub fn is_held(&self) -> bool {
        nanos(now()) < self.0.end.load(Ordering::Acquire)
    }

    /// How far the copy may be behind the log. `None` if the lease is over.
    pub fn staleness(&self) -> Option<Duration> {
        let end = Duration::from_nanos(self.0.end.load(Ordering::Acquire));
        let left = end.checked_sub(now())?;
        Some(LEASE.saturating_sub(left))
    }

    /// Sets the role.
    pub fn set_role(&self, role: Role) {
        self.0
            .role
            .send_if_modified(|former| std::mem::replace(former, role) != role);
    }

    /// The role, now and later.
    pub fn role(&self) -> watch::Receiver<Role> {
        self.0.role.subscribe()
    }
}

/// The time since the machine was started. Unlike [`std::time::Instant`], this clock goes on while the machine sleeps.
pub fn now() -> Duration {
    let now = clock_gettime(ClockId::Boottime);
    let (seconds, nanos) = (now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs());
    Duration::from_secs(seconds) + Duration::from_nanos(nanos)
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
