//! What is told of commits to whoever measures them. Knows neither what was written nor who measures.

use std::time::Duration;

/// A commit that is on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commit {
    /// How many writes shared it, those among them that were rejected included.
    pub writes: usize,
    /// What deciding, writing and handing over to the operating system took.
    pub flush: Duration,
    /// What the sync took.
    pub sync: Duration,
}

/// Is told of commits by the thread that makes them, before it answers: it must neither block nor take long.
pub trait WatchCommits: Send + Sync {
    /// A commit is on the disk.
    fn committed(&self, commit: Commit);
    /// A commit failed, after which there are no more.
    fn failed(&self);
}
