//! A service as a function from request to response: its filter in this process, without a socket.

mod mocked;
mod observed;

use codegen_support::{Bytes, Clock, Observer, Peer, Response as Answer};
use conformance::{HeldBody, Request, Response, Server};
use http::request::Builder;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Frame};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::runtime::{Builder as RuntimeBuilder, Runtime};
use tokio::time::Instant;
use warp::Filter;
use warp::filters::BoxedFilter;

/// The runtime of all services; tests are not asynchronous.
pub static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("the machine has threads"));

/// A warp app that answers everything.
#[derive(Clone)]
pub struct InProcess {
    filter: BoxedFilter<(Answer,)>,
    /// The paths of tools, if the service is observed.
    observed: Option<Vec<&'static str>>,
}

/// An observer for the limits of a service that is [`InProcess::observed`].
pub fn observer() -> Arc<dyn Observer> {
    Arc::new(observed::Recorder)
}

impl InProcess {
    /// Calls this filter.
    pub fn from_filter<F>(filter: F) -> Self
    where
        F: Filter<Extract = (Answer,), Error = warp::Rejection> + Clone + Send + Sync + 'static,
    {
        Self {
            filter: filter.boxed(),
            observed: None,
        }
    }

    /// The same, and its [`observer`] must be called once for each awaited call, with the status of the answer; except at these
    /// paths: a call of a tool is observed with the status of its operation.
    pub fn observed(self, tools: &[&'static str]) -> Self {
        Self {
            observed: Some(tools.to_vec()),
            ..self
        }
    }

    /// Sends a request and waits for the answer.
    pub fn call(&self, request: &Request) -> Response {
        RUNTIME.block_on(self.send(request))
    }

    /// Sends a request without the last byte of its body, and the byte after `meanwhile`.
    pub fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        let (body, hold) = HeldBody::new(request.body.clone().unwrap_or_default());
        let (service, request) = (self.clone(), with_length(request));
        let answer = RUNTIME.spawn(async move { service.answer(request, body).await });
        hold.during(meanwhile);
        RUNTIME.block_on(answer).expect("a call does not panic")
    }

    /// Sends a request with another body and waits for the answer; returns how long the service waited. The clock is paused:
    /// that time passes at once.
    pub fn call_in_no_time<B>(&self, request: &Request, body: B) -> (Response, Duration)
    where
        B: Body<Data = Bytes, Error = Infallible> + Send + Sync + 'static,
    {
        let runtime = RuntimeBuilder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build();
        runtime.expect("the machine has room for a runtime").block_on(async {
            let begun = Instant::now();
            (self.answer(head(request), body).await, begun.elapsed())
        })
    }

    /// Sends a request and reads nothing of the answer's body.
    pub fn leave_unread(&self, request: &Request) -> Answer {
        let body = Full::from(request.body.clone().unwrap_or_default());
        RUNTIME.block_on(self.respond(with_length(request), body))
    }

    /// Sends a request whose body never arrives, and waits until this is dropped.
    pub fn begin(&self, request: &Request) -> Pending {
        let _runtime = RUNTIME.enter();
        let (service, request) = (self.clone(), head(request));
        let mut call: Pending = Box::pin(async move { drop(service.respond(request, Endless).await) });
        assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        call
    }

    /// Sends a request.
    pub async fn send(&self, request: &Request) -> Response {
        let body = Full::from(request.body.clone().unwrap_or_default());
        self.answer(with_length(request), body).await
    }

    async fn answer<B>(&self, head: Builder, body: B) -> Response
    where
        B: Body<Data = Bytes, Error = Infallible> + Send + Sync + 'static,
    {
        let path = head.uri_ref().map(|uri| uri.path().to_owned()).unwrap_or_default();
        let response = self.respond(head, body);
        let response = match &self.observed {
            Some(tools) => {
                let is_tool = tools.contains(&path.as_str());
                observed::checked(response, |response| (!is_tool).then(|| response.status().as_u16())).await
            }
            None => response.await,
        };
        let (head, body) = response.into_parts();
        let body = body.collect().await.expect("bodies are whole").to_bytes();
        Response::new(&head, body.to_vec())
    }

    async fn respond<B>(&self, head: Builder, body: B) -> Answer
    where
        B: Body<Data = Bytes, Error = Infallible> + Send + Sync + 'static,
    {
        let request = head.body(body).expect("tests write requests that can be sent");
        let service = TowerToHyperService::new(warp::service(self.filter.clone()));
        let Ok(response) = service.call(request).await;
        response
    }
}

/// A request in progress.
pub type Pending = Pin<Box<dyn Future<Output = ()>>>;

/// A body that never ends.
pub struct Endless;

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

/// The head with the length of the body, as in HTTP.
fn with_length(request: &Request) -> Builder {
    match &request.body {
        Some(body) => head(request).header("content-length", body.len()),
        None => head(request),
    }
}

/// A service with a clock that stands still, and what it needs to live.
pub struct Clocked<K = ()> {
    service: InProcess,
    clock: Clock,
    _kept: K,
}

impl<K> Clocked<K> {
    /// The service that `behind` makes with a clock.
    pub fn new(behind: impl FnOnce(&Clock) -> (InProcess, K)) -> Self {
        let clock = Clock::manual(1_750_000_027);
        let (service, kept) = behind(&clock);
        Self {
            service,
            clock,
            _kept: kept,
        }
    }
}

impl<K: Sync> Server for Clocked<K> {
    fn call(&self, request: &Request) -> Response {
        self.service.call(request)
    }

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        self.service.call_held(request, meanwhile)
    }

    fn now(&self) -> u64 {
        self.clock.date_millis()
    }

    fn advance(&self, by: Duration) {
        self.clock.advance(by);
    }
}
