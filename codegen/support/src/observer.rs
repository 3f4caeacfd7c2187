//! Observation of requests: the span of a request, its one line in the log, and an observer in the process. Must not
//! know routes or callers, which are reported when they are known. Does nothing without an observer or a log.
//!
//! The end of a request is one event with all that is known, outside the span: a subscriber renders it once. The span has what
//! other events of the request need to be found by.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::Method;
use tracing::{Level, Span, Value};

use super::id::AnyId;
use super::request_id::RequestId;

/// The target of a request's span and of its line in the log.
pub const TARGET: &str = "request";
/// The field of the line for the kind of the caller.
pub const CALLER: &str = "caller";
/// The field of the line for the id of the caller. It follows the kind.
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
    /// `None` if the log is not enabled for requests.
    logged: Option<Logged>,
    request_id: RequestId,
    observer: Option<Arc<dyn Observer>>,
    surface: Option<&'static str>,
    operation: Option<&'static str>,
    /// `None` without an observer, and after the end.
    started: Option<Instant>,
}

/// What only the log shows of a request.
struct Logged {
    client: Option<IpAddr>,
    method: Method,
    path: String,
    caller: Option<(&'static str, Option<AnyId>)>,
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
        let is_logged = tracing::enabled!(target: TARGET, Level::INFO);
        let logged = is_logged.then(|| Logged {
            client,
            method: method.clone(),
            path: abbreviate(path, PATH_SHOWN).into_owned(),
            caller: None,
        });
        let span = logged
            .as_ref()
            .map_or_else(Span::none, |logged| logged.span(request_id));
        if let Some(observer) = &observer {
            observer.begun();
        }
        Self {
            started: (observer.is_some() || is_logged).then(Instant::now),
            span,
            logged,
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
    }

    pub(super) fn admitted(&mut self, kind: &'static str, id: Option<AnyId>) {
        if let Some(logged) = &mut self.logged {
            logged.caller = Some((kind, id));
        }
    }

    /// Reports the end, the first time only.
    pub(super) fn end(&mut self, status: Option<u16>) {
        let Some(started) = self.started.take() else { return };
        let duration = started.elapsed();
        if let Some(logged) = &self.logged {
            let operation = self.surface.zip(self.operation);
            logged.end(self.request_id, operation, (status, duration));
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

impl Logged {
    fn method(&self) -> Cow<'_, str> {
        abbreviate(self.method.as_str(), METHOD_SHOWN)
    }

    fn span(&self, request_id: RequestId) -> Span {
        let method = self.method();
        tracing::info_span!(
            target: TARGET,
            "request",
            request_id = display(request_id),
            method = display(method),
            path = self.path,
        )
    }

    /// The one line of the request.
    fn end(
        &self,
        request_id: RequestId,
        operation: Option<(&'static str, &'static str)>,
        (status, duration): (Option<u16>, Duration),
    ) {
        let (caller, caller_id) = self.caller.unzip();
        let id = caller_id.flatten();
        // A number is one in the log, too.
        let (number, text) = match id {
            Some(AnyId::Number(number)) => (Some(number), None),
            other => (None, other.map(tracing::field::display)),
        };
        let number = number.as_ref().map(|number| number as &dyn Value);
        let caller_id = number.or_else(|| text.as_ref().map(|text| text as &dyn Value));
        tracing::info!(
            target: TARGET,
            parent: None,
            status,
            duration_ms = duration.as_micros() as f64 / 1000.0,
            request_id = display(request_id),
            client = self.client.map(|client| display(client.to_canonical())),
            method = display(self.method()),
            path = self.path,
            operation = operation.map(|operation| display(Named(operation))),
            caller = caller.map(display),
            caller_id,
            "{}",
            status.map_or("abandoned", |_| "answered"),
        );
    }
}

/// An operation, named after its surface.
struct Named((&'static str, &'static str));

impl fmt::Display for Named {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (surface, operation) = self.0;
        out.write_str(surface)?;
        out.write_str(".")?;
        out.write_str(operation)
    }
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
    // A part of a credential would not be seen as one.
    let cut = text[..end].trim_end_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
    format!("{cut}…").into()
}
