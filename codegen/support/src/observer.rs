//! What is seen of a request from outside: its span and its one line in the log, and whoever observes the process.
//!
//! Knows no route and no caller: both are told where they become known. Where nobody looks, nothing is done.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::Method;
use tracing::field::{Empty, display};
use tracing::{Level, Span, record_all};

/// The target of a request's span and of its line in the log.
pub const TARGET: &str = "request";
/// The field of the span that says of which kind the caller is.
pub const CALLER: &str = "caller";
/// The field of the span that says which one of these it is.
pub const CALLER_ID: &str = "caller_id";

/// Is told of requests while they are answered, so it must neither block nor take long.
pub trait Observer: fmt::Debug + Send + Sync {
    /// A request has come.
    fn begun(&self);
    /// What became of it. Called once for each [`Self::begun`].
    fn ended(&self, ended: &Ended);
}

/// A request that is over. Whatever a client can choose freely is not in here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The surface whose filter took the request; nothing where the path is nobody's.
    pub surface: Option<&'static str>,
    /// The operation; nothing where the surface has none for this path and method.
    pub operation: Option<&'static str>,
    /// The status of the answer; nothing where it was abandoned, because the client went away or the server had to stop.
    pub status: Option<u16>,
    /// From the end of the request's head until the answer was made. Sending it is not part of that.
    pub duration: Duration,
}

/// A request under observation. Dropped without an answer, it was abandoned.
pub(super) struct Observed {
    span: Span,
    observer: Option<Arc<dyn Observer>>,
    surface: Option<&'static str>,
    operation: Option<&'static str>,
    /// Nothing where nobody looks, and once it has ended.
    started: Option<Instant>,
}

/// The most bytes of a path and of a method in the log: with all that may stand beside them, they make no line that must be
/// cut.
const PATH_SHOWN: usize = 1024;
const METHOD_SHOWN: usize = 32;

impl Observed {
    pub(super) fn begin(
        observer: Option<Arc<dyn Observer>>,
        client: Option<IpAddr>,
        (id, method, path): (&str, &Method, &str),
    ) -> Self {
        let span = span(id, client, method, path);
        if let Some(observer) = &observer {
            observer.begun();
        }
        Self {
            started: (observer.is_some() || !span.is_none()).then(Instant::now),
            span,
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

    /// Tells of the end, the first time.
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

/// The span of a request, where anybody listens.
fn span(id: &str, client: Option<IpAddr>, method: &Method, path: &str) -> Span {
    if !tracing::enabled!(target: TARGET, Level::INFO) {
        return Span::none();
    }
    tracing::info_span!(
        target: TARGET,
        "request",
        request_id = display(id),
        client = client.map(|client| display(client.to_canonical())),
        method = display(shown(method.as_str(), METHOD_SHOWN)),
        path = &*shown(path, PATH_SHOWN),
        operation = Empty,
        caller = Empty,
        caller_id = Empty,
    )
}

/// As much of a text as the log shows.
fn shown(text: &str, bytes: usize) -> Cow<'_, str> {
    if text.len() <= bytes {
        return text.into();
    }
    let mut end = bytes;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", &text[..end]).into()
}
