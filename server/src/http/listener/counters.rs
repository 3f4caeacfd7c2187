//! Counts of connections, for metrics.

use std::sync::atomic::AtomicU64;

/// What became of connections so far.
#[derive(Debug, Default)]
pub struct Counters {
    /// Accepted connections, including rejected ones.
    pub accepted: AtomicU64,
    /// Open connections.
    pub open: AtomicU64,
    /// Connections closed at once because their address had too many.
    pub rejected: AtomicU64,
    /// Idle or slow connections evicted for others.
    pub evicted: AtomicU64,
    /// Connections closed because their client did not receive its answer.
    pub cut_off: AtomicU64,
    /// Connections of proxies closed because they did not begin with a valid header.
    pub unidentified: AtomicU64,
}
