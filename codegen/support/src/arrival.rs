//! What a listener adds to a request: the address of the client, and whether the `Host` is valid (RFC 9112 §3.2).
//! Knows HTTP; must not know the response to an invalid request, which the contract defines.

use http::header::HOST;
use http::uri::PathAndQuery;
use http::{Request, Uri, Version};
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::pin::Pin;
use std::sync::Arc;

/// The address of the client, from [`arrived`] or, for a request in the process, an extension of the
/// request. Without it nothing is limited by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

impl Peer {
    /// The address as limits count it: an IPv4 address in any notation, or the first 64 bits of an IPv6 address,
    /// because one host or network has all addresses with this prefix.
    pub fn network(self) -> IpAddr {
        match self.0.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
            address => address,
        }
    }
}

/// What is wrong with the `Host` of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostError {
    /// It is missing, and HTTP/1.1 requires it.
    Missing,
    /// There is more than one.
    Repeated,
    /// It is not a host with an optional port.
    Malformed,
}

impl fmt::Display for HostError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            HostError::Missing => "the header `Host` is missing",
            HostError::Repeated => "the header `Host` must be given once",
            HostError::Malformed => "the header `Host` must be a host, with or without a port",
        })
    }
}

/// An extension of a request: by it a request that waits sees that its client has closed its sending half, or that the
/// connection has failed. Only its listener can know.
#[derive(Clone)]
pub struct Departure(Arc<dyn Fn() -> EndOfWait + Send + Sync>);

/// A future that is ready once a request need not wait any more.
pub type EndOfWait = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Departure {
    /// `ended` makes a future that is ready once the client has gone. It is called for requests that wait, after their
    /// bodies were read.
    pub fn new<E: Future<Output = ()> + Send + 'static>(ended: impl Fn() -> E + Send + Sync + 'static) -> Self {
        Self(Arc::new(move || Box::pin(ended())))
    }

    /// Waits until the client has gone.
    pub fn wait(&self) -> EndOfWait {
        (self.0)()
    }
}

impl fmt::Debug for Departure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Departure(..)")
    }
}

/// An extension of a request: the `PATHS` of surfaces that its listener does not serve. What is at or below them is an unknown
/// path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unserved(pub &'static [&'static [&'static str]]);

impl Unserved {
    /// Whether one of these surfaces has this path among its own.
    pub(super) fn has(self, path: &str) -> bool {
        self.0.iter().any(|paths| paths.contains(&path))
    }
}

/// The extension of a request from a socket.
#[derive(Clone, Debug)]
pub(super) struct Arrival {
    pub(super) client: Option<Peer>,
    pub(super) departure: Option<Departure>,
    pub(super) unserved: Unserved,
    pub(super) host_error: Option<HostError>,
    pub(super) target: PathAndQuery,
}

/// Marks a request as received from `client`. The listener calls this for each request from a socket, and not for
/// requests made in the process.
pub fn arrived<B>(request: &mut Request<B>, client: Peer) {
    let target = path_and_query(request);
    let host_error = host_error(request);
    let departure = request.extensions_mut().remove();
    let unserved = request.extensions_mut().remove().unwrap_or_default();
    request.extensions_mut().insert(Arrival {
        client: Some(client),
        departure,
        unserved,
        host_error,
        target,
    });
}

fn host_error<B>(request: &Request<B>) -> Option<HostError> {
    let mut hosts = request.headers().get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => (request.version() >= Version::HTTP_11).then_some(HostError::Missing),
        (Some(_), Some(_)) => Some(HostError::Repeated),
        (Some(host), None) => (!is_host(host.as_bytes())).then_some(HostError::Malformed),
    }
}

/// `uri-host [ ":" port ]` (RFC 9110 §7.2). It is empty for targets without a host, which means the server itself.
fn is_host(value: &[u8]) -> bool {
    let (host, port) = match value.iter().rposition(|byte| *byte == b':') {
        Some(colon) if !value.ends_with(b"]") => (&value[..colon], &value[colon + 1..]),
        _ => (value, &b""[..]),
    };
    let is_literal = || {
        let address = host.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]"));
        let address = address.and_then(|address| str::from_utf8(address).ok());
        address.is_some_and(|address| address.parse::<Ipv6Addr>().is_ok())
    };
    port.len() <= 5 && port.iter().all(u8::is_ascii_digit) && (is_name(host) || is_literal())
}

/// An IPv4 address or a registered name (RFC 3986 §3.2.2).
fn is_name(host: &[u8]) -> bool {
    let mut rest = host;
    loop {
        rest = match rest {
            [] => return true,
            [b'%', high, low, after @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => after,
            [byte, after @ ..] if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(byte) => after,
            _ => return false,
        };
    }
}

/// The target of a CONNECT is a host without a path. This server cannot proxy, and warp panics without a path.
fn path_and_query<B>(request: &mut Request<B>) -> PathAndQuery {
    match request.uri().path_and_query() {
        Some(target) => target.clone(),
        None => {
            *request.uri_mut() = Uri::from_static("/");
            PathAndQuery::from_static("/")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(version: Version, hosts: &[&str], expected: Option<HostError>) {
        let request = Request::builder().version(version);
        let request = hosts.iter().fold(request, |request, host| request.header(HOST, *host));
        let request = request.body(()).expect("it can be sent");
        assert_eq!(host_error(&request), expected, "{hosts:?}");
    }

    #[test]
    fn there_is_one_host_and_before_http_1_1_there_may_be_none() {
        check(Version::HTTP_11, &["a"], None);
        check(Version::HTTP_11, &[], Some(HostError::Missing));
        check(Version::HTTP_10, &[], None);
        for version in [Version::HTTP_10, Version::HTTP_11] {
            check(version, &["a", "a"], Some(HostError::Repeated));
            check(version, &["a b"], Some(HostError::Malformed));
        }
    }

    #[test]
    fn a_host_is_a_name_or_an_address_with_or_without_a_port() {
        for host in [
            "",
            "a",
            "a.example",
            "a.example:",
            "a.example:8080",
            "192.0.2.7:80",
            "[::1]",
            "[2001:db8::1]:443",
            "xn--e28h.example",
            "a_b.example",
            "a%2Db",
        ] {
            assert!(is_host(host.as_bytes()), "{host}");
        }
        for no_host in [
            "a b", "a/b", "http://a", "user@a", "a:b", "a:80:80", "a:123456", "::1", "[::1", "[::1]x", "[a]", "a%2",
            "a\"", "a?b", "a#b", "ä", "a,b:c", "a\tb", "<a>", "a\\b",
        ] {
            assert!(!is_host(no_host.as_bytes()), "{no_host}");
        }
    }

    #[track_caller]
    fn counted_as(address: &str, network: &str) {
        let [address, network] = [address, network].map(|text| text.parse().expect(text));
        assert_eq!(Peer(address).network(), network);
    }

    #[test]
    fn a_host_is_counted_once_whichever_of_its_addresses_it_uses() {
        counted_as("192.0.2.7", "192.0.2.7");
        counted_as("::ffff:192.0.2.7", "192.0.2.7");
        counted_as("2001:db8:1:2::1", "2001:db8:1:2::");
        counted_as("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::");
        counted_as("2001:db8:1:3::1", "2001:db8:1:3::");
    }
}
