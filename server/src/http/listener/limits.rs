//! Limits of connections: their number, timeouts and memory.

use std::time::Duration;

use contract::Peer;

use super::activity::WaitState;

/// The maximum bytes of a request's head.
pub(super) const HEAD_BYTES: usize = 32 * 1024;
/// The maximum bytes of a connection that are read and not yet processed: a head, and the bytes received with its end.
pub(super) const READ_BYTES: usize = 2 * HEAD_BYTES;

/// Limits of connections.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits {
    /// The maximum number of connections. At this number, the connection whose client is furthest behind is evicted
    /// for a new one, for any address; while none is behind, new ones wait. A client is behind by the time since it
    /// last kept `min_rate`, counted while it is idle, sends a body or receives an answer. While the server processes
    /// a complete request, its client is not behind, and the connection is never evicted.
    pub connections: usize,
    /// The maximum number of connections of one address; an IPv6 address counts as its first 64 bits. At this number,
    /// the address's own longest idle connection is evicted; while none is idle, a new one is closed at once.
    pub per_address: PerAddress,
    /// A connection that is idle for less than this is not evicted.
    pub idle_grace: Duration,
    /// A connection in the middle of a request or an answer is not evicted while its client is behind by less than
    /// this.
    pub request_grace: Duration,
    /// How long a proxy may take for the header at the beginning of a connection.
    pub proxy_timeout: Duration,
    /// How long a client may take for the head of a request, and how long it may be idle between two.
    pub head_timeout: Duration,
    /// How long a client may receive nothing of an answer.
    pub write_timeout: Duration,
    /// The minimum rate, in bytes per second, at which a client must receive an answer after `write_timeout`. A client
    /// that keeps this rate is not behind.
    pub min_rate: u32,
    /// How long the current requests may take to finish on shutdown: longer than a body may take.
    pub drain_timeout: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        ConnectionLimits {
            connections: 1_000,
            per_address: PerAddress::Quarter,
            idle_grace: Duration::from_millis(250),
            request_grace: Duration::from_millis(600),
            proxy_timeout: Duration::from_secs(5),
            head_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            min_rate: 1024,
            drain_timeout: Duration::from_secs(35),
        }
    }
}

/// The maximum number of connections of one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PerAddress {
    /// A quarter of all. A loopback address may have all, because a proxy for all clients may use one.
    Quarter,
    /// This number, for every address.
    Exactly(usize),
}

impl ConnectionLimits {
    /// The maximum number of connections of `client`.
    pub(super) fn max_of(&self, client: Peer) -> usize {
        match self.per_address {
            PerAddress::Exactly(connections) => connections,
            PerAddress::Quarter if client.0.to_canonical().is_loopback() => usize::MAX,
            PerAddress::Quarter => self.connections.div_ceil(4),
        }
    }

    /// How far behind a client must be before it can be evicted.
    pub(super) fn grace(&self, waits: WaitState) -> Duration {
        match waits {
            WaitState::Idle => self.idle_grace,
            WaitState::InExchange => self.request_grace,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_quarter_and_this_machine_all_by_default() {
        let max_of = |per_address, address: &str| {
            let limits = ConnectionLimits {
                connections: 1_001,
                per_address,
                ..ConnectionLimits::default()
            };
            limits.max_of(Peer(address.parse().expect(address)))
        };
        for (address, quarter) in [
            ("192.0.2.7", 251),
            ("2001:db8::1", 251),
            ("127.0.0.1", usize::MAX),
            ("127.8.8.8", usize::MAX),
            ("::1", usize::MAX),
            ("::ffff:127.0.0.1", usize::MAX),
        ] {
            assert_eq!(max_of(PerAddress::Quarter, address), quarter, "{address}");
            assert_eq!(max_of(PerAddress::Exactly(7), address), 7, "{address}");
        }
    }
}
