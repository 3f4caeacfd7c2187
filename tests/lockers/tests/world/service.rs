//! The service as a function from request to response: its filter in this process, without a socket.

use conformance::{HeldBody, Request, Response};
use http::request::Builder;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Frame};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use lockers::support::{self, Bytes, Peer};
use lockers::{LimitSettings, Limits, Lockers, routes};
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, Waker};
use tokio::runtime::Runtime;
use warp::Filter;
use warp::filters::BoxedFilter;

/// Where everything runs; tests are not asynchronous.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("the machine has threads"));

/// A warp app that answers everything.
#[derive(Clone)]
pub(crate) struct Service(BoxedFilter<(support::Response,)>);

impl Service {
    /// The lockers, behind a gate of these settings.
    pub(crate) fn new(app: Arc<Lockers>, settings: &LimitSettings) -> Self {
        let limits = Arc::new(Limits::new(settings));
        Self::of(routes(app, limits))
    }

    /// Any app.
    pub(crate) fn of<F>(filter: F) -> Self
    where
        F: Filter<Extract = (support::Response,), Error = warp::Rejection> + Clone + Send + Sync + 'static,
    {
        Self(filter.boxed())
    }

    /// Sends a request and waits for the answer.
    pub(crate) fn call(&self, request: &Request) -> Response {
        RUNTIME.block_on(self.send(request))
    }

    /// Sends a request but for the last byte of its body, and that after `meanwhile`.
    pub(crate) fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        let (body, hold) = HeldBody::new(request.body.clone().unwrap_or_default());
        let (service, request) = (self.clone(), request.clone());
        let answer = RUNTIME.spawn(async move { service.answer(head(&request), body).await });
        hold.during(meanwhile);
        RUNTIME.block_on(answer).expect("a call does not panic")
    }

    /// Sends a request whose body never comes, and goes away.
    pub(crate) fn abandon(&self, request: &Request) {
        drop(self.begin(request));
    }

    /// Sends a request whose body never comes, and waits until this is dropped.
    pub(crate) fn begin(&self, request: &Request) -> Pending {
        let _runtime = RUNTIME.enter();
        let request = head(request)
            .body(Endless)
            .expect("tests write requests that can be sent");
        let service = TowerToHyperService::new(warp::service(self.0.clone()));
        let mut call: Pending = Box::pin(async move { service.call(request).await.map(drop) });
        assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        call
    }

    /// Sends a request with another body and waits for the answer; whoever waits for a time to pass need not wait.
    pub(crate) fn call_in_no_time<B>(&self, request: &Request, body: B) -> Response
    where
        B: Body<Data = Bytes, Error = Infallible> + Send + Sync + 'static,
    {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().start_paused(true).build();
        let runtime = runtime.expect("the machine has room for a runtime");
        runtime.block_on(self.answer(head(request), body))
    }

    /// Sends a request and takes nothing of the answer's body.
    pub(crate) fn leave_unread(&self, request: &Request) -> support::Response {
        let body = Full::new(Bytes::from(request.body.clone().unwrap_or_default()));
        let request = head(request).body(body).expect("tests write requests that can be sent");
        let service = TowerToHyperService::new(warp::service(self.0.clone()));
        let Ok(response) = RUNTIME.block_on(service.call(request));
        response
    }

    async fn send(&self, request: &Request) -> Response {
        let body = request.body.clone().unwrap_or_default();
        let builder = match &request.body {
            Some(body) => head(request).header("content-length", body.len()),
            None => head(request),
        };
        self.answer(builder, Full::new(Bytes::from(body))).await
    }

    async fn answer<B>(&self, head: Builder, body: B) -> Response
    where
        B: Body<Data = Bytes, Error = Infallible> + Send + Sync + 'static,
    {
        let request = head.body(body).expect("tests write requests that can be sent");
        let service = TowerToHyperService::new(warp::service(self.0.clone()));
        let Ok(response) = service.call(request).await;
        let (head, body) = response.into_parts();
        let body = body.collect().await.expect("bodies are whole").to_bytes();
        Response::new(&head, body.to_vec())
    }
}

/// A request under way.
pub(crate) type Pending = Pin<Box<dyn Future<Output = Result<(), Infallible>>>>;

/// A body that never comes.
pub(crate) struct Endless;

impl Body for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Pending
    }
}

fn head(request: &Request) -> Builder {
    let peer = request.peer.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let builder = http::Request::builder()
        .method(request.method.as_str())
        .uri(&request.target)
        .extension(Peer(peer));
    let headers = request.headers.iter();
    headers.fold(builder, |builder, (name, value)| builder.header(name, value))
}
