//! Metrics of commits: their writes, and the durations on disk.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::store::{CommitReport, WatchCommits};

/// Powers of two, up to the maximum writes of a commit.
const WRITES: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];
/// Seconds: from a disk with a protected cache to a failing one.
const SECONDS: [f64; 14] = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0,
];

/// The commits so far.
pub(crate) struct Commits {
    writes: Histogram,
    flush: Histogram,
    sync: Histogram,
    failed: Counter,
}

impl Default for Commits {
    fn default() -> Self {
        Self {
            writes: Histogram::new(WRITES),
            flush: Histogram::new(SECONDS),
            sync: Histogram::new(SECONDS),
            failed: Counter::default(),
        }
    }
}

impl Commits {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register("commit_writes", "Writes per commit", self.writes.clone());
        registry.register_with_unit(
            "commit_flush",
            "Time per commit to decide the writes and pass them to the operating system",
            Unit::Seconds,
            self.flush.clone(),
        );
        registry.register_with_unit(
            "commit_sync",
            "Time per commit to sync the files",
            Unit::Seconds,
            self.sync.clone(),
        );
        registry.register(
            "commits_failed",
            "Failed commits; after the first one, nothing is written until a restart",
            self.failed.clone(),
        );
    }
}

impl WatchCommits for Commits {
    fn committed(&self, commit: CommitReport) {
        self.writes.observe(commit.writes as f64);
        self.flush.observe(commit.flush.as_secs_f64());
        self.sync.observe(commit.sync.as_secs_f64());
    }

    fn failed(&self) {
        self.failed.inc();
    }
}
