//! The open connections: their limits, and which one is evicted for a new one.

use std::collections::HashMap;
use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use contract::Peer;
use tokio::task::{AbortHandle, Id, JoinError, JoinSet};
use tracing::{debug, error};

use super::activity::{Activity, WaitState};
use super::counters::Counters;
use super::limits::ConnectionLimits;

/// The open connections.
pub(super) struct ConnectionTable {
    limits: ConnectionLimits,
    counters: Arc<Counters>,
    connections: JoinSet<()>,
    /// Those that are not evicted.
    open: HashMap<Id, OpenConnection>,
    by_network: HashMap<IpAddr, usize>,
}

struct OpenConnection {
    /// Unknown while the header of a proxy's connection is read.
    network: Option<IpAddr>,
    activity: Arc<Activity>,
    connection: AbortHandle,
}

/// Whether another connection is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConnectionSlot {
    /// Yes.
    Free,
    /// Only after another one has ended: try again then, or later.
    Wait,
    /// The client's address has too many.
    Rejected,
}

impl ConnectionTable {
    pub(super) fn new(limits: ConnectionLimits, counters: Arc<Counters>) -> ConnectionTable {
        ConnectionTable {
            limits,
            counters,
            connections: JoinSet::new(),
            open: HashMap::new(),
            by_network: HashMap::new(),
        }
    }

    /// Whether `client` may open another connection, or a proxy for a client that is not known yet. May evict one that
    /// only waits for its client.
    pub(super) fn slot_for(&mut self, client: Option<Peer>) -> ConnectionSlot {
        if client.is_some_and(|client| !self.has_share(client)) {
            return ConnectionSlot::Rejected;
        }
        if self.connections.len() < self.limits.connections {
            return ConnectionSlot::Free;
        }
        // If an evicted one has not ended yet, no other one is evicted.
        if self.open.len() == self.connections.len() {
            self.evict(|_, _| true);
        }
        ConnectionSlot::Wait
    }

    /// Whether the address of `client` may have another connection, if need be instead of an idle one.
    fn has_share(&mut self, client: Peer) -> bool {
        let network = client.network();
        let has = self.by_network.get(&network).copied().unwrap_or_default();
        let is_admitted = has < self.limits.max_of(client)
            || self.evict(|open, waits| open.network == Some(network) && waits == WaitState::Idle);
        if !is_admitted {
            debug!(%network, has, "a connection was rejected: its address has too many");
            self.counters.rejected.fetch_add(1, Ordering::Relaxed);
        }
        is_admitted
    }

    /// The client of the open connection `id` is known from now on. Returns false if its address has too many, or the
    /// connection was evicted meanwhile.
    pub(super) fn identify(&mut self, id: Id, client: Peer) -> bool {
        if !self.open.contains_key(&id) || !self.has_share(client) {
            return false;
        }
        let network = client.network();
        let open = self.open.get_mut(&id).expect("only others are evicted for it");
        open.network = Some(network);
        *self.by_network.entry(network).or_default() += 1;
        true
    }

    /// Of the connections that `among` selects, evicts the one whose client is furthest behind. Evicts none if none is
    /// behind for long enough.
    fn evict(&mut self, among: impl Fn(&OpenConnection, WaitState) -> bool) -> bool {
        let furthest = self
            .open
            .iter()
            .filter_map(|(id, open)| {
                let (waits, behind) = open.activity.behind()?;
                let is_late = behind >= self.limits.grace(waits);
                (is_late && among(open, waits)).then_some((behind, *id))
            })
            .max();
        let Some((_, id)) = furthest.filter(|(_, id)| self.open[id].activity.try_evict()) else {
            return false;
        };
        if let Some(open) = self.remove(id) {
            open.connection.abort();
            self.counters.evicted.fetch_add(1, Ordering::Relaxed);
        }
        true
    }

    /// Starts a connection of `client`, if it is known.
    pub(super) fn start(
        &mut self,
        client: Option<Peer>,
        activity: Arc<Activity>,
        served: impl Future<Output = ()> + Send + 'static,
    ) {
        let network = client.map(Peer::network);
        let connection = self.connections.spawn(served);
        if let Some(network) = network {
            *self.by_network.entry(network).or_default() += 1;
        }
        self.open.insert(
            connection.id(),
            OpenConnection {
                network,
                activity,
                connection,
            },
        );
        self.counters.open.fetch_add(1, Ordering::Relaxed);
    }

    /// Waits for the end of any connection; `None` if there is none.
    pub(super) async fn one_ended(&mut self) -> Option<()> {
        let ended = self.connections.join_next_with_id().await?;
        let id = match &ended {
            Ok((id, ())) => *id,
            Err(error) => error.id(),
        };
        self.remove(id);
        self.counters.open.fetch_sub(1, Ordering::Relaxed);
        log_panic(ended.map(|_| ()));
        Some(())
    }

    fn remove(&mut self, id: Id) -> Option<OpenConnection> {
        let open = self.open.remove(&id)?;
        if let Some(network) = open.network
            && let Some(has) = self.by_network.get_mut(&network)
        {
            *has -= 1;
            if *has == 0 {
                self.by_network.remove(&network);
            }
        }
        Some(open)
    }

    /// The tasks of the connections, to wait for.
    pub(super) fn into_connections(self) -> JoinSet<()> {
        self.connections
    }
}

/// A connection returns no error, so the only failure is a panic in the service.
pub(super) fn log_panic(ended: Result<(), JoinError>) {
    if let Err(error) = ended
        && !error.is_cancelled()
    {
        error!("the task of a connection failed: {error}");
    }
}
