//! Latencies of answers.

use std::time::Duration;

/// All latencies are kept: a few million take a few dozen megabytes.
#[derive(Default)]
pub(crate) struct Latencies {
    ascending: Vec<Duration>,
}

impl Latencies {
    pub(crate) fn of(mut latencies: Vec<Duration>) -> Self {
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

    /// p50, p90, p99 and the maximum, in milliseconds.
    pub(crate) fn cells(&self) -> [String; 4] {
        [0.5, 0.9, 0.99, 1.0].map(|share| match self.ascending.len() {
            0 => String::new(),
            count => {
                let place = (count as f64 * share).ceil() as usize;
                format!("{:.2}", self.ascending[place.max(1) - 1].as_secs_f64() * 1e3)
            }
        })
    }
}
