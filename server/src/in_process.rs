//! A client in the process. It calls the service's own filter, so that the demo and simulated workers pass the
//! contract's decoders and guards like any request.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use bytes::Bytes;
use contract::{Clock, LimitSettings, Limits, Peer};
use http::header::CONTENT_TYPE;
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use serde::Serialize;
use serde_json::Value;
use warp::Filter;
use warp::filters::BoxedFilter;

use crate::app::Hitode;
use crate::http::routes;

/// Calls operations of the service `app`.
pub(crate) struct InProcessClient {
    filter: BoxedFilter<(contract::Response,)>,
}

/// A caller: the header of the credential, and the credential.
#[derive(Debug, Clone)]
pub(crate) struct Credential {
    pub(crate) header: &'static str,
    pub(crate) secret: String,
}

/// An endpoint of the contract: its method, and its path with placeholders for the parameters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Endpoint {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
}

/// A call that did not succeed.
#[derive(Debug)]
pub(crate) struct FailedCall {
    /// The operation.
    pub(crate) call: String,
    /// The status of the response, if there was one.
    pub(crate) status: Option<StatusCode>,
    /// The body of the response, or why there is none.
    pub(crate) answer: String,
}

/// Names of an operation's method and path.
macro_rules! endpoint {
    ($($module:ident)::+) => {
        $crate::in_process::Endpoint { method: $($module)::+::METHOD, path: $($module)::+::PATH }
    };
}

pub(crate) use endpoint;

impl InProcessClient {
    /// A client of `app` without rate limits.
    pub(crate) fn new(app: Arc<Hitode>, clock: Clock) -> InProcessClient {
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
    pub(crate) async fn call(
        &self,
        caller: &Credential,
        endpoint: Endpoint,
        ids: &[i64],
        body: &impl Serialize,
    ) -> Result<Value, FailedCall> {
        let failed = |error: serde_json::Error| FailedCall {
            call: format!("{} {}", endpoint.method, endpoint.path),
            status: None,
            answer: error.to_string(),
        };
        let json = serde_json::to_vec(body).map_err(failed)?;
        self.send(caller, endpoint, ids, ("application/json", json.into()))
            .await
    }

    /// The same with a body of any media type.
    pub(crate) async fn send(
        &self,
        caller: &Credential,
        endpoint: Endpoint,
        ids: &[i64],
        (media_type, body): (&str, Bytes),
    ) -> Result<Value, FailedCall> {
        let path = path(endpoint.path, ids);
        let refused = |status: Option<StatusCode>, answer: String| FailedCall {
            call: format!("{} {path}", endpoint.method),
            status,
            answer,
        };
        let failed = |answer: String| refused(None, answer);
        let request = Request::builder()
            .method(endpoint.method)
            .uri(&path)
            .header(caller.header, &caller.secret)
            .header(CONTENT_TYPE, media_type)
            .extension(Peer(IpAddr::V4(Ipv4Addr::LOCALHOST)))
            .body(Full::new(body))
            .map_err(|error| failed(error.to_string()))?;
        let service = TowerToHyperService::new(warp::service(self.filter.clone()));
        let Ok(response) = service.call(request).await;
        let status = response.status();
        let bytes = response
            .into_body()
            .collect()
            .await
            .map_err(|error| failed(error.to_string()))?
            .to_bytes();
        match serde_json::from_slice::<Value>(&bytes) {
            Ok(mut answer) if status.is_success() => Ok(answer["data"].take()),
            _ => Err(refused(Some(status), String::from_utf8_lossy(&bytes).into_owned())),
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
