//! The thread that writes, what it runs, and what it does for a log of commits.

mod changes;
pub(crate) mod committer;
pub(crate) mod copy;
mod follow;
mod replay;
mod watch;

pub use self::watch::{CommitReport, WatchCommits};
