//! `/healthz` and `/readyz`, for monitoring and for load balancers. They are outside of the contract and have no envelope.

use std::future;
use std::sync::Arc;

use bytes::Bytes;
use http::StatusCode;
use warp::Filter;
use warp::filters::BoxedFilter;

use super::page;
use crate::app::Hitode;

/// Answers `GET` and `HEAD` of `/healthz`: OK, or Service Unavailable if writes fail; and of `/readyz`: Service
/// Unavailable if requests cannot be answered.
pub(super) fn filter(app: Arc<Hitode>) -> BoxedFilter<(contract::Response,)> {
    let ready = app.clone();
    let health = page::page("/healthz", move |_| {
        future::ready(state(app.store().is_writable(), "ok", "cannot write"))
    });
    let ready = page::page("/readyz", move |_| {
        future::ready(state(ready.store().can_answer(), "ready", "not available"))
    });
    health.or(ready).unify().boxed()
}

fn state(is_well: bool, well: &str, unwell: &str) -> contract::Response {
    let (status, text) = match is_well {
        true => (StatusCode::OK, well),
        false => (StatusCode::SERVICE_UNAVAILABLE, unwell),
    };
    let body = format!(r#"{{"status":"{text}"}}"#);
    let mut response = contract::Response::new(Bytes::from(body).into());
    *response.status_mut() = status;
    page::set_content_type(&mut response, "application/json");
    response
}
