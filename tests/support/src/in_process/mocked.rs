//! The mock of a contract as a service in this process.

use super::InProcess;
use codegen_support::{Bytes, Clock, Peer, Response};
use futures_util::StreamExt;
use http::{HeaderMap, Method, Request};
use mock::{Begun, BodyError, Mock};
use std::pin::pin;
use std::sync::Arc;
use warp::path::FullPath;
use warp::{Buf, Filter, Stream};

impl InProcess {
    /// Calls this mock, in the time of this clock.
    pub fn mocked(mock: Mock, clock: Clock) -> Self {
        let tools = {
            let clock = clock.clone();
            mock.tools_in_time(Arc::new(move || clock.date_millis()))
        };
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
        let tools = tools.into_iter().map(|tools| tools.filter);
        match tools.reduce(|one, other| one.or(other).unify().boxed()) {
            Some(tools) => Self::from_filter(tools.or(filter).unify()),
            None => Self::from_filter(filter),
        }
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
