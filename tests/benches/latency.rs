//! Latencies of answers.

use std::time::Duration;

/// All latencies are kept: a few million take a few dozen megabytes.
#[derive(Default)]
pub(crate) struct Latencies {
    ascending: Vec<Duration>,
}

impl Latencies {
    pub(crate) fn from_durations(mut latencies: Vec<Duration>) -> Self {
        latencies.sort_unstable();
        Self { ascending: latencies }
    }

    pub(crate) fn count(&self) -> usize {
        self.ascending.len()
    }

    /// Adds those of another round.
    pub(crate) fn add(&mut self, other: Self) {
        self.ascending.extend(other.ascending);
        // The sort merges two runs that are already in order.
        self.ascending.sort();
    }

    /// The latency that this share of the answers does not exceed, in microseconds; 0 without answers.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let place = (self.ascending.len() as f64 * share).ceil() as usize;
        let latency = self.ascending.get(place.max(1) - 1);
        latency.map_or(0.0, |latency| latency.as_secs_f64() * 1e6)
    }

    /// p50, p90, p99 and the maximum, in milliseconds.
    pub(crate) fn cells(&self) -> [String; 4] {
        [0.5, 0.9, 0.99, 1.0].map(|share| match self.ascending.is_empty() {
            true => String::new(),
            false => format!("{:.2}", self.quantile(share) / 1e3),
        })
    }
}
