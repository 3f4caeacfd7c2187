//! An implementation of a contract that is reached over a network, with its limits on and in real time.
//!
//! It knows how requests are sent and paced, and nothing about callers. A [`World`](crate::World) for such an implementation
//! uses `call`, `limited_service`, `is_limited` and `unsupported` from here.

use crate::contract::Contract;
use crate::failure::Failure;
use crate::held::HeldBody;
use crate::http_sender::{Http, NoAnswer, client, deadline, exchange};
use crate::level::Level;
use crate::server_address::ServerAddress;
use crate::suite::{counts_until, end_test, has_waited, skip_test};
use crate::world::{LimitedService, Need, Request, Response};
use bytes::Bytes;
use codegen::model::Limit;
use codegen::step::Step;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::runtime::Runtime;

/// The longest window whose end a test waits for.
const PATIENCE: Duration = Duration::from_secs(60);

/// The time that a trial of a limit needs in its window.
const ROOM: Duration = Duration::from_secs(15);

/// The largest difference to the server's clock. There is one even on the same machine: a clock that never steps back
/// misses all corrections since it was started.
const SLACK: Duration = Duration::from_secs(1);

type Sent = UnsyncBoxBody<Bytes, Infallible>;

/// An implementation behind an address.
#[derive(Clone)]
pub struct Network(Arc<Link>);

struct Link {
    base: String,
    /// Whether requests can come from more than one address.
    is_loopback: bool,
    error_response: u16,
    is_limited: bool,
    failed: Option<&'static Limit>,
    runtime: Runtime,
    deadline: Duration,
    sources: Mutex<Sources>,
}

/// The addresses that requests come from.
#[derive(Default)]
struct Sources {
    clients: HashMap<Option<IpAddr>, Http<Sent>>,
    /// The number of the last address.
    last: u32,
    /// The source of all requests that need no address of their own.
    common: Option<IpAddr>,
    /// The window, and the number of rejected credentials from the common address in it.
    rejected: (u64, u32),
}

impl Network {
    /// The implementation of this contract at `http://HOST:PORT` or `https://HOST:PORT`.
    ///
    /// On a loopback address under Linux, requests come from as many addresses as needed; any other server sees one address.
    /// The server's clock may differ by a second. (If something hides addresses, for example a proxy or a container on this
    /// machine, use an address of the machine that is not a loopback one.)
    ///
    /// # Panics
    /// When the address is invalid, or no host has it.
    pub fn new(base: &str, contract: &'static Contract) -> Self {
        Self::at(base, contract, true)
    }

    /// The same, with its limits switched off.
    ///
    /// # Panics
    /// When the address is invalid, or no host has it.
    pub fn without_limits(base: &str, contract: &'static Contract) -> Self {
        Self::at(base, contract, false)
    }

    fn at(base: &str, contract: &'static Contract, is_limited: bool) -> Self {
        let origin = ServerAddress::parse(base).unwrap_or_else(|error| panic!("{error}"));
        let found = origin.addresses().unwrap_or_else(|error| panic!("{error}"));
        let loopback = found.iter().find(|one| one.is_ipv4() && one.ip().is_loopback());
        // The certificate is of a name.
        let loopback = loopback.filter(|_| !origin.is_secure);
        let loopback = loopback.filter(|_| UdpSocket::bind((address(1), 0)).is_ok());
        let seed = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |now| now.subsec_nanos());
        Self(Arc::new(Link {
            base: loopback.map_or(origin.to_string(), |address| format!("http://{address}")),
            is_loopback: loopback.is_some(),
            error_response: contract
                .model
                .error_at(Step::Credential)
                .map_or(0, |error| error.status),
            is_limited,
            failed: contract.failed_credentials().filter(|_| is_limited),
            runtime: Runtime::new().expect("the machine has threads"),
            deadline: deadline(contract.model),
            sources: Mutex::new(Sources {
                last: seed,
                common: loopback.map(|_| address(seed)),
                ..Sources::default()
            }),
        }))
    }

    /// Sends a request and waits for the answer. Before the rejected credentials of an address count as guessing, other
    /// requests come from another address, or wait for the next window.
    pub fn call(&self, request: &Request) -> Response {
        self.counted(request, self.0.paced())
    }

    /// Sends a request without the last byte of its body. `meanwhile` runs once the service asks for the body (100 Continue,
    /// RFC 9110 §10.1.1), or after some seconds without that; then the last byte follows.
    pub fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        let (mut body, hold) = HeldBody::new(request.body.clone().unwrap_or_default());
        let signal = body.take_signal();
        let mut request = request.clone();
        request.headers.push(("Expect".to_owned(), "100-continue".to_owned()));
        let source = self.0.paced();
        std::thread::scope(|scope| {
            let prepare = |sent: &mut http::Request<Sent>| {
                hyper::ext::on_informational(sent, move |_| {
                    let _ = signal.as_ref().map(|signal| signal.send(()));
                });
            };
            let sent = scope.spawn(|| self.0.send_with(&request, source, body.boxed_unsync(), prepare));
            hold.during(meanwhile);
            sent.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    fn counted(&self, request: &Request, source: Option<IpAddr>) -> Response {
        let response = self.0.send(request, source);
        if response.status == self.0.error_response {
            self.0.sources().rejected.1 += 1;
        }
        response
    }

    /// Whether its limits are on.
    pub fn is_limited(&self) -> bool {
        self.0.is_limited
    }

    /// The same implementation, for trials of its limits. Without limits the test is skipped.
    pub fn limited_service(&self) -> Box<dyn LimitedService> {
        if let Some(reason) = self.lacks(Need::Limits) {
            skip_test(reason)
        }
        Box::new(InRealTime {
            network: self.clone(),
            addresses: Mutex::default(),
        })
    }

    /// Why this need cannot be met over this network.
    pub fn lacks(&self, need: Need) -> Option<String> {
        match need {
            Need::Limits if !self.0.is_limited => Some("the limits are switched off".to_owned()),
            Need::Address if !self.0.is_loopback => {
                Some("requests can come from several addresses only to a server on a loopback address".to_owned())
            }
            Need::Window(length) if length > PATIENCE => Some(format!(
                "its window of {} s is longer than the {} s that are waited for",
                length.as_secs(),
                PATIENCE.as_secs()
            )),
            Need::Limits
            | Need::Address
            | Need::Window(_)
            | Need::RevokedCredential(_)
            | Need::AnotherCredential(_) => None,
        }
    }
}

impl Link {
    fn sources(&self) -> MutexGuard<'_, Sources> {
        self.sources.lock().expect("no test panics in here")
    }

    /// The common address, which can have one more rejected credential.
    fn paced(&self) -> Option<IpAddr> {
        let Some(limit) = self.failed else {
            return self.sources().common;
        };
        loop {
            let (window, rest) = window_at(unix_millis(), limit.window_seconds.into());
            {
                let mut sources = self.sources();
                if sources.rejected.0 != window {
                    sources.rejected = (window, 0);
                }
                // Requests in progress may be rejected, too.
                if sources.rejected.1 < limit.max / 6 * 5 {
                    return sources.common;
                }
                if self.is_loopback {
                    let fresh = sources.fresh();
                    sources.common = Some(fresh);
                    sources.rejected = (window, 0);
                    return sources.common;
                }
            }
            std::thread::sleep(rest);
        }
    }

    fn send(&self, request: &Request, source: Option<IpAddr>) -> Response {
        let body = Full::new(Bytes::from(request.body.clone().unwrap_or_default()));
        self.send_with(request, source, body.boxed_unsync(), |_| {})
    }

    fn no_answer(&self, cause: &str, error: &str, request: &Request) -> ! {
        end_test(Failure {
            level: Level::Shape,
            cause: cause.to_owned(),
            wanted: "an answer".to_owned(),
            because: format!("{cause} from {}: {error}\n    request: {}", self.base, request.curl()),
            request: Some(request.clone()),
            ..Failure::default()
        })
    }

    /// Sends this body in place of the request's; `prepare` sees what is sent.
    fn send_with(
        &self,
        request: &Request,
        source: Option<IpAddr>,
        body: Sent,
        prepare: impl FnOnce(&mut http::Request<Sent>),
    ) -> Response {
        let client = self.sources().client(source);
        match exchange(
            (&self.runtime, self.deadline),
            &client,
            &self.base,
            request,
            body,
            prepare,
        ) {
            Ok(response) => response,
            Err(NoAnswer::Failed(error)) => self.no_answer("no answer", &error, request),
            Err(late) => self.no_answer(&late.to_string(), "", request),
        }
    }
}

impl Sources {
    fn fresh(&mut self) -> IpAddr {
        self.last = self.last.wrapping_add(1);
        address(self.last)
    }

    fn client(&mut self, source: Option<IpAddr>) -> Http<Sent> {
        let client = self.clients.entry(source).or_insert_with(|| client(source));
        client.clone()
    }
}

/// One of the addresses of a machine to itself, outside of those that anything else uses. Consecutive numbers have
/// different addresses: each failed credential counts for its address.
fn address(number: u32) -> IpAddr {
    const LAST: u32 = 254;
    let [.., high, middle] = (number / LAST).to_be_bytes();
    let [.., low] = (number % LAST + 1).to_be_bytes();
    IpAddr::V4(Ipv4Addr::new(127, high | 128, middle, low))
}

fn unix_millis() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| u64::try_from(now.as_millis()).unwrap_or(u64::MAX))
}

/// The number of the window of this length in seconds, and the rest of it.
fn window_at(now: u64, seconds: u64) -> (u64, Duration) {
    let length = seconds * 1000;
    (now / length, Duration::from_millis(length - now % length))
}

/// The implementation with its own limits.
struct InRealTime {
    network: Network,
    /// The real addresses for the requested ones: each limited service has its own.
    addresses: Mutex<HashMap<IpAddr, IpAddr>>,
}

impl LimitedService for InRealTime {
    fn call(&self, request: &Request) -> Response {
        let Some(peer) = request.peer else {
            // A trial uses its window and must not wait; few of its credentials are rejected.
            let common = self.network.0.sources().common;
            return self.network.counted(request, common);
        };
        let mut addresses = self.addresses.lock().expect("no test panics in here");
        let fresh = || self.network.0.sources().fresh();
        let source = *addresses.entry(peer).or_insert_with(fresh);
        self.network.0.send(request, Some(source))
    }

    fn unix_millis(&self) -> u64 {
        unix_millis()
    }

    fn advance(&self, by: Duration) {
        std::thread::sleep(by + self.slack() + Duration::from_millis(100));
        has_waited();
    }

    fn begin(&self, window: Duration) {
        let rest = || window_at(unix_millis(), window.as_secs().max(1)).1;
        if rest() < ROOM.min(window / 2) {
            self.advance(rest());
        }
        counts_until(Instant::now() + rest(), window);
    }

    fn slack(&self) -> Duration {
        SLACK
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_an_address_of_this_machine_that_a_request_can_come_from() {
        for number in [0, 1, 255, 256, 0x0080_0000, 0x00ff_ffff, u32::MAX] {
            let IpAddr::V4(address) = address(number) else {
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
        let many: std::collections::HashSet<IpAddr> = (0..10_000).map(address).collect();
        assert_eq!(many.len(), 10_000);
        assert_ne!(address(u32::MAX), address(0));
    }

    #[test]
    fn a_window_ends_where_the_next_one_begins() {
        assert_eq!(window_at(119_999, 60), (1, Duration::from_millis(1)));
        assert_eq!(window_at(120_000, 60), (2, Duration::from_secs(60)));
    }
}
