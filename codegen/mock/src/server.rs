//! The mock behind an address: HTTP/1.1, and the end at a signal.

use crate::calendar::now;
use crate::checks::has_other_coding;
use crate::events::Waits;
use crate::exchange::{Begun, BodyError, Exchange, Response};
use crate::limits::Permit;
use crate::mock::Mock;
use crate::tools::Tools;
use bytes::{Bytes, BytesMut};
use http::header::{CONNECTION, CONTENT_LENGTH, EXPECT, HOST, TRANSFER_ENCODING};
use http::request::Parts;
use http::uri::Authority;
use http::{HeaderValue, Request, StatusCode, Version};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::{IpAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

/// How long requests in flight have after the signal.
const END: Duration = Duration::from_secs(2);

/// How much of a body that nobody wants is read, so that the client reads the response.
const UNWANTED: (usize, Duration) = (32 << 20, Duration::from_secs(2));

/// Serves the mock until SIGTERM or SIGINT.
///
/// # Errors
/// The machine has no threads, or the listener cannot be used.
pub fn serve(listener: TcpListener, mock: Mock) -> std::io::Result<()> {
    let runtime = Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        let (end, ended) = watch::channel(false);
        let mock = Arc::new(Served {
            tools: mock.tools(),
            mock,
        });
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                accepted = listener.accept() => {
                    let Ok((stream, client)) = accepted else {
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    };
                    let connection = connection(stream, client.ip(), Arc::clone(&mock), ended.clone());
                    connections.spawn(connection);
                }
                Some(_) = connections.join_next() => {}
                _ = term.recv() => break,
                _ = int.recv() => break,
            }
        }
        let _ = end.send(true);
        let all = async { while connections.join_next().await.is_some() {} };
        let _ = timeout(END, all).await;
        Ok(())
    })
}

/// A mock and its tools.
struct Served {
    mock: Mock,
    tools: Vec<Tools>,
}

async fn connection(
    stream: tokio::net::TcpStream,
    client: IpAddr,
    mock: Arc<Served>,
    mut ended: watch::Receiver<bool>,
) {
    let service = service_fn(move |request| {
        let mock = Arc::clone(&mock);
        async move { Ok::<_, Infallible>(respond(&mock, request, client).await) }
    });
    let mut http = http1::Builder::new();
    let served = http
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(stream), service);
    let mut served = pin!(served);
    tokio::select! {
        _ = served.as_mut() => return,
        _ = ended.wait_for(|ended| *ended) => served.as_mut().graceful_shutdown(),
    }
    let _ = served.await;
}

async fn respond(served: &Served, request: Request<Incoming>, client: IpAddr) -> http::Response<Full<HeldBytes>> {
    let (mock, path) = (&served.mock, request.uri().path());
    if let Some(tools) = served.tools.iter().find(|tools| tools.path == path) {
        return tools.respond(request, client).await;
    }
    let (parts, mut body) = request.into_parts();
    if has_other_coding(&parts.headers, TRANSFER_ENCODING, "chunked") {
        return not_implemented();
    }
    let response = match host_error(&parts) {
        Some(error) => mock.malformed(error, parts.uri.path(), now()),
        None => match mock.begin(&parts, Some(client), now()) {
            Begun::Answered(response) => response,
            Begun::NeedsBody(exchange) => {
                let arrived = read(mock, &parts, &exchange, &mut body).await;
                mock.finish(*exchange, arrived, now())
            }
        },
    };
    let response = mock.waited(&parts, Some(client), response, now).await;
    if !body.is_end_stream() && !parts.headers.contains_key(EXPECT) {
        discard(body).await;
    }
    held(response)
}

impl Mock {
    /// The response to a request, of which `first` is the first look, once there is an event that it waits for, or its time is
    /// over. `now` is the time in milliseconds since 1970.
    pub async fn waited(
        &self,
        parts: &Parts,
        client: Option<IpAddr>,
        mut first: Response,
        now: impl Fn() -> u64,
    ) -> Response {
        let Some(Waits(seconds)) = first.extensions_mut().remove() else {
            return first;
        };
        let deadline = Instant::now() + Duration::from_secs(seconds);
        loop {
            let mut changed = pin!(self.changed.notified());
            changed.as_mut().enable();
            let Some(again) = self.look_again(parts, client, now()) else {
                return first;
            };
            let is_waiting = again.extensions().get::<Waits>().is_some();
            if !is_waiting || timeout_at(deadline, changed).await.is_err() {
                // The headers of limits are those of the first look, which was counted. Those of an error are its own.
                *first.status_mut() = again.status();
                if again.status().as_u16() >= 400 {
                    let own = again.headers().iter();
                    let own: Vec<_> = own.map(|(name, value)| (name.clone(), value.clone())).collect();
                    first.headers_mut().extend(own);
                }
                *first.body_mut() = again.into_body();
                return first;
            }
        }
    }
}

/// The bytes of a response, with the permit of its request until they are sent.
type HeldBytes = Bytes;

fn held(mut response: Response) -> http::Response<Full<HeldBytes>> {
    struct Held(Bytes, #[allow(dead_code, reason = "held until it is dropped")] Permit);
    impl AsRef<[u8]> for Held {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }
    let permit = response.extensions_mut().remove::<Permit>();
    response.map(|bytes| match permit {
        Some(permit) => Full::new(Bytes::from_owner(Held(bytes, permit))),
        None => Full::new(bytes),
    })
}

async fn read(mock: &Mock, parts: &Parts, exchange: &Exchange, body: &mut Incoming) -> Result<Bytes, BodyError> {
    let max_bytes = usize::try_from(exchange.max_bytes()).unwrap_or(usize::MAX);
    let declared = parts
        .headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok());
    let declared: Option<u64> = declared.and_then(|length| length.parse().ok());
    if declared.is_some_and(|length| length > max_bytes as u64) {
        return Err(BodyError::TooLarge);
    }
    let end = Instant::now() + Duration::from_secs(exchange.max_seconds(mock.model));
    let file = exchange.operation.file.as_ref();
    let rate = file.map_or(&mock.model.body_min_rate, |file| &file.min_rate);
    let grace = rate.as_ref().map(|rate| {
        let grace = Duration::from_secs(rate.grace_seconds.whole());
        (grace, rate.bytes_per_second.value.max(1.0))
    });
    let mut deadline = grace.map_or(end, |(grace, _)| Instant::now() + grace);
    let mut bytes = BytesMut::new();
    loop {
        let frame = timeout_at(deadline.min(end), body.frame())
            .await
            .map_err(|_| BodyError::TooSlow)?;
        let Some(frame) = frame else { return Ok(bytes.freeze()) };
        let frame = frame.map_err(|_| BodyError::Broken)?;
        let Some(piece) = frame.data_ref() else { continue };
        if piece.len() > max_bytes - bytes.len() {
            return Err(BodyError::TooLarge);
        }
        bytes.extend_from_slice(piece);
        if let Some((grace, rate)) = grace {
            let earned = Duration::from_secs_f64(piece.len() as f64 / rate);
            deadline = (deadline + earned).min(Instant::now() + grace);
        }
    }
}

async fn discard(mut body: Incoming) {
    let (most, time) = UNWANTED;
    let all = async {
        let mut read = 0;
        while let Some(Ok(frame)) = body.frame().await {
            read += frame.data_ref().map_or(0, Bytes::len);
            if read > most {
                return;
            }
        }
    };
    let _ = timeout(time, all).await;
}

/// The response to a body in a transfer coding that is not read (RFC 9112, section 6.1).
fn not_implemented() -> http::Response<Full<HeldBytes>> {
    let mut response = http::Response::new(Full::default());
    *response.status_mut() = StatusCode::NOT_IMPLEMENTED;
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(CONNECTION, close);
    response
}

/// What is wrong with the `Host` of a request (RFC 9112, section 3.2).
fn host_error(parts: &Parts) -> Option<&'static str> {
    let mut hosts = parts.headers.get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) if parts.version < Version::HTTP_11 => None,
        (None, _) => Some("the header `Host` is missing"),
        (_, Some(_)) => Some("the header `Host` must be given once"),
        (Some(host), None) => {
            let is_host = is_host(host.as_bytes());
            (!is_host).then_some("the header `Host` must be a host, with or without a port")
        }
    }
}

/// A host and a port, without a user; or nothing.
fn is_host(value: &[u8]) -> bool {
    let colon = value
        .iter()
        .rposition(|byte| *byte == b':')
        .filter(|_| !value.ends_with(b"]"));
    let (host, port) = colon.map_or((value, &b""[..]), |at| (&value[..at], &value[at + 1..]));
    let is_port = port.len() <= 5 && port.iter().all(u8::is_ascii_digit);
    let is_allowed = |byte: &u8| *byte != b'@' && *byte != b':' || host.starts_with(b"[");
    is_port && (host.is_empty() || host.iter().all(is_allowed) && Authority::try_from(host).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_has_a_name_or_an_address_and_perhaps_a_port() {
        for right in ["", "a.example", "a:80", "a:", "127.0.0.1:8080", "[::1]", "[::1]:80"] {
            assert!(is_host(right.as_bytes()), "{right}");
        }
        for wrong in ["a b", "a:b", "a:123456", "u@a", "a/b", "[::1", "a:1:2", "<a>"] {
            assert!(!is_host(wrong.as_bytes()), "{wrong}");
        }
    }
}
