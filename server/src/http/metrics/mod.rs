//! `/metrics`, for monitoring: the numbers of the process in the formats of Prometheus ([`format`]), outside of the
//! contract and its envelope. It needs no credential; a proxy in front should not publish it.
//!
//! Labels have only values that the program knows beforehand, so that their number is bounded and they contain no
//! secrets.

mod backups;
mod commits;
mod current;
mod deliveries;
mod format;
mod gauge;
mod process;
mod requests;

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::header::VARY;
use http::{HeaderMap, HeaderValue, StatusCode};
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::registry::Registry;
use warp::filters::BoxedFilter;

use self::backups::WrittenBackups;
use self::commits::Commits;
pub(super) use self::current::Sources;
use self::deliveries::SentRequests;
use self::format::Format;
use self::requests::Requests;
use super::page;
use crate::recent::Recent;
use crate::store::Counts;

/// The counts since the start.
pub(crate) struct Metrics {
    registry: Registry,
    /// Observes the requests.
    pub(crate) requests: Arc<Requests>,
    /// Observes the commits.
    pub(crate) commits: Arc<Commits>,
    /// Observes the requests to webhooks.
    pub(crate) deliveries: Arc<SentRequests>,
    /// Observes the rotating backups.
    pub(crate) backups: Arc<WrittenBackups>,
}

impl Metrics {
    /// Counts from zero, and for the last hour.
    pub(crate) fn new(recent: &Arc<Recent>) -> Self {
        let mut registry = Registry::default();
        let requests = Arc::new(Requests::new(recent.clone()));
        let commits = Arc::new(Commits::default());
        let deliveries = Arc::new(SentRequests::default());
        let backups = Arc::new(WrittenBackups::new(recent.clone()));
        process::register(&mut registry);
        requests.register(registry.sub_registry_with_prefix("hitode"));
        commits.register(registry.sub_registry_with_prefix("hitode"));
        deliveries.register(registry.sub_registry_with_prefix("hitode"));
        backups.register(registry.sub_registry_with_prefix("hitode"));
        Self {
            registry,
            requests,
            commits,
            deliveries,
            backups,
        }
    }

    fn text(&self, sources: &Sources, counts: Option<&Counts>, format: Format) -> Result<String, fmt::Error> {
        let mut present = Registry::default();
        process::register_use(&mut present);
        current::register(present.sub_registry_with_prefix("hitode"), sources, counts);
        let mut text = String::new();
        encode_registry(&mut text, &self.registry)?;
        encode_registry(&mut text, &present)?;
        encode_eof(&mut text)?;
        Ok(format.render(text))
    }
}

/// Answers `GET` and `HEAD /metrics`.
pub(super) fn filter(metrics: Metrics, sources: Sources) -> BoxedFilter<(contract::Response,)> {
    let parts = Arc::new((metrics, sources));
    let scrape = move |headers: HeaderMap| {
        let parts = Arc::clone(&parts);
        let format = Format::accepted(&headers);
        async move {
            let counts = parts.1.app.read(|trees, _| Counts::read(trees)).await.ok();
            // Reading the sizes blocks on the file system.
            let text = tokio::task::spawn_blocking(move || parts.0.text(&parts.1, counts.as_ref(), format)).await;
            response(text.unwrap_or(Err(fmt::Error)), format)
        }
    };
    page::page("/metrics", scrape)
}

fn response(text: Result<String, fmt::Error>, format: Format) -> contract::Response {
    let status = match &text {
        Ok(_) => StatusCode::OK,
        Err(fmt::Error) => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let mut response = contract::Response::new(Bytes::from(text.unwrap_or_default()).into());
    *response.status_mut() = status;
    page::set_content_type(&mut response, format.media_type());
    response.headers_mut().insert(VARY, HeaderValue::from_static("Accept"));
    response
}
