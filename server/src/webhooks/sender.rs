//! Sends one POST request to a receiver: resolves its name, connects only to an address that was checked, and reads the
//! head of the response, with bounds on time and bytes. Follows no redirect and uses no proxy. Must not know what is
//! sent, nor when.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use contract::AccountId;
use http::header::{CONNECTION, HOST, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::resolver::Resolve;
use super::target::{Host, Reach, Target};

/// For an attempt as a whole.
const DEADLINE: Duration = Duration::from_secs(15);
/// For the addresses of a name.
pub(super) const RESOLVE_DEADLINE: Duration = Duration::from_secs(10);
/// For a connection to one of several addresses.
const CONNECT_DEADLINE: Duration = Duration::from_secs(5);
/// How many addresses of a name are tried.
const MAX_ADDRESSES: usize = 4;
/// The most bytes of the head of a response, which is more than hyper needs for any reasonable one.
const MAX_HEAD: usize = 16 * 1024;
/// The most bytes of a body, where it is read.
const MAX_BODY: usize = 4 * 1024;

/// Why there is no response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoResponse {
    /// The name has no address.
    Unresolved,
    /// All addresses are private or reserved.
    RefusedAddress,
    /// No connection, or it ended before the response.
    Connection,
    /// The certificate is not trusted, or it is not TLS.
    Tls,
    /// The receiver took too long.
    Timeout,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Received {
    pub(super) status: StatusCode,
    /// How long to wait before the next request, if the receiver says so.
    pub(super) retry_after: Option<Duration>,
    /// Empty unless it was to be read. `None` if it is too long, or ended early.
    pub(super) body: Option<Bytes>,
}

/// Whether the body of a successful response is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadBody {
    Yes,
    No,
}

/// Posts requests to receivers.
pub(crate) trait Post: Send + Sync + 'static {
    /// Whom these receivers may be.
    fn reach(&self) -> Reach;
    /// Posts `body`, which is JSON, with these headers beside those that every request has, for this account.
    fn post(
        &self,
        account: AccountId,
        target: &Target,
        headers: HeaderMap,
        body: Bytes,
        read: ReadBody,
    ) -> impl Future<Output = Result<Received, NoResponse>> + Send;
}

/// Sends requests to receivers in `reach`.
pub(crate) struct Sender<R> {
    resolver: R,
    reach: Reach,
    /// Loaded with the first request that needs it.
    tls: OnceLock<Arc<ClientConfig>>,
}

impl<R: Resolve> Sender<R> {
    pub(crate) fn new(resolver: R, reach: Reach) -> Self {
        let tls = OnceLock::new();
        Self { resolver, reach, tls }
    }

    /// Connects to an address that `reach` permits: exactly to the one that was checked.
    async fn connect(&self, account: AccountId, target: &Target) -> Result<TcpStream, NoResponse> {
        let addresses = match &target.host {
            Host::Address(address) => vec![*address],
            Host::Name(name) => {
                let resolved = timeout(RESOLVE_DEADLINE, self.resolver.resolve(name, account)).await;
                resolved.map(Result::unwrap_or_default).unwrap_or_default()
            }
        };
        if addresses.is_empty() {
            return Err(NoResponse::Unresolved);
        }
        let mut failure = NoResponse::RefusedAddress;
        let permitted = addresses.into_iter().filter(|address| self.reach.permits(*address));
        for address in permitted.take(MAX_ADDRESSES) {
            match connect_to(address, target.port).await {
                Ok(stream) => return Ok(stream),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    async fn secure(
        &self,
        stream: TcpStream,
        host: &Host,
    ) -> Result<impl AsyncRead + AsyncWrite + Unpin + Send + 'static, NoResponse> {
        let name = match host {
            Host::Address(address) => ServerName::from(*address),
            Host::Name(name) => {
                ServerName::try_from(name.trim_end_matches('.').to_owned()).map_err(|_| NoResponse::Tls)?
            }
        };
        let config = Arc::clone(self.tls.get_or_init(|| client_config(trusted_roots())));
        TlsConnector::from(config)
            .connect(name, stream)
            .await
            .map_err(|_| NoResponse::Tls)
    }
}

impl<R: Resolve> Post for Sender<R> {
    fn reach(&self) -> Reach {
        self.reach
    }

    async fn post(
        &self,
        account: AccountId,
        target: &Target,
        headers: HeaderMap,
        body: Bytes,
        read: ReadBody,
    ) -> Result<Received, NoResponse> {
        let exchange = async {
            let request = request(target, headers, body).ok_or(NoResponse::Connection)?;
            let stream = self.connect(account, target).await?;
            match target.is_https {
                true => exchange(self.secure(stream, &target.host).await?, request, read).await,
                false => exchange(stream, request, read).await,
            }
        };
        timeout(DEADLINE, exchange).await.unwrap_or(Err(NoResponse::Timeout))
    }
}

async fn connect_to(address: IpAddr, port: u16) -> Result<TcpStream, NoResponse> {
    let connected = timeout(CONNECT_DEADLINE, TcpStream::connect((address, port))).await;
    let connected: io::Result<_> = connected.map_err(|_| NoResponse::Timeout)?;
    connected.map_err(|_| NoResponse::Connection)
}

/// The certificates that this machine trusts, or those of Mozilla if it has none.
fn trusted_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    let _ = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
}

fn client_config(roots: RootCertStore) -> Arc<ClientConfig> {
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let config = config
        .with_safe_default_protocol_versions()
        .expect("the provider supports them");
    Arc::new(config.with_root_certificates(roots).with_no_client_auth())
}

/// The request. `None` if the host is no value of a header, which a target excludes.
fn request(target: &Target, headers: HeaderMap, body: Bytes) -> Option<Request<Full<Bytes>>> {
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = target.path.clone().into();
    *request.headers_mut() = headers;
    let headers = request.headers_mut();
    headers.insert(HOST, target.authority.parse().ok()?);
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    Some(request)
}

async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<Full<Bytes>>,
    read: ReadBody,
) -> Result<Received, NoResponse> {
    let mut connection = http1::Builder::new();
    let (mut sender, connection) = connection
        .max_buf_size(MAX_HEAD)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|_| NoResponse::Connection)?;
    let answered = async {
        let response = sender.send_request(request).await.map_err(|_| NoResponse::Connection)?;
        Ok(received(response, read).await)
    };
    tokio::pin!(answered);
    // Both are one task, so that the connection ends with the attempt.
    tokio::select! {
        biased;
        received = &mut answered => received,
        _ = connection => answered.await,
    }
}

async fn received(response: http::Response<Incoming>, read: ReadBody) -> Received {
    let (head, body) = response.into_parts();
    let body = match read {
        ReadBody::Yes if head.status.is_success() => {
            let whole = Limited::new(body, MAX_BODY).collect().await;
            whole.ok().map(|whole| whole.to_bytes())
        }
        ReadBody::Yes | ReadBody::No => Some(Bytes::new()),
    };
    Received {
        status: head.status,
        retry_after: retry_after(&head.headers, SystemTime::now()),
        body,
    }
}

/// `Retry-After` in seconds, or as a date.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    match value.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => {
            let date = httpdate::parse_http_date(value).ok()?;
            Some(date.duration_since(now).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests;
