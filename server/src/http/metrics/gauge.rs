//! Gauges of counts.

use prometheus_client::metrics::gauge::Gauge;

/// Sets a gauge to a count.
pub(super) fn set(gauge: &Gauge, count: usize) {
    gauge.set(i64::try_from(count).unwrap_or(i64::MAX));
}
