//! A client in the process. It calls the service's own filter, so that the demo passes the contract's decoders and
//! guards like any request.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use contract::{Clock, LimitSettings, Limits, Peer};
use http::Request;
use http::header::CONTENT_TYPE;
use http_body_util::BodyExt;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use serde::Serialize;
use serde_json::Value;
use warp::Filter;
use warp::filters::BoxedFilter;

use super::error::DemoError;
use crate::app::Hitode;
use crate::http::routes;
use crate::store::Engine;

/// Calls operations of the service `app`.
pub(super) struct InProcessClient {
    filter: BoxedFilter<(contract::Response,)>,
}

/// A caller: the header of the credential, and the credential.
#[derive(Debug, Clone)]
pub(super) struct DemoCredential {
    pub(super) header: &'static str,
    pub(super) secret: String,
}

/// An endpoint of the contract: its method, and its path with placeholders for the parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Endpoint {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
}

impl InProcessClient {
    /// A client of `app` without rate limits.
    pub(super) fn new<S: Engine>(app: Arc<Hitode<S>>, clock: Clock) -> InProcessClient {
        let limits = Limits::new(&LimitSettings {
            rate_limits: false,
            clock,
            ..LimitSettings::default()
        });
        InProcessClient {
            filter: routes(app, Arc::new(limits)).boxed(),
        }
    }

    /// Calls an endpoint with `ids` for its path's parameters, and returns the member `data` of the answer.
    pub(super) async fn call(
        &self,
        caller: &DemoCredential,
        endpoint: Endpoint,
        ids: &[i64],
        body: &impl Serialize,
    ) -> Result<Value, DemoError> {
        let path = path(endpoint.path, ids);
        let failed = |answer: String| DemoError::Call {
            call: format!("{} {path}", endpoint.method),
            answer,
        };
        let body = serde_json::to_string(body).map_err(|error| failed(error.to_string()))?;
        let request = Request::builder()
            .method(endpoint.method)
            .uri(&path)
            .header(caller.header, &caller.secret)
            .header(CONTENT_TYPE, "application/json")
            .extension(Peer(IpAddr::V4(Ipv4Addr::LOCALHOST)))
            .body(body)
            .map_err(|error| failed(error.to_string()))?;
        let service = TowerToHyperService::new(warp::service(self.filter.clone()));
        let Ok(response) = service.call(request).await;
        let success = response.status().is_success();
        let bytes = response
            .into_body()
            .collect()
            .await
            .map_err(|error| failed(error.to_string()))?
            .to_bytes();
        match serde_json::from_slice::<Value>(&bytes) {
            Ok(mut answer) if success => Ok(answer["data"].take()),
            _ => Err(failed(String::from_utf8_lossy(&bytes).into_owned())),
        }
    }
}

/// `template` with the ids in place of its placeholders, which are written `:name`.
fn path(template: &str, ids: &[i64]) -> String {
    let mut ids = ids.iter();
    let segments = template.split('/').map(|segment| match segment.strip_prefix(':') {
        Some(_) => ids.next().map(i64::to_string).unwrap_or_default(),
        None => segment.to_owned(),
    });
    segments.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    #[test]
    fn ids_take_the_places_of_the_parameters() {
        assert_eq!(super::path("/a/:x/b/:y", &[7, 11]), "/a/7/b/11");
        assert_eq!(super::path("/a", &[]), "/a");
    }
}
