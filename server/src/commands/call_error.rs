//! Why a call failed, and whether it can have changed anything.

use std::fmt;
use std::io::ErrorKind;
use std::time::Duration;

use http::StatusCode;
use http::header::{CONTENT_TYPE, LOCATION, RETRY_AFTER};
use http::response::Parts;
use thiserror::Error;
use ureq::Timeout;
use visible::visible;

use crate::operator_token::{Source, VARIABLE};

/// The timeout for resolving the host and opening the connection.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The timeout for each of sending a request, waiting for its answer, and reading that.
pub(super) const RESPONSE_TIMEOUT: Duration = Duration::from_secs(120);

/// The name of the error for an unknown path, which a header has.
const UNKNOWN_PATH: &str = "no_route";

/// A failed call. The text states what to do.
#[derive(Debug, Error)]
#[error("{text}")]
pub(super) struct CallError {
    /// The outcome of the request.
    pub(super) outcome: CallOutcome,
    text: String,
}

/// The outcome of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallOutcome {
    /// It was not sent: there was no connection.
    Unsent,
    /// The service answered with this error status, and optionally the seconds to wait.
    Answered(StatusCode, Option<u64>),
    /// Another program answered, such as a proxy: the status, and optionally the seconds to wait.
    Foreign(StatusCode, Option<u64>),
    /// It was sent, fully or partly, and there was no answer.
    Unanswered,
}

impl CallOutcome {
    /// Whether it is certain that the request changed nothing.
    pub(super) fn is_without_effect(self) -> bool {
        match self {
            CallOutcome::Unsent => true,
            CallOutcome::Answered(status, _) | CallOutcome::Foreign(status, _) => {
                status.is_client_error() || status.is_redirection()
            }
            CallOutcome::Unanswered => false,
        }
    }

    /// Whether the same request may succeed later; if so, after how many seconds, if the answer states them.
    pub(super) fn retry_after(self) -> Option<Option<u64>> {
        let (CallOutcome::Answered(status, seconds) | CallOutcome::Foreign(status, seconds)) = self else {
            return None;
        };
        let passing = [
            StatusCode::TOO_MANY_REQUESTS,
            StatusCode::BAD_GATEWAY,
            StatusCode::SERVICE_UNAVAILABLE,
            StatusCode::GATEWAY_TIMEOUT,
        ];
        // Another request with the same key is in progress.
        let is_in_progress = status == StatusCode::CONFLICT && seconds.is_some();
        (is_in_progress || passing.contains(&status)).then_some(seconds)
    }

    /// Whether another program answered.
    pub(super) fn is_foreign(self) -> bool {
        matches!(self, CallOutcome::Foreign(..))
    }

    /// Whether the request is at odds with what the service has, now and later.
    pub(super) fn is_conflict(self) -> bool {
        matches!(self, CallOutcome::Answered(StatusCode::CONFLICT, None))
    }

    /// Whether the service read and rejected the request.
    pub(super) fn is_rejection(self) -> bool {
        match self {
            CallOutcome::Answered(status, _) => {
                [StatusCode::BAD_REQUEST, StatusCode::PAYLOAD_TOO_LARGE].contains(&status) || self.is_conflict()
            }
            CallOutcome::Foreign(status, _) => status == StatusCode::PAYLOAD_TOO_LARGE,
            CallOutcome::Unsent | CallOutcome::Unanswered => false,
        }
    }
}

impl CallError {
    fn new(outcome: CallOutcome, text: String) -> CallError {
        CallError { outcome, text }
    }

    /// Appends `what` to the text, if the outcome of the request is unknown.
    pub(super) fn if_outcome_unknown(mut self, what: &str) -> CallError {
        if !self.outcome.is_without_effect() {
            self.text = format!("{}; {what}", self.text);
        }
        self
    }

    /// Appends the source of the operator's token, if the token was rejected.
    pub(super) fn with_token_source(mut self, source: &Source) -> CallError {
        if matches!(self.outcome, CallOutcome::Answered(StatusCode::UNAUTHORIZED, _)) {
            let (place, advice) = match source {
                Source::Environment => (VARIABLE.to_owned(), format!("correct or unset {VARIABLE}")),
                Source::File(path) => (
                    path.display().to_string(),
                    "name the data directory of this server with --data DIR, or its token with --token-file FILE"
                        .to_owned(),
                ),
            };
            self.text = format!(
                "the server rejects the operator's token in {place}: {}; {advice}",
                self.text
            );
        }
        self
    }
}

/// The error of an error response. `text` is that of the envelope, if there was one.
pub(super) fn from_response(head: &Parts, text: Option<&str>, url: &str) -> CallError {
    let header = |name| head.headers.get(name).and_then(|value| value.to_str().ok());
    let seconds = header(RETRY_AFTER).and_then(|seconds| seconds.parse().ok());
    let foreign = CallOutcome::Foreign(head.status, seconds);
    match (text, header(LOCATION)) {
        (Some(text), _) if head.headers.values().any(|value| value == UNKNOWN_PATH) => CallError::new(
            CallOutcome::Answered(head.status, seconds),
            format!(
                "{} at {url}; if that server has --console-listen, name that address with --url",
                visible(text)
            ),
        ),
        (Some(text), _) => CallError::new(CallOutcome::Answered(head.status, seconds), visible(text)),
        (None, Some(place)) => CallError::new(
            foreign,
            format!("{url} redirects to {place}: use that address with --url"),
        ),
        (None, None) => CallError::new(
            foreign,
            format!(
                "the response from {url} is not from hitode, but perhaps from a proxy in front of it: {} ({}); check --url",
                head.status,
                header(CONTENT_TYPE).unwrap_or("no Content-Type")
            ),
        ),
    }
}

/// The error of a call without an answer.
pub(super) fn from_transport(error: ureq::Error, url: &str) -> CallError {
    use ureq::Error as TransportError;
    let unsent = |text: String| CallError::new(CallOutcome::Unsent, text);
    let unanswered = |text: String| CallError::new(CallOutcome::Unanswered, text);
    match error {
        TransportError::Io(error) if error.kind() == ErrorKind::ConnectionRefused => unsent(format!(
            "no server listens at {url}: start one with `hitode serve`, or name the address of a running one with --url"
        )),
        TransportError::Io(error)
            if matches!(error.kind(), ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable) =>
        {
            unsent(format!("cannot reach {url}: {error}; check --url and the network"))
        }
        TransportError::HostNotFound => unsent(no_host(url)),
        // The standard library has no error kind for it.
        TransportError::Io(error) if error.to_string().starts_with("failed to lookup address") => unsent(no_host(url)),
        TransportError::BadUri(_) | TransportError::Http(_) => {
            unsent(format!("{url} is not a valid address: check --url"))
        }
        TransportError::Timeout(Timeout::Resolve | Timeout::Connect) => unsent(format!(
            "{url} did not accept a connection within {} s: check --url and the network",
            CONNECT_TIMEOUT.as_secs()
        )),
        TransportError::Timeout(_) => unanswered(format!(
            "{url} did not answer within {} s: check the log of the server",
            RESPONSE_TIMEOUT.as_secs()
        )),
        TransportError::Io(error) if error.kind() == ErrorKind::InvalidData && url.starts_with("https") => {
            unanswered(no_tls(url, &error))
        }
        TransportError::Io(error) => unanswered(format!(
            "the connection to {url} was lost before the response ({error}): check that the server is running"
        )),
        TransportError::Tls(_) | TransportError::Rustls(_) => unanswered(no_tls(url, &error)),
        TransportError::Protocol(_) => {
            unanswered(format!("the response from {url} is not HTTP ({error}): check --url"))
        }
        error => unanswered(format!("the call to {url} failed: {error}")),
    }
}

fn no_host(url: &str) -> String {
    format!("the host of {url} is unknown: check --url")
}

fn no_tls(url: &str, error: &dyn fmt::Display) -> String {
    format!("no TLS with {url}: {error}; if the server has no TLS proxy in front of it, use http://")
}
