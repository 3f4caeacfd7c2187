//! Metrics of webhooks: the requests to them by result, and those at work.

use contract::DeliveryResult;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::gauge::set;
use crate::webhooks::WatchDeliveries;

/// The requests so far.
#[derive(Default)]
pub(crate) struct SentRequests {
    requests: Family<ResultLabel, Counter>,
    at_work: Gauge,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ResultLabel {
    result: &'static str,
}

impl SentRequests {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "webhook_requests",
            "Requests to webhooks that ended, by result",
            self.requests.clone(),
        );
        registry.register(
            "webhooks_at_work",
            "Webhooks with something that is under way, or waits for its next attempt",
            self.at_work.clone(),
        );
    }
}

impl WatchDeliveries for SentRequests {
    fn attempted(&self, result: DeliveryResult) {
        let result = result.as_str();
        self.requests.get_or_create(&ResultLabel { result }).inc();
    }

    fn at_work(&self, webhooks: usize) {
        set(&self.at_work, webhooks);
    }
}
