//! The lighthouse in a warp app, called in this process.

use bytes::Bytes;
use conformance::lighthouse::handlers::{Lighthouse, PASSES};
use conformance::lighthouse::{Gate, GateSettings, fallback, keeper_pass, service_filter};
use contract::Response;
use http::request::Builder;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Frame};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use tokio::runtime::Runtime;
use warp::filters::BoxedFilter;
use warp::{Filter, Rejection};

/// Where ships are entered and listed.
pub(crate) const SIGHTINGS: &str = "/log/v2/sightings";

/// A warp app, and a runtime to call it on.
pub(crate) struct App {
    runtime: Runtime,
    filter: BoxedFilter<(Response,)>,
}

/// A body that never comes.
struct Endless;

impl Body for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Pending
    }
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Bytes,
    headers: http::HeaderMap,
}

impl App {
    pub(crate) fn new(filter: impl Filter<Extract = (Response,), Error = Rejection> + Send + Sync + 'static) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        App {
            runtime,
            filter: filter.boxed(),
        }
    }

    /// The whole contract and nothing else.
    pub(crate) fn lighthouse() -> Self {
        App::of(&GateSettings::default())
    }

    /// The same behind a gate that is set up like this.
    pub(crate) fn of(settings: &GateSettings) -> Self {
        let gate = Arc::new(Gate::new(settings));
        let filter = service_filter(Arc::new(Lighthouse::default()), gate.clone());
        App::new(filter.or(fallback(gate)).unify())
    }

    /// Sends a request whose body never comes, and goes away.
    pub(crate) fn abandon(&self, request: Builder) {
        let _runtime = self.runtime.enter();
        let service = TowerToHyperService::new(warp::service(self.filter.clone()));
        let mut call = pin!(service.call(request.body(Endless).expect("tests write whole requests")));
        assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }

    #[track_caller]
    pub(crate) fn send(&self, request: Builder, body: &str) -> Answer {
        let request = request
            .body(Full::new(Bytes::copy_from_slice(body.as_bytes())))
            .expect("tests write whole requests");
        let service = TowerToHyperService::new(warp::service(self.filter.clone()));
        self.runtime.block_on(async {
            let Ok(response) = service.call(request).await;
            let (head, body) = response.into_parts();
            let body = body.collect().await.expect("bodies are whole").to_bytes();
            Answer {
                status: head.status.as_u16(),
                headers: head.headers,
                body,
            }
        })
    }

    /// As the first keeper.
    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(keeper("GET", path), "")
    }

    /// As the first keeper.
    #[track_caller]
    pub(crate) fn enter(&self, sighting: &Value) -> Answer {
        let request = keeper("POST", SIGHTINGS).header("content-type", "application/json");
        self.send(request, &sighting.to_string())
    }
}

impl Answer {
    #[track_caller]
    pub(crate) fn is(&self, status: u16, body: &str) {
        assert_eq!((self.status, &*String::from_utf8_lossy(&self.body)), (status, body));
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|fault| panic!("{fault}: {:?}", self.body))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }

    /// The refusal, `STATUS ROW: REASON`; the body is its contract's envelope and nothing more.
    #[track_caller]
    pub(crate) fn refusal(&self) -> String {
        let json = self.json();
        let (code, reason) = (&json["code"], &json["reason"]);
        let trace = self.header("x-trace");
        let envelope = json!({ "ok": false, "code": code, "status": self.status, "reason": reason, "trace": trace });
        assert_eq!(json, envelope);
        assert_eq!(trace.len(), 16);
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        format!("{} {}: {}", self.status, text(code), text(reason))
    }
}

/// What serves it: its handlers, and its gate with the limits on.
pub(crate) fn parts() -> (Arc<Lighthouse>, Arc<Gate>) {
    let gate = Gate::new(&GateSettings::default());
    (Arc::new(Lighthouse::default()), Arc::new(gate))
}

/// A request without a credential.
pub(crate) fn request(method: &str, path: &str) -> Builder {
    http::Request::builder().method(method).uri(path)
}

/// A request of the first keeper.
pub(crate) fn keeper(method: &str, path: &str) -> Builder {
    request(method, path).header(keeper_pass::HEADER, PASSES[0])
}

/// A sighting in its least form.
pub(crate) fn ship(name: &str) -> Value {
    json!({ "ship": name, "bearing": "west" })
}
