//! Counts of connections, for metrics.

use std::sync::atomic::AtomicU64;

/// What became of connections so far.
#[derive(Debug, Default)]
pub struct Counters {
    /// Those that were accepted, the rejected ones among them.
    pub accepted: AtomicU64,
    /// Those that are open.
    pub open: AtomicU64,
    /// Those that were closed at once, because their address had too many.
    pub rejected: AtomicU64,
    /// Idle or slow ones that were evicted for others.
    pub evicted: AtomicU64,
    /// Those that were closed because their client did not take its answer.
    pub cut_off: AtomicU64,
}
