//! Receives what webhooks get: one address, at which each webhook has a path of its own.

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// The member with which an address is asked to repeat a text.
const CHALLENGE: &str = "challenge";

/// At a path that ends so, no challenge is repeated.
const SILENT: &str = "silent";

/// Listens for the requests that a server sends to webhooks, and repeats challenges.
pub struct Receiver {
    address: SocketAddr,
    received: Arc<(Mutex<Vec<Received>>, Condvar)>,
    _runtime: Runtime,
}

/// A request to a webhook.
#[derive(Clone)]
pub(crate) struct Received {
    path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Received {
    pub(crate) fn json(&self) -> Value {
        crate::json::parse(&self.body).unwrap_or_default()
    }

    /// Whether it is this event of a feed.
    pub(crate) fn is_event(&self, event: &Value) -> bool {
        self.json()["eventId"] == event["eventId"]
    }

    /// Whether it asks for a challenge.
    pub(crate) fn is_challenge(&self) -> bool {
        self.json()[CHALLENGE].is_string()
    }
}

impl Receiver {
    /// Listens at this address of the machine.
    ///
    /// # Errors
    /// It is taken, is none of this machine, or none that can be called.
    pub fn listen(address: SocketAddr) -> Result<Self, String> {
        if address.ip().is_unspecified() {
            return Err(format!(
                "{address} is not one address: name the one at which the server reaches this machine"
            ));
        }
        let runtime = Runtime::new().map_err(|error| error.to_string())?;
        let listener = runtime.block_on(TcpListener::bind(address));
        let listener = listener.map_err(|error| format!("cannot listen at {address}: {error}"))?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let received = Arc::default();
        runtime.spawn(accept(listener, Arc::clone(&received)));
        Ok(Self {
            address,
            received,
            _runtime: runtime,
        })
    }

    /// The URL of the webhook of this name. One that is silent repeats no challenge.
    pub(crate) fn url(&self, name: &str, is_silent: bool) -> String {
        let end = if is_silent { SILENT } else { "hook" };
        format!("http://{}/{name}/{end}", self.address)
    }

    /// What a URL has received.
    pub(crate) fn received(&self, url: &str) -> Vec<Received> {
        let all = self.received.0.lock().unwrap_or_else(PoisonError::into_inner);
        let path = url.splitn(4, '/').nth(3).unwrap_or_default();
        all.iter()
            .filter(|one| one.path.strip_prefix('/') == Some(path))
            .cloned()
            .collect()
    }

    /// Waits until what a URL has received is enough; returns whether it is.
    pub(crate) fn wait(&self, url: &str, longest: Duration, is_enough: &dyn Fn(&[Received]) -> bool) -> bool {
        let (all, more) = &*self.received;
        let until = Instant::now() + longest;
        loop {
            if is_enough(&self.received(url)) {
                return true;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let all = all.lock().unwrap_or_else(PoisonError::into_inner);
            drop(more.wait_timeout(all, left.min(Duration::from_millis(50))));
        }
    }
}

async fn accept(listener: TcpListener, received: Arc<(Mutex<Vec<Received>>, Condvar)>) {
    loop {
        // What has failed is one connection, or there are too many.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let received = Arc::clone(&received);
        let service = service_fn(move |request| answer(request, Arc::clone(&received)));
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

async fn answer(
    request: Request<Incoming>,
    received: Arc<(Mutex<Vec<Received>>, Condvar)>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let body = body
        .collect()
        .await
        .map(http_body_util::Collected::to_bytes)
        .unwrap_or_default();
    let one = Received {
        path: head.uri.path().to_owned(),
        headers: head.headers,
        body,
    };
    let is_silent = one.path.ends_with(SILENT);
    let answer = match &one.json()[CHALLENGE] {
        Value::String(challenge) if !is_silent => json!({ CHALLENGE: challenge }),
        _ => json!({}),
    };
    received.0.lock().unwrap_or_else(PoisonError::into_inner).push(one);
    received.1.notify_all();
    let mut response = Response::new(Full::from(answer.to_string()));
    response
        .headers_mut()
        .insert("content-type", http::HeaderValue::from_static("application/json"));
    Ok(response)
}
