//! Metrics of requests: their number by operation and outcome, and their durations.

use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use contract::support::{Ended, Observer};
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::recent::Recent;

/// Seconds. A read takes less than a millisecond, a write as long as a sync of the disk, a search something in
/// between. A request that takes longer than a body may take indicates a problem.
const SECONDS: [f64; 14] = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0,
];

/// The value of a label without a value.
const NONE: &str = "none";

/// The requests that ended, and the number of those in progress.
#[derive(Debug)]
pub(crate) struct Requests {
    total: Family<OutcomeLabels, Counter>,
    duration: Family<OperationLabels, Histogram, fn() -> Histogram>,
    in_flight: Gauge,
    recent: Arc<Recent>,
}

#[derive(Clone, Debug, PartialEq, Eq, EncodeLabelSet)]
struct OperationLabels {
    surface: &'static str,
    operation: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, EncodeLabelSet)]
struct OutcomeLabels {
    surface: &'static str,
    operation: &'static str,
    status: StatusLabel,
}

/// The lengths of the names distinguish most operations, and are much faster to hash than the names.
impl Hash for OperationLabels {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.surface.len() << 8 | self.operation.len());
    }
}

impl Hash for OutcomeLabels {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let status = match self.status {
            StatusLabel::Answered(status) => status.into(),
            StatusLabel::Abandoned => 0,
        };
        state.write_usize(status << 16 | self.surface.len() << 8 | self.operation.len());
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum StatusLabel {
    Answered(u16),
    Abandoned,
}

impl EncodeLabelValue for StatusLabel {
    fn encode(&self, encoder: &mut LabelValueEncoder) -> fmt::Result {
        match self {
            StatusLabel::Answered(status) => status.encode(encoder),
            StatusLabel::Abandoned => encoder.write_str("abandoned"),
        }
    }
}

impl Requests {
    /// Counts from zero, and for the last hour.
    pub(super) fn new(recent: Arc<Recent>) -> Self {
        Self {
            recent,
            total: Family::default(),
            duration: Family::new_with_constructor(|| Histogram::new(SECONDS)),
            in_flight: Gauge::default(),
        }
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "requests",
            "Finished requests by surface, operation and status; `none`: unknown path or method; `abandoned`: the client \
             disconnected",
            self.total.clone(),
        );
        registry.register_with_unit(
            "request_duration",
            "Time from the end of the request head to the response",
            Unit::Seconds,
            self.duration.clone(),
        );
        registry.register("requests_in_flight", "Requests under way", self.in_flight.clone());
    }
}

impl Observer for Requests {
    fn begun(&self) {
        self.in_flight.inc();
    }

    fn ended(&self, ended: &Ended) {
        let (surface, operation) = (ended.surface.unwrap_or(NONE), ended.operation.unwrap_or(NONE));
        let status = ended.status.map_or(StatusLabel::Abandoned, StatusLabel::Answered);
        self.in_flight.dec();
        self.recent.ended(ended);
        self.duration
            .get_or_create(&OperationLabels { surface, operation })
            .observe(ended.duration.as_secs_f64());
        self.total
            .get_or_create(&OutcomeLabels {
                surface,
                operation,
                status,
            })
            .inc();
    }
}
