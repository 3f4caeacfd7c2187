//! The proxies in front of the server: which addresses are theirs, and the PROXY protocol header with which each of
//! their connections begins. It states the address of the client.

use std::net::IpAddr;

use std::time::{Duration, Instant};

use contract::Peer;
use parking_lot::Mutex;
use proxy_protocol_rs::{IpNet, ParseError, parse};
use thiserror::Error;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tracing::{debug, warn};

use super::activity::Activity;

/// The maximum bytes of a header: more than the additional values of any known proxy take.
const HEADER_BYTES: usize = 4096;
/// How often a failure is logged at most.
const LOG_EVERY: Duration = Duration::from_secs(10);

/// The addresses of proxies.
#[derive(Debug, Default)]
pub struct Proxies {
    networks: Vec<IpNet>,
    logged: Mutex<Option<Instant>>,
}

/// Why no client is known.
#[derive(Debug, Error)]
pub(super) enum HeaderError {
    /// The connection was closed before a byte arrived, as by a health check that only connects.
    #[error("it sent nothing")]
    Nothing,
    /// Something else arrived, or only a part of a header.
    #[error("it did not begin with a PROXY protocol header")]
    Missing,
    /// The header is invalid.
    #[error("its PROXY protocol header is invalid ({0})")]
    Invalid(ParseError),
    /// The header is too long.
    #[error("its PROXY protocol header is longer than {HEADER_BYTES} bytes")]
    TooLong,
    /// The header takes too long.
    #[error("its PROXY protocol header did not arrive within {} s", .0.as_secs_f32())]
    Slow(Duration),
}

impl Proxies {
    /// The addresses in these networks.
    pub fn new(networks: Vec<IpNet>) -> Proxies {
        Proxies {
            networks,
            ..Proxies::default()
        }
    }

    /// Whether this is the address of a proxy.
    pub(super) fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.networks.iter().any(|network| network.contains(&address))
    }

    /// Logs why a connection of `proxy` was closed, unless such a line was logged a moment ago.
    pub(super) fn log(&self, proxy: Peer, error: &HeaderError) {
        if matches!(error, HeaderError::Nothing) {
            return debug!(proxy = %proxy.0, "a connection of a proxy was closed: {error}");
        }
        let mut logged = self.logged.lock();
        if logged.is_some_and(|at| at.elapsed() < LOG_EVERY) {
            return;
        }
        *logged = Some(Instant::now());
        warn!(
            proxy = %proxy.0,
            "a connection of a proxy was closed: {error}. Configure the proxy to send headers (HAProxy: `send-proxy-v2`; \
             nginx: `proxy_protocol on` in a `stream` server), or remove its address from --proxies"
        );
    }
}

/// Reads the header at the beginning of a connection from `proxy`, and nothing behind it. Returns the client: `proxy`
/// itself if the header states none, as for a health check.
pub(super) async fn client(
    socket: &mut TcpStream,
    proxy: Peer,
    activity: &Activity,
    timeout: Duration,
) -> Result<Peer, HeaderError> {
    let read = tokio::time::timeout(timeout, read_header(socket, activity));
    let source = read.await.unwrap_or(Err(HeaderError::Slow(timeout)))?;
    Ok(source.map_or(proxy, Peer))
}

async fn read_header(socket: &mut TcpStream, activity: &Activity) -> Result<Option<IpAddr>, HeaderError> {
    let mut bytes = vec![0; HEADER_BYTES];
    let mut read = 0;
    while read < HEADER_BYTES {
        activity.awaits_bytes();
        let peeked = socket.peek(&mut bytes[read..]).await.unwrap_or_default();
        activity.received(peeked);
        let parsed = match parse(&bytes[..read + peeked]) {
            _ if peeked == 0 && read == 0 => return Err(HeaderError::Nothing),
            Err(ParseError::NotProxyProtocol) => return Err(HeaderError::Missing),
            Err(ParseError::Incomplete) if peeked == 0 => return Err(HeaderError::Missing),
            Err(ParseError::Incomplete) => None,
            Err(error) => return Err(HeaderError::Invalid(error)),
            Ok(parsed) => Some(parsed),
        };
        // All that was peeked, or what belongs to the header.
        let end = parsed.as_ref().map_or(read + peeked, |(_, length)| *length);
        let taken = socket.read_exact(&mut bytes[read..end]).await;
        taken.map_err(|_| HeaderError::Missing)?;
        match parsed {
            Some((header, _)) => return Ok(header.source_ip()),
            None => read = end,
        }
    }
    Err(HeaderError::TooLong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_in_a_network_however_it_is_written() {
        let networks = ["10.1.0.0/16", "2001:db8::/32", "192.0.2.7/32"];
        let proxies = Proxies::new(networks.map(|network| network.parse().expect(network)).to_vec());
        for (address, expected) in [
            ("10.1.255.255", true),
            ("::ffff:10.1.2.3", true),
            ("10.2.0.0", false),
            ("2001:db8:7::1", true),
            ("2001:db9::1", false),
            ("192.0.2.7", true),
            ("192.0.2.8", false),
        ] {
            assert_eq!(proxies.contains(address.parse().expect(address)), expected, "{address}");
        }
        assert!(!Proxies::default().contains(IpAddr::from([127, 0, 0, 1])));
    }
}
