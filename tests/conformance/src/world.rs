//! What the library needs of the world that no request of the operation under test can bring about.
//!
//! Whoever has an implementation of a contract and wants to hold it against the generated suite writes one [`World`]. For one
//! that is reached over a network, five of its methods are those of a [`Network`](crate::Network): `call`, `call_held`, `is_limited`
//! (true), `lacks` and `front`. Five are to be written, as calls of whatever surface lets callers in there, or of a script beside it:
//! `caller`, `change`, `make`, `held` and `arrange`; and `prepare`, where an operation needs more than the resources that it names.
//!
//! All that they are asked for are the contract's own words: the names of a resource, a plan, a quota, a row of the error table.
//! One that does not know such a word panics with it: then the test fails that needs it, and says what to write.

use crate::contract::Credential;
use std::io::Write as _;
use std::net::IpAddr;
use std::time::Duration;

/// A place in which tests can be made. Many tests use one world at once, so what a method gives must be fresh: no test
/// sees what another one does to it.
pub trait World: Sync {
    /// Sends a request, rate limits off unless the world [`is_limited`](World::is_limited), and waits for the answer.
    fn call(&self, request: &Request) -> Response;

    /// Sends a request but for the last byte of its body; once the service waits for that, does `meanwhile`, and then sends it.
    /// [`HeldBody`](crate::HeldBody) is such a body.
    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response;

    /// Whether the contract's limits count what [`call`](World::call) sends, as over a network. Then no caller is asked for
    /// more than its limits let through (others are made in its place), and answers must report the limit that counts
    /// them.
    fn is_limited(&self) -> bool {
        false
    }

    /// Why this cannot be had here. Tests that need it are left out, and say so on standard error.
    fn lacks(&self, _need: Need) -> Option<String> {
        None
    }

    /// A caller that nobody used before, with a credential of this kind; where its kind has plans, on this one.
    fn caller(&self, credential: &'static Credential, plan: Option<&str>) -> Caller;

    /// Another credential of the caller's kind for the same resource, of which nothing is counted yet. That of `caller` may
    /// end by it, and others that this has given before. Only asked for where a limit has an `owner_rate`.
    fn another(&self, caller: &Caller) -> Caller {
        panic!("who gives another {}?", caller.kind)
    }

    /// Changes what a caller may do.
    fn change(&self, caller: &Caller, to: Standing<'_>);

    /// Makes a resource in its first state and gives its id. It belongs to `caller` where its kind can be a caller's,
    /// and lies within the resource of this name and id where one is given, which `caller` owns or may see.
    fn make(&self, resource: &str, caller: &Caller, within: Option<(&str, i64)>) -> i64;

    /// Brings about what a success of this operation (`surface::operation`) needs beyond the resources that the request
    /// names, each of which is in its first state: a parcel that is to be fetched must have been brought.
    fn prepare(&self, _operation: &str, _caller: &Caller, _arranged: &Arranged) {}

    /// How many a fresh caller or resource already has of what this quota counts.
    fn held(&self, quota: &str) -> u64;

    /// Brings about that this row of the error table rejects the caller's request, which names these resources.
    fn arrange(&self, row: &str, caller: &Caller, arranged: &Arranged);

    /// An empty world of the same service in which nobody else does anything, and which stays until the process ends: what a
    /// list shows that is everybody's is tried there. Without one, such a list is asked for a text that nothing else has;
    /// where it has no filter for that, its tests are left out.
    fn apart(&self) -> Option<&'static dyn World> {
        None
    }

    /// The same service and the same callers behind limits of its own that have counted nothing yet, with a clock that
    /// stands still. Where the world is limited: the service itself, in real time ([`Network::front`](crate::Network)).
    fn front(&self) -> Box<dyn Front>;
}

/// A service whose rate limits are on.
pub trait Front {
    /// Sends a request and waits for the answer.
    fn call(&self, request: &Request) -> Response;

    /// What the clock of the limits shows.
    fn unix_millis(&self) -> u64;

    /// Moves that clock forward; in real time it waits, and a little longer.
    fn advance(&self, by: Duration);

    /// In real time: waits until a window of this length has room for a trial.
    fn begin(&self, _window: Duration) {}

    /// In real time: how far the clock may be from that of the limits.
    fn slack(&self) -> Duration {
        Duration::ZERO
    }
}

/// What some tests need, and not every world has.
#[derive(Clone, Copy, Debug)]
pub enum Need {
    /// To send requests from an address of one's choice ([`Request::peer`]).
    Address,
    /// Another credential of this kind for the same caller ([`World::another`]).
    AnotherCredential(&'static str),
    /// To see the end of a window of this length.
    Window(Duration),
    /// To end a credential of this kind ([`Standing::Ended`]).
    Ended(&'static str),
}

/// Whether the world lacks what the running test needs; then it is said, whether or not the test's output is shown.
pub(crate) fn is_left_out(world: &dyn World, need: Need) -> bool {
    let reason = world.lacks(need);
    reason.iter().for_each(|reason| leave_out(reason));
    reason.is_some()
}

/// Says on standard error that the running test is left out, and why.
pub(crate) fn leave_out(reason: &str) {
    let test = std::thread::current();
    let line = format!("left out: {}: {reason}\n", test.name().unwrap_or_default());
    // `eprintln!` would be kept back with the output of a test that does not fail. In one piece: others write there, too.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// What a caller may be changed to.
#[derive(Clone, Copy, Debug)]
pub enum Standing<'p> {
    /// On this plan.
    Plan(&'p str),
    /// Shut out.
    Suspended,
    /// Without the credential that it has: revoked, or replaced by another.
    Ended,
}

/// Who calls.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The credential itself.
    pub secret: String,
    /// The id of the resource that acts; 0 where there is only one who can.
    pub id: i64,
    /// The name of the credential's kind.
    pub kind: &'static str,
}

/// The resources that a request names, by the name of their kind.
#[derive(Clone, Debug, Default)]
pub struct Arranged(pub Vec<(&'static str, i64)>);

impl Arranged {
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
    /// The address that it comes from, where a world can choose it.
    pub peer: Option<IpAddr>,
}

/// What came back.
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
    /// One that came by HTTP. Bytes of a header that are no UTF-8 show as U+FFFD.
    pub fn new(head: &http::response::Parts, body: Vec<u8>) -> Self {
        let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = head.headers.iter();
        Self {
            status: head.status.as_u16(),
            headers: headers.map(|(name, value)| (name.to_string(), text(value))).collect(),
            body,
        }
    }

    /// The one value of a header; nothing where it is absent or stands twice.
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

/// The text, cut in its middle when it is long.
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
