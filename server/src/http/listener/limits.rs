//! What connections may cost: their number, the time of their clients, and memory.

use std::time::Duration;

use contract::Peer;

use super::activity::WaitState;

/// The most bytes of a request's head.
pub(super) const HEAD_BYTES: usize = 32 * 1024;
/// The most bytes of a connection that are read and not yet worked on: a head, and what came along with its end.
pub(super) const READ_BYTES: usize = 2 * HEAD_BYTES;

/// What connections may cost.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits {
    /// The most connections at a time. When they are reached, the one whose client is furthest behind makes room for a new
    /// one, whoever it is; while none is behind, new ones wait. A client is behind by the time since it last kept to `min_rate`,
    /// counted while it is idle, while its body has to come and while it has to take an answer. While a whole request is
    /// worked on, nobody is behind: such a connection never makes room.
    pub connections: usize,
    /// How many of these one address may have, an IPv6 address counting as its first 64 bits. When they are reached, that
    /// address's own longest idle one makes room; while none is idle, a new one is closed at once.
    pub per_address: PerAddress,
    /// A connection that is idle for less than this makes room for nobody.
    pub idle_grace: Duration,
    /// Nor does one in the middle of a request or an answer whose client is behind by less than this.
    pub request_grace: Duration,
    /// How long a client may take for the head of a request, and may stay silent between two.
    pub head_timeout: Duration,
    /// How long a client may leave an answer where it is.
    pub write_timeout: Duration,
    /// The bytes per second at which a client has to take an answer at least, once it has kept it waiting for `write_timeout`, and
    /// which keep it from being behind.
    pub min_rate: u32,
    /// How long the requests under way may take to finish once serving has to stop: longer than a body may take to come.
    pub drain_timeout: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        ConnectionLimits {
            connections: 1_000,
            per_address: PerAddress::Quarter,
            idle_grace: Duration::from_millis(250),
            request_grace: Duration::from_millis(600),
            head_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            min_rate: 1024,
            drain_timeout: Duration::from_secs(35),
        }
    }
}

/// How many connections one address may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PerAddress {
    /// A quarter of all. This machine's own addresses may have all, because a proxy that stands for everybody may be there.
    Quarter,
    /// So many, whatever the address.
    Exactly(usize),
}

impl ConnectionLimits {
    /// The most connections that `client` may have.
    pub(super) fn max_of(&self, client: Peer) -> usize {
        match self.per_address {
            PerAddress::Exactly(connections) => connections,
            PerAddress::Quarter if client.0.to_canonical().is_loopback() => usize::MAX,
            PerAddress::Quarter => self.connections.div_ceil(4),
        }
    }

    /// How far behind a client has to be at least to lose its connection to another one.
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
    fn an_address_has_a_quarter_and_this_machine_all_unless_told_otherwise() {
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
