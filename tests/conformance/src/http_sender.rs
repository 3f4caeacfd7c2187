//! Requests over HTTP to one origin, on connections that are kept alive.

use crate::world::{Request, Response};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::time::Duration;
use tokio::runtime::Runtime;

/// Far longer than any answer takes.
const DEADLINE: Duration = Duration::from_secs(30);

/// Sends requests to a server.
pub struct HttpSender {
    origin: String,
    client: Client<HttpConnector, Full<Bytes>>,
    runtime: Runtime,
}

impl HttpSender {
    /// To the server at this origin, such as `http://127.0.0.1:8080`.
    ///
    /// # Errors
    /// The machine has no threads.
    pub fn new(origin: &str) -> std::io::Result<Self> {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(Duration::from_secs(2))
            .build(connector);
        Ok(Self {
            origin: origin.trim_end_matches('/').to_owned(),
            client,
            runtime: Runtime::new()?,
        })
    }

    /// Sends a request and waits for the answer.
    ///
    /// # Errors
    /// The server does not answer. The text says why.
    pub fn send(&self, request: &Request) -> Result<Response, String> {
        let mut builder = http::Request::builder()
            .method(request.method.as_str())
            .uri(format!("{}{}", self.origin, request.target));
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        let body = Full::new(Bytes::from(request.body.clone().unwrap_or_default()));
        let sent = builder.body(body).map_err(|error| error.to_string())?;
        let answered = async {
            let response = self.client.request(sent).await.map_err(|error| format!("{error:?}"))?;
            let (head, body) = response.into_parts();
            let body = body.collect().await.map_err(|error| format!("{error:?}"))?;
            Ok(Response::new(&head, body.to_bytes().to_vec()))
        };
        let timed = async { tokio::time::timeout(DEADLINE, answered).await };
        self.runtime
            .block_on(timed)
            .unwrap_or_else(|_| Err(format!("no answer within {} s", DEADLINE.as_secs())))
    }
}
