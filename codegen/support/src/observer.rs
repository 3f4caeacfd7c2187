//! Observation of requests: the span of a request, its one line in the log, and an observer in the process. Must not
//! know routes or callers, which are reported when they are known. Does nothing without an observer or a log.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::Method;
use tracing::field::{Empty, display};
use tracing::{Level, Span, record_all};

use super::request_id::RequestId;

/// The target of a request's span and of its line in the log.
pub const TARGET: &str = "request";
/// The field of the span for the kind of the caller.
pub const CALLER: &str = "caller";
/// The field of the span for the id of the caller.
pub const CALLER_ID: &str = "caller_id";

/// Observes requests while they are answered, so it must not block or take long.
pub trait Observer: fmt::Debug + Send + Sync {
    /// A request was received.
    fn begun(&self);
    /// A request ended. Called once for each [`Self::begun`].
    fn ended(&self, ended: &Ended);
}

/// A request that ended. It contains no text that a client can choose freely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The surface whose filter accepted the request; `None` for an unknown path.
    pub surface: Option<&'static str>,
    /// The operation; `None` if the surface has none for this path and method.
    pub operation: Option<&'static str>,
    /// The id of the request.
    pub request_id: RequestId,
    /// The status of the answer; `None` if the request was abandoned, because the client disconnected or the server
    /// had to stop.
    pub status: Option<u16>,
    /// From the end of the request's head until the answer was made, without the time to send it.
    pub duration: Duration,
}

/// A request under observation. If it is dropped without an answer, it was abandoned.
pub(super) struct Observed {
    span: Span,
    request_id: RequestId,
    observer: Option<Arc<dyn Observer>>,
    surface: Option<&'static str>,
    operation: Option<&'static str>,
    /// `None` without an observer, and after the end.
    started: Option<Instant>,
}

/// The maximum bytes of a path and of a method in the log. With all other fields, the line stays below its maximum.
const PATH_SHOWN: usize = 1024;
const METHOD_SHOWN: usize = 32;

impl Observed {
    pub(super) fn begin(
        observer: Option<Arc<dyn Observer>>,
        client: Option<IpAddr>,
        (request_id, method, path): (RequestId, &Method, &str),
    ) -> Self {
        let span = span(&request_id, client, method, path);
        if let Some(observer) = &observer {
            observer.begun();
        }
        Self {
            started: (observer.is_some() || !span.is_none()).then(Instant::now),
            span,
            request_id,
            observer,
            surface: None,
            operation: None,
        }
    }

    pub(super) fn span(&self) -> Span {
        self.span.clone()
    }

    pub(super) fn entered(&mut self, surface: &'static str) {
        self.surface = Some(surface);
    }

    pub(super) fn reached(&mut self, surface: &'static str, operation: &'static str) {
        self.entered(surface);
        self.operation = Some(operation);
        if !self.span.is_none() {
            self.span
                .record("operation", display(format_args!("{surface}.{operation}")));
        }
    }

    pub(super) fn admitted(&self, kind: &'static str, id: Option<i64>) {
        if !self.span.is_none() {
            record_all!(self.span, caller = display(kind), caller_id = id);
        }
    }

    /// Reports the end, the first time only.
    pub(super) fn end(&mut self, status: Option<u16>) {
        let Some(started) = self.started.take() else { return };
        let duration = started.elapsed();
        if !self.span.is_none() {
            let duration_ms = duration.as_micros() as f64 / 1000.0;
            let ended = status.map_or("abandoned", |_| "answered");
            self.span
                .in_scope(|| tracing::info!(target: TARGET, status, duration_ms, "{ended}"));
        }
        if let Some(observer) = &self.observer {
            observer.ended(&Ended {
                surface: self.surface,
                operation: self.operation,
                request_id: self.request_id,
                status,
                duration,
            });
        }
    }
}

impl Drop for Observed {
    fn drop(&mut self) {
        self.end(None);
    }
}

/// The span of a request, if the log is enabled for it.
fn span(id: &str, client: Option<IpAddr>, method: &Method, path: &str) -> Span {
    if !tracing::enabled!(target: TARGET, Level::INFO) {
        return Span::none();
    }
    tracing::info_span!(
        target: TARGET,
        "request",
        request_id = display(id),
        client = client.map(|client| display(client.to_canonical())),
        method = display(abbreviate(method.as_str(), METHOD_SHOWN)),
        path = &*abbreviate(path, PATH_SHOWN),
        operation = Empty,
        caller = Empty,
        caller_id = Empty,
    )
}

/// The text, cut for the log.
fn abbreviate(text: &str, bytes: usize) -> Cow<'_, str> {
    if text.len() <= bytes {
        return text.into();
    }
    let mut end = bytes;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", &text[..end]).into()
}
