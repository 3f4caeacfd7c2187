//! The observer of commits, for metrics. It receives the size and the duration of a commit, not its content.

use std::time::Duration;

/// A commit that is on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitReport {
    /// How many writes shared it, including the rejected ones.
    pub writes: usize,
    /// The time for deciding, writing and flushing to the operating system.
    pub flush: Duration,
    /// The time for the sync.
    pub sync: Duration,
}

/// Observes commits. Called by the committer thread before it answers, so it must not block or take long.
pub trait WatchCommits: Send + Sync {
    /// A commit is on disk.
    fn committed(&self, commit: CommitReport);
    /// A commit failed. There are no commits after it.
    fn failed(&self);
}
