//! The service as a function from request to response: the contract's own filter, without a socket.

use super::seen::{self, Seen};
use bytes::Bytes;
use conformance::{HeldBody, Request, Response};
use contract::{Clock, Gate, GateSettings, Peer};
use hitode::app::Hitode;
use hitode::store::sled::SledStore;
use http_body_util::{BodyExt, Full};
use hyper::body::Body;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, LazyLock};
use tokio::runtime::Runtime;
use warp::Filter;
use warp::filters::BoxedFilter;

/// The application under test.
pub(crate) type App = Hitode<SledStore>;

/// Where everything of the service runs; tests are not asynchronous.
pub(crate) static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("the machine has threads"));

/// The filter of all surfaces, and what is nobody's.
#[derive(Clone)]
pub(crate) struct Service {
    filter: BoxedFilter<(contract::Response,)>,
    gate: Arc<Gate>,
}

impl Service {
    /// Without limits.
    pub(crate) fn unlimited(app: Arc<App>) -> Self {
        Self::with(
            app,
            GateSettings {
                rate_limits: false,
                ..GateSettings::default()
            },
        )
    }

    /// With limits that have counted nothing, in the time of this clock.
    pub(crate) fn limited(app: Arc<App>, clock: Clock) -> Self {
        Self::with(
            app,
            GateSettings {
                clock,
                ..GateSettings::default()
            },
        )
    }

    fn with(app: Arc<App>, settings: GateSettings) -> Self {
        let gate = Arc::new(Gate::new(&GateSettings {
            observer: Some(Arc::new(Seen)),
            ..settings
        }));
        Self {
            filter: contract::service_filter(app, gate.clone())
                .or(contract::fallback(gate.clone()))
                .unify()
                .boxed(),
            gate,
        }
    }

    /// Where its limits are counted.
    pub(crate) fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Sends a request and waits for the answer.
    pub(crate) fn call(&self, request: &Request) -> Response {
        RUNTIME.block_on(self.send(request))
    }

    /// Sends a request but for the last byte of its body, and that after `meanwhile`.
    pub(crate) fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        let (body, hold) = HeldBody::new(request.body.clone().unwrap_or_default());
        let (service, request) = (self.clone(), request.clone());
        let answer = RUNTIME.spawn(async move { service.send_body(&request, body).await });
        hold.during(meanwhile);
        RUNTIME.block_on(answer).expect("a call does not panic")
    }

    /// Sends a request.
    pub(crate) async fn send(&self, request: &Request) -> Response {
        let body = Full::new(Bytes::from(request.body.clone().unwrap_or_default()));
        self.send_body(request, body).await
    }

    async fn send_body<B>(&self, request: &Request, body: B) -> Response
    where
        B: Body<Data = Bytes, Error = Infallible> + Send + Sync + 'static,
    {
        let peer = request.peer.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let mut builder = http::Request::builder()
            .method(request.method.as_str())
            .uri(&request.target)
            .extension(Peer(peer));
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        if let Some(body) = &request.body {
            builder = builder.header("content-length", body.len());
        }
        let request = builder.body(body).expect("tests write requests that can be sent");
        let service = TowerToHyperService::new(warp::service(self.filter.clone()));
        let (Ok(response), seen) = seen::during(service.call(request)).await;
        let (head, body) = response.into_parts();
        seen.as_answered(head.status.as_u16());
        let body = body.collect().await.expect("bodies are whole").to_bytes();
        Response::new(&head, body.to_vec())
    }
}
