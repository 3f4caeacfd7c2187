//! `GET /backup`, for the operator: a backup of the store, as a stream. It is outside of the contract, because a stream
//! has no envelope.

use std::convert::Infallible;
use std::io::{self, Write};
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use contract::support::ErrorResponse;
use contract::{Limits, Peer, operator_token};
use http::header::CACHE_CONTROL;
use http::{HeaderMap, HeaderValue, StatusCode};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::Response;
use hyper::body::Frame;
use serde_json::json;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tracing::{info, warn};

use super::page;
use crate::app::Hitode;
use crate::store::backup::BackupWriteError;

/// The path.
pub(crate) const PATH: &str = "/backup";

/// The maximum bytes of a part, and how many parts may wait for the client.
const PART_BYTES: usize = 64 << 10;
const PARTS: usize = 4;

/// The body of an answer: a backup or an error.
pub(super) type Body = UnsyncBoxBody<Bytes, io::Error>;

/// Answers `GET /backup` of this client. A wrong token counts as a failed credential of its address.
pub(super) async fn answer(
    app: Arc<Hitode>,
    limits: Arc<Limits>,
    client: Peer,
    headers: HeaderMap,
) -> Result<Response<Body>, Infallible> {
    if let Err(error) = operator_token::find(&*app, &limits, &headers, Some(client.network())).await {
        return Ok(error_response(error));
    }
    let (sender, mut parts) = channel(PARTS);
    tokio::spawn(write(app, client, sender));
    Ok(match parts.recv().await {
        Some(Ok(first)) => streamed(first, parts),
        Some(Err(error @ BackupWriteError::Busy)) => rejected(StatusCode::CONFLICT, &error.to_string()),
        Some(Err(error)) => rejected(StatusCode::SERVICE_UNAVAILABLE, &error.to_string()),
        None => rejected(StatusCode::INTERNAL_SERVER_ERROR, "the backup ended without a cause"),
    })
}

type Part = Result<Bytes, BackupWriteError>;

/// Writes the backup into the channel. After an error the stream is cut off, so that nobody takes it for a whole one.
async fn write(app: Arc<Hitode>, client: Peer, sender: Sender<Part>) {
    let parts = Parts {
        sender: sender.clone(),
        part: BytesMut::new(),
        bytes: 0,
    };
    match app.store().back_up(parts, app.now()).await {
        Ok(parts) => info!(bytes = parts.bytes, client = %client.0, "a backup was sent"),
        Err(error) => {
            warn!(%error, client = %client.0, "a backup was not sent");
            // The client may be gone.
            let _ = sender.send(Err(error)).await;
        }
    }
}

fn streamed(first: Bytes, mut parts: Receiver<Part>) -> Response<Body> {
    let mut first = Some(Ok(first));
    let parts = futures_util::stream::poll_fn(move |context| match first.take() {
        Some(first) => std::task::Poll::Ready(Some(first)),
        None => parts.poll_recv(context),
    });
    let frame = |part: Part| part.map(Frame::data).map_err(io::Error::other);
    let frames = futures_util::StreamExt::map(parts, frame);
    with_type(
        StatusCode::OK,
        "application/octet-stream",
        StreamBody::new(frames).boxed_unsync(),
    )
}

/// The answer to a wrong token. The APIs have the same errors, in an envelope.
fn error_response(error: ErrorResponse) -> Response<Body> {
    let status = StatusCode::from_u16(error.status).unwrap_or(StatusCode::UNAUTHORIZED);
    let mut response = rejected(status, &error.text);
    for (name, value) in error.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

fn rejected(status: StatusCode, error: &str) -> Response<Body> {
    let body = Full::new(Bytes::from(json!({ "error": error }).to_string()));
    with_type(
        status,
        "application/json",
        body.map_err(|never| match never {}).boxed_unsync(),
    )
}

fn with_type(status: StatusCode, media_type: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    page::set_content_type(&mut response, media_type);
    let no_store = HeaderValue::from_static("no-store");
    response.headers_mut().insert(CACHE_CONTROL, no_store);
    response
}

/// Passes what is written on in parts. Blocks while the client is behind.
struct Parts {
    sender: Sender<Part>,
    part: BytesMut,
    bytes: u64,
}

impl Parts {
    fn send(&mut self) -> io::Result<()> {
        if self.part.is_empty() {
            return Ok(());
        }
        let part = self.part.split().freeze();
        self.bytes += part.len() as u64;
        let gone = |_| io::Error::new(io::ErrorKind::BrokenPipe, "the client is gone");
        self.sender.blocking_send(Ok(part)).map_err(gone)
    }
}

impl Write for Parts {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.part.extend_from_slice(bytes);
        if self.part.len() >= PART_BYTES {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send()
    }
}
