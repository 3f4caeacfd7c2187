//! The conditions that no request of the operation under test can arrange.
//!
//! If the contract declares its meaning, [`DeclaredWorld`](crate::DeclaredWorld) is the world of every implementation. For one
//! that does not, write a [`World`] with calls of the API that creates accounts.
//!
//! Their arguments are the contract's own words: the names of a resource, a plan, a quota, an error. A world that does not know
//! such a word panics with it: then the test that needs it fails and says what to write.

use crate::contract::Operation;
use crate::level::Level;
use crate::suite::leave_out;
use codegen::model::{Credential, ErrorEntry};
use serde_json::Value as Json;
use std::net::IpAddr;
use std::time::Duration;

/// The environment of tests. Many tests use one world at once, so a method returns something new: no test sees the
/// effects of another one.
pub trait World: Sync {
    /// Sends a request, without rate limits unless the world [`is_limited`](World::is_limited), and waits for the
    /// answer.
    fn call(&self, request: &Request) -> Response;

    /// Sends a request without the last byte of its body; once the service waits for that, runs `meanwhile`, and then sends it.
    /// [`HeldBody`](crate::HeldBody) is such a body.
    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response;

    /// Whether the contract's limits count what [`call`](World::call) sends, as over a network. Then no caller sends more than
    /// its limits allow (others are made in its place), and answers must report the limit that counts them.
    fn is_limited(&self) -> bool {
        false
    }

    /// How strictly answers are compared with the contract.
    fn level(&self) -> Level {
        Level::Texts
    }

    /// The reason why this need cannot be met. Tests with the need are ignored, with this reason.
    fn unsupported(&self, _need: Need) -> Option<String> {
        None
    }

    /// A new caller with a credential of this kind; if its kind has plans, on this one.
    fn caller(&self, credential: &'static Credential, plan: Option<&str>) -> Caller;

    /// Another credential of the caller's kind for the same resource, without counted requests. The credential of `caller` and
    /// earlier ones may end with this call. Only used if a limit has an `owner_rate`.
    fn another(&self, caller: &Caller) -> Caller {
        panic!(
            "this world has no other credential of the kind {}: write `another`",
            caller.kind
        )
    }

    /// Changes the rights of a caller.
    fn set_access(&self, caller: &Caller, to: Access<'_>);

    /// Creates a resource in its first state and returns its id. It belongs to `caller` if its kind can have an owner. If
    /// a parent is given (name and id), the resource lies within it; `caller` owns the parent or may see it.
    fn create(&self, resource: &str, caller: &Caller, within: Option<(&str, i64)>) -> i64;

    /// Arranges what a success of this operation (`surface::operation`) needs beyond the named resources, each of which
    /// is in its first state: a parcel must be delivered before it can be collected. A resource that cannot be brought into
    /// the needed state is replaced.
    fn prepare_success(&self, _operation: &str, _caller: &Caller, _arranged: &mut RequestedResources) {}

    /// The reason why this error may reject a request that is valid otherwise, if this world cannot arrange that it does not.
    /// Tests that need a success are then skipped.
    fn excuse(&self, _operation: &Operation, _error: &ErrorEntry) -> Option<String> {
        None
    }

    /// The only caller who may call this operation for this record (the name of its resource, and its id), or none if any
    /// caller may; and the resources that the request names, as far as the record decides which. `None` if that is unknown.
    fn request_for(
        &self,
        _operation: &'static Operation,
        _record: (&'static str, i64),
    ) -> Option<(Option<Caller>, RequestedResources)> {
        None
    }

    /// A test's request, by this caller and for these resources, was accepted. It sent this body, and got this `data`.
    fn note(
        &self,
        _operation: &'static Operation,
        _by_and_for: (&Caller, &RequestedResources),
        _sent: &Json,
        _data: &Json,
    ) {
    }

    /// The number of resources that count against this quota for a new caller or resource.
    fn quota_usage(&self, quota: &str) -> u64;

    /// The same service and callers with separate limits that have counted nothing yet, and a clock that stands still.
    /// If the world is limited: the service itself, in real time ([`Network::limited_service`](crate::Network)).
    fn limited_service(&self) -> Box<dyn LimitedService>;
}

/// A service with rate limits.
pub trait LimitedService {
    /// Sends a request and waits for the answer.
    fn call(&self, request: &Request) -> Response;

    /// The time of the limits' clock.
    fn unix_millis(&self) -> u64;

    /// Advances that clock; in real time it waits, and a little longer.
    fn advance(&self, by: Duration);

    /// In real time: waits until a window of this length has enough time left for a trial.
    fn begin(&self, _window: Duration) {}

    /// In real time: the largest difference to the clock of the limits.
    fn slack(&self) -> Duration {
        Duration::ZERO
    }
}

/// Needs of some tests that not every world can meet.
#[derive(Clone, Copy, Debug)]
pub enum Need {
    /// Sending requests from a chosen address ([`Request::peer`]).
    Address,
    /// Another credential of this kind for the same caller ([`World::another`]).
    AnotherCredential(&'static str),
    /// Rejecting requests by their rate.
    Limits,
    /// Seeing the end of a window of this length.
    Window(Duration),
    /// Ending a credential of this kind ([`Access::Revoked`]).
    RevokedCredential(&'static str),
}

/// Whether the world lacks what the running test needs. Then the test is left out.
pub(crate) fn is_left_out(world: &dyn World, need: Need) -> bool {
    let reason = world.unsupported(need);
    reason.iter().for_each(|reason| leave_out(reason));
    reason.is_some()
}

/// A change of a caller's rights.
#[derive(Clone, Copy, Debug)]
pub enum Access<'p> {
    /// On this plan.
    Plan(&'p str),
    /// Suspended.
    Suspended,
    /// Without its present credential: revoked, or replaced by another.
    Revoked,
}

/// A caller.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The credential.
    pub secret: String,
    /// The id of the acting resource; 0 if there is only one such caller.
    pub id: i64,
    /// The name of the credential's kind.
    pub kind: &'static str,
}

/// The resources of a request, by the name of their kind.
#[derive(Clone, Debug, Default)]
pub struct RequestedResources(pub Vec<(&'static str, i64)>);

impl RequestedResources {
    /// Whether there is a resource of this kind.
    pub(crate) fn has(&self, resource: &str) -> bool {
        self.0.iter().any(|(name, _)| *name == resource)
    }

    /// The id of the resource of this kind.
    pub fn id(&self, resource: &str) -> i64 {
        let found = self.0.iter().find(|(name, _)| *name == resource);
        found.unwrap_or_else(|| panic!("the request names no {resource}")).1
    }
}

/// A request.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The HTTP method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Headers, in this order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Option<Vec<u8>>,
    /// The source address, if a world can choose it.
    pub peer: Option<IpAddr>,
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// Headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Response {
    /// From an HTTP response. Header bytes that are not UTF-8 show as U+FFFD.
    pub fn new(head: &http::response::Parts, body: Vec<u8>) -> Self {
        let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = head.headers.iter();
        Self {
            status: head.status.as_u16(),
            headers: headers.map(|(name, value)| (name.to_string(), text(value))).collect(),
            body,
        }
    }

    /// The value of a header; `None` if it is absent or duplicate.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self
            .headers
            .iter()
            .filter(|(known, _)| known.eq_ignore_ascii_case(name));
        match (values.next(), values.next()) {
            (Some((_, value)), None) => Some(value),
            _ => None,
        }
    }
}

impl Request {
    /// The request as a line for a shell, with `$BASE` in place of the server's address.
    pub fn curl(&self) -> String {
        let mut line = format!("curl -i -X {} \"$BASE\"{}", self.method, quoted(&self.target));
        for (name, value) in &self.headers {
            line.push_str(&format!(" -H {}", quoted(&format!("{name}: {value}"))));
        }
        if let Some(body) = &self.body {
            line.push_str(&format!(
                " --data-binary {}",
                quoted(&shortened(&String::from_utf8_lossy(body)))
            ));
        }
        line
    }
}

/// The text, shortened in its middle if it is long.
pub(crate) fn shortened(text: &str) -> String {
    const KEPT: usize = 600;
    let count = text.chars().count();
    if count <= 2 * KEPT {
        return text.to_owned();
    }
    let head: String = text.chars().take(KEPT).collect();
    let tail: String = text.chars().skip(count - KEPT).collect();
    format!("{head}… {} characters …{tail}", count - 2 * KEPT)
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
