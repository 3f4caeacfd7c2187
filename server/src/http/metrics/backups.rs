//! Metrics of rotating backups: the newest one, and the failures.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use contract::Timestamp;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use crate::backups::WatchBackups;
use crate::recent::Recent;

/// The backups so far.
pub(crate) struct WrittenBackups {
    recent: Arc<Recent>,
    newest: Gauge<f64, AtomicU64>,
    size: Gauge,
    failed: Counter,
}

impl WrittenBackups {
    /// None yet.
    pub(super) fn new(recent: Arc<Recent>) -> Self {
        Self {
            recent,
            newest: Gauge::default(),
            size: Gauge::default(),
            failed: Counter::default(),
        }
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register_with_unit(
            "backup_newest_timestamp",
            "When the newest backup was begun, as seconds since 1970; 0 without one",
            Unit::Seconds,
            self.newest.clone(),
        );
        registry.register_with_unit(
            "backup_newest_size",
            "The size of the newest backup; 0 without one",
            Unit::Bytes,
            self.size.clone(),
        );
        registry.register(
            "backups_failed",
            "Backups that could not be written or read back, and copies of their files that failed",
            self.failed.clone(),
        );
    }
}

impl WatchBackups for WrittenBackups {
    fn there_is(&self, at: Timestamp, bytes: u64) {
        self.recent.has_backup(at);
        self.newest.set(at.unix() as f64);
        self.size.set(i64::try_from(bytes).unwrap_or(i64::MAX));
    }

    fn failed(&self) {
        self.failed.inc();
    }
}
