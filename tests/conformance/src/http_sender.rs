//! Requests over HTTP to one origin, on connections that are kept alive.

use crate::exchange::{Request, Response};
use crate::held::HeldBody;
use crate::server_address::ServerAddress;
use bytes::Bytes;
use codegen::Model;
use codegen::model::{Kind, TypeRule};
use http::header::CACHE_CONTROL;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Body;
use hyper_rustls::{ConfigBuilderExt, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::{ClientConfig, RootCertStore};
use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Runtime;

/// Far longer than any answer takes, also of a slow server, unless the request waits for an event.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long an answer may take: longer than the longest wait for an event that the contract allows.
fn deadline(model: &Model) -> Duration {
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

type Http<B> = Client<HttpsConnector<HttpConnector>, B>;

/// Trusts the certificates that this machine trusts (or those of `SSL_CERT_FILE`).
static TLS: LazyLock<ClientConfig> = LazyLock::new(|| {
    let trusted = ClientConfig::builder().with_native_roots();
    let trusted = trusted.unwrap_or_else(|_| ClientConfig::builder().with_root_certificates(RootCertStore::empty()));
    trusted.with_no_client_auth()
});

/// A client whose requests come from this address.
fn client<B: Body<Data: Send> + Send>(source: Option<IpAddr>) -> Http<B> {
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
enum NoAnswer {
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
fn exchange<B>(
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
    /// Whether requests can come from more than one address.
    is_loopback: bool,
    /// The clients, by their own addresses.
    clients: Mutex<HashMap<Option<IpAddr>, Http<Sent>>>,
    runtime: Runtime,
    deadline: Duration,
}

type Sent = UnsyncBoxBody<Bytes, Infallible>;

impl HttpSender {
    /// To the server of this contract at this origin, such as `http://127.0.0.1:8080`.
    ///
    /// # Errors
    /// The address is invalid, no host has it, or the machine has no threads.
    pub fn new(origin: &str, model: &Model) -> Result<Self, String> {
        let address = ServerAddress::parse(origin).map_err(|error| error.to_string())?;
        let found = address.addresses()?;
        let loopback = found.iter().find(|one| one.is_ipv4() && one.ip().is_loopback());
        // A certificate is of a name.
        let loopback = loopback.filter(|_| !address.is_secure && UdpSocket::bind((source(1), 0)).is_ok());
        Ok(Self {
            origin: loopback.map_or(address.to_string(), |address| format!("http://{address}")),
            is_loopback: loopback.is_some(),
            clients: Mutex::default(),
            runtime: Runtime::new().map_err(|error| error.to_string())?,
            deadline: deadline(model),
        })
    }

    /// Whether each peer of a request is another address to the server: on a loopback address, under Linux.
    pub fn has_addresses(&self) -> bool {
        self.is_loopback
    }

    /// Sends a request and waits for the answer.
    ///
    /// # Errors
    /// The server does not answer. The text says why.
    pub fn send(&self, request: &Request) -> Result<Response, String> {
        let body = Full::new(Bytes::from(request.body.clone().unwrap_or_default()));
        self.send_with(request, body.boxed_unsync(), |_| {})
    }

    /// Sends a request without the last byte of its body. `meanwhile` runs once the server asks for the body (100 Continue,
    /// RFC 9110 §10.1.1), or after some seconds without that; then the last byte follows.
    ///
    /// # Errors
    /// As of [`send`](Self::send).
    pub fn send_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Result<Response, String> {
        let (mut body, hold) = HeldBody::new(request.body.clone().unwrap_or_default());
        let signal = body.take_signal();
        let mut request = request.clone();
        request.headers.push(("Expect".to_owned(), "100-continue".to_owned()));
        std::thread::scope(|scope| {
            let prepare = |sent: &mut http::Request<Sent>| {
                hyper::ext::on_informational(sent, move |_| {
                    let _ = signal.as_ref().map(|signal| signal.send(()));
                });
            };
            let sent = scope.spawn(|| self.send_with(&request, body.boxed_unsync(), prepare));
            hold.during(meanwhile);
            sent.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    fn send_with(
        &self,
        request: &Request,
        body: Sent,
        prepare: impl FnOnce(&mut http::Request<Sent>),
    ) -> Result<Response, String> {
        let own = request
            .peer
            .filter(|_| self.is_loopback)
            .map(|peer| source(number_of(peer)));
        let client = {
            let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
            clients.entry(own).or_insert_with(|| client(own)).clone()
        };
        let answered = exchange(
            (&self.runtime, self.deadline),
            &client,
            &self.origin,
            request,
            body,
            prepare,
        );
        answered.map_err(|error| error.to_string())
    }
}

/// A number for a peer. Those of another process are others, mostly: what one has sent may still count.
fn number_of(peer: IpAddr) -> u32 {
    let low = match peer {
        IpAddr::V4(peer) => u32::from(peer),
        IpAddr::V6(peer) => peer.to_bits() as u32,
    };
    low.wrapping_add(std::process::id().wrapping_mul(1 << 10))
}

/// One of the addresses of a machine to itself, outside of those that anything else uses. Consecutive numbers have different ones.
fn source(number: u32) -> IpAddr {
    const LAST: u32 = 254;
    let [.., high, middle] = (number / LAST).to_be_bytes();
    let [.., low] = (number % LAST + 1).to_be_bytes();
    IpAddr::V4(Ipv4Addr::new(127, high | 128, middle, low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_an_address_of_this_machine_that_a_request_can_come_from() {
        for number in [0, 1, 255, 256, 0x0080_0000, 0x00ff_ffff, u32::MAX] {
            let IpAddr::V4(address) = source(number) else {
                panic!("{number}")
            };
            assert!(
                address.is_loopback() && address != Ipv4Addr::LOCALHOST,
                "{number}: {address}"
            );
            assert!((1..=254).contains(&address.octets()[3]), "{number}: {address}");
        }
    }

    #[test]
    fn numbers_that_follow_one_another_are_different_addresses() {
        let many: std::collections::HashSet<IpAddr> = (0..10_000).map(source).collect();
        assert_eq!(many.len(), 10_000);
        assert_ne!(source(u32::MAX), source(0));
    }

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
