//! The mock of a contract as a service in this process.

use super::{InProcess, Limited};
use codegen_support::{Bytes, Clock, Peer, Response};
use conformance::{Contract, DeclaredWorld, LimitedService, Subject};
use futures_util::StreamExt;
use http::{HeaderMap, Method, Request};
use mock::{Begun, BodyError, Mock, Options};
use std::pin::pin;
use warp::path::FullPath;
use warp::{Buf, Filter, Stream};

impl InProcess {
    /// Calls this mock, in the time of this clock.
    pub fn mocked(mock: Mock, clock: Clock) -> Self {
        let query = warp::query::raw().or(warp::any().map(String::new)).unify();
        let filter = warp::method()
            .and(warp::path::full())
            .and(query)
            .and(warp::header::headers_cloned())
            .and(warp::ext::optional::<Peer>())
            .and(warp::body::stream())
            .then(move |method, path: FullPath, query: String, headers, peer, body| {
                let mark = if query.is_empty() { "" } else { "?" };
                let target = format!("{}{mark}{query}", path.as_str());
                let (mock, clock) = (mock.clone(), clock.clone());
                async move { answer(&mock, &clock, (method, &target, headers, peer), body).await }
            });
        Self::from_filter(filter)
    }
}

impl Limited {
    /// This mock, with limits that have counted nothing yet.
    pub fn mocked(mock: &Mock) -> Self {
        Self::new(|clock| InProcess::mocked(mock.limited(), clock))
    }
}

async fn answer(
    mock: &Mock,
    clock: &Clock,
    (method, target, headers, peer): (Method, &str, HeaderMap, Option<Peer>),
    body: impl Stream<Item = Result<impl Buf, warp::Error>> + Send,
) -> Response {
    let request = Request::builder().method(method).uri(target).body(());
    let (mut parts, ()) = request.expect("it was a request").into_parts();
    parts.headers = headers;
    let now = || clock.date_millis();
    let client = peer.map(|peer| peer.0);
    let response = match mock.begin(&parts, client, now()) {
        Begun::Answered(response) => response,
        Begun::NeedsBody(exchange) => {
            let max_bytes = usize::try_from(exchange.max_bytes()).unwrap_or(usize::MAX);
            let body = collect(body, max_bytes).await;
            mock.finish(*exchange, body, now())
        }
    };
    mock.waited(&parts, client, response, now).await.map(Into::into)
}

async fn collect(
    body: impl Stream<Item = Result<impl Buf, warp::Error>> + Send,
    max_bytes: usize,
) -> Result<Bytes, BodyError> {
    let (mut body, mut bytes) = (pin!(body), Vec::new());
    while let Some(piece) = body.next().await {
        let mut piece = piece.map_err(|_| BodyError::Broken)?;
        if piece.remaining() > max_bytes - bytes.len() {
            return Err(BodyError::TooLarge);
        }
        bytes.extend_from_slice(&piece.copy_to_bytes(piece.remaining()));
    }
    Ok(bytes.into())
}

/// The mock of a contract as the subject of its suite, without limits.
pub struct MockSubject {
    contract: &'static Contract,
    credentials: Vec<(String, String)>,
    mock: Mock,
    calls: InProcess,
}

impl MockSubject {
    /// The world of an empty mock. `credentials` are its root credentials.
    pub fn world(contract: &'static Contract, credentials: Vec<(String, String)>) -> DeclaredWorld {
        let subject = Box::new(Self::new(contract, credentials.clone()));
        DeclaredWorld::new(contract, subject, credentials)
    }

    /// An empty mock with these root credentials.
    pub fn new(contract: &'static Contract, credentials: Vec<(String, String)>) -> Self {
        let options = Options {
            rate_limits: false,
            credentials: credentials.clone(),
            ..Options::default()
        };
        let mock = Mock::new(contract.model, options);
        Self {
            contract,
            credentials,
            calls: InProcess::mocked(mock.clone(), Clock::system()),
            mock,
        }
    }
}

impl Subject for MockSubject {
    fn call(&self, request: &conformance::Request) -> conformance::Response {
        self.calls.call(request)
    }

    fn call_held(&self, request: &conformance::Request, meanwhile: &mut dyn FnMut()) -> conformance::Response {
        self.calls.call_held(request, meanwhile)
    }

    fn limited_service(&self) -> Box<dyn LimitedService> {
        Box::new(Limited::mocked(&self.mock))
    }

    fn apart(&self) -> Option<Box<dyn Subject>> {
        Some(Box::new(Self::new(self.contract, self.credentials.clone())))
    }
}
