//! `/healthz`, for monitoring. It is outside of the contract and has no envelope.

use std::sync::Arc;

use bytes::Bytes;
use http::StatusCode;
use warp::Filter;
use warp::filters::BoxedFilter;

use super::page;
use crate::app::Hitode;
use crate::store::Engine;

/// Answers `GET` and `HEAD /healthz`: OK, or Service Unavailable if writes fail.
pub(super) fn filter<S: Engine>(app: Arc<Hitode<S>>) -> BoxedFilter<(contract::Response,)> {
    page::page("/healthz")
        .map(move || health(app.store().is_writable()))
        .boxed()
}

fn health(writable: bool) -> contract::Response {
    let (status, body) = match writable {
        true => (StatusCode::OK, r#"{"status":"ok"}"#),
        false => (StatusCode::SERVICE_UNAVAILABLE, r#"{"status":"cannot write"}"#),
    };
    let mut response = contract::Response::new(Bytes::from_static(body.as_bytes()).into());
    *response.status_mut() = status;
    page::set_content_type(&mut response, "application/json");
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_cannot_write_is_not_well() {
        assert_eq!(health(true).status(), StatusCode::OK);
        assert_eq!(health(false).status(), StatusCode::SERVICE_UNAVAILABLE);
    }
}
