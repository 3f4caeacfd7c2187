//! Requests over HTTP to one origin, on connections that are kept alive.

use crate::world::{Request, Response};
use bytes::Bytes;
use codegen::Model;
use codegen::model::{Kind, TypeRule};
use http::header::CACHE_CONTROL;
use http_body_util::{BodyExt, Full};
use hyper::body::Body;
use hyper_rustls::{ConfigBuilderExt, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::{ClientConfig, RootCertStore};
use std::error::Error;
use std::fmt;
use std::net::IpAddr;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::runtime::Runtime;

/// Far longer than any answer takes, also of a slow server, unless the request waits for an event.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long an answer may take: longer than the longest wait for an event that the contract allows.
pub(crate) fn deadline(model: &Model) -> Duration {
    let waits = model.operations().filter_map(|(_, operation)| {
        let wait = operation.feed.as_ref()?.wait.as_ref()?;
        let parameter = operation.query.iter().find(|field| field.name == *wait)?;
        match &parameter.of.kind {
            Kind::Named(name) => longest(&model.named_type(name).rule),
            _ => None,
        }
    });
    PATIENCE + Duration::from_secs(waits.max().unwrap_or(0))
}

fn longest(rule: &TypeRule) -> Option<u64> {
    match rule {
        TypeRule::Integer { max, .. } => u64::try_from((*max)?).ok(),
        _ => None,
    }
}

pub(crate) type Http<B> = Client<HttpsConnector<HttpConnector>, B>;

/// Trusts the certificates that this machine trusts (or those of `SSL_CERT_FILE`).
static TLS: LazyLock<ClientConfig> = LazyLock::new(|| {
    let trusted = ClientConfig::builder().with_native_roots();
    let trusted = trusted.unwrap_or_else(|_| ClientConfig::builder().with_root_certificates(RootCertStore::empty()));
    trusted.with_no_client_auth()
});

/// A client whose requests come from this address.
pub(crate) fn client<B: Body<Data: Send> + Send>(source: Option<IpAddr>) -> Http<B> {
    let mut connector = HttpConnector::new();
    connector.set_local_address(source);
    connector.set_nodelay(true);
    connector.enforce_http(false);
    let connector = HttpsConnectorBuilder::new()
        .with_tls_config(TLS.clone())
        .https_or_http()
        .enable_http1()
        .wrap_connector(connector);
    Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(Duration::from_secs(2))
        .build(connector)
}

/// Why there is no answer.
pub(crate) enum NoAnswer {
    /// The connection failed, or the request cannot be sent.
    Failed(String),
    /// It took longer than this.
    Late(Duration),
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAnswer::Failed(error) => out.write_str(error),
            NoAnswer::Late(deadline) => write!(out, "no answer within {} s", deadline.as_secs()),
        }
    }
}

/// Sends a request with this body, and waits so long for the answer; `prepare` sees what is sent.
pub(crate) fn exchange<B>(
    (runtime, deadline): (&Runtime, Duration),
    client: &Http<B>,
    origin: &str,
    request: &Request,
    body: B,
    prepare: impl FnOnce(&mut http::Request<B>),
) -> Result<Response, NoAnswer>
where
    B: Body<Data: Send, Error: Into<Box<dyn Error + Send + Sync>>> + Send + Unpin + 'static,
{
    let mut builder = http::Request::builder()
        .method(request.method.as_str())
        .uri(format!("{origin}{}", request.target))
        // One of several servers must not answer from before what another one has just acknowledged.
        .header(CACHE_CONTROL, "no-cache");
    for (name, value) in &request.headers {
        builder = builder.header(name, value);
    }
    let mut sent = builder
        .body(body)
        .map_err(|error| NoAnswer::Failed(error.to_string()))?;
    prepare(&mut sent);
    let answered = async {
        let response = client.request(sent).await.map_err(|error| reasons(&error))?;
        let (head, body) = response.into_parts();
        let body = body.collect().await.map_err(|error| reasons(&error))?;
        Ok(Response::new(&head, body.to_bytes().to_vec()))
    };
    let answered = runtime.block_on(async { tokio::time::timeout(deadline, answered).await });
    answered
        .map_err(|_| NoAnswer::Late(deadline))?
        .map_err(NoAnswer::Failed)
}

/// An error and its causes.
fn reasons(error: &dyn Error) -> String {
    let causes = std::iter::successors(Some(error), |error: &&dyn Error| (*error).source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Sends requests to a server.
pub struct HttpSender {
    origin: String,
    client: Http<Full<Bytes>>,
    runtime: Runtime,
    deadline: Duration,
}

impl HttpSender {
    /// To the server of this contract at this origin, such as `http://127.0.0.1:8080`.
    ///
    /// # Errors
    /// The machine has no threads.
    pub fn new(origin: &str, model: &Model) -> std::io::Result<Self> {
        Ok(Self {
            origin: origin.trim_end_matches('/').to_owned(),
            client: client(None),
            runtime: Runtime::new()?,
            deadline: deadline(model),
        })
    }

    /// Sends a request and waits for the answer.
    ///
    /// # Errors
    /// The server does not answer. The text says why.
    pub fn send(&self, request: &Request) -> Result<Response, String> {
        let body = Full::new(Bytes::from(request.body.clone().unwrap_or_default()));
        let answered = exchange(
            (&self.runtime, self.deadline),
            &self.client,
            &self.origin,
            request,
            body,
            |_| {},
        );
        answered.map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_may_take_longer_than_the_longest_wait() {
        let contract = include_str!("../../../api.yaml");
        let model = |max: &str| {
            let contract = contract.replace("wait_seconds: { integer: { min: 0, max: 30 }", max);
            codegen::compile(&contract).expect("the contract is valid")
        };
        for seconds in [30, 90] {
            let longest = format!("wait_seconds: {{ integer: {{ min: 0, max: {seconds} }}");
            assert_eq!(deadline(&model(&longest)), Duration::from_secs(seconds) + PATIENCE);
        }
    }
}
