//! Who is connected, and who has to go when there is no room.

use std::collections::HashMap;
use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use contract::Peer;
use tokio::task::{AbortHandle, Id, JoinError, JoinSet};
use tracing::{debug, error};

use super::activity::{Activity, Waits};
use super::{Counters, Patience, Share};

/// The open connections.
pub(super) struct Places {
    patience: Patience,
    counters: Arc<Counters>,
    connections: JoinSet<()>,
    /// Those that have not been told to make room.
    taken: HashMap<Id, Place>,
    by_network: HashMap<IpAddr, usize>,
}

struct Place {
    network: IpAddr,
    activity: Arc<Activity>,
    connection: AbortHandle,
}

/// Whether there is room for one more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// There is.
    Free,
    /// Not before another one has ended: ask again then, or in a while.
    Later,
    /// Its address has more than its share.
    Never,
}

impl Places {
    pub(super) fn new(patience: Patience, counters: Arc<Counters>) -> Places {
        Places {
            patience,
            counters,
            connections: JoinSet::new(),
            taken: HashMap::new(),
            by_network: HashMap::new(),
        }
    }

    /// Whether `client` may have one more connection, which may be the end of one that only waits for its client.
    pub(super) fn room_for(&mut self, client: Peer) -> Room {
        let network = client.network();
        let has = self.by_network.get(&network).copied().unwrap_or_default();
        if has >= self.share(client) && !self.make_room(|place, waits| place.network == network && waits == Waits::Idle)
        {
            debug!(%network, has, "a connection is refused: its address has too many");
            self.counters.refused.fetch_add(1, Ordering::Relaxed);
            return Room::Never;
        }
        if self.connections.len() < self.patience.connections {
            return Room::Free;
        }
        // Where somebody is going already, nobody else has to.
        if self.taken.len() == self.connections.len() {
            self.make_room(|_, _| true);
        }
        Room::Later
    }

    fn share(&self, client: Peer) -> usize {
        match self.patience.share {
            Share::Exactly(connections) => connections,
            Share::Quarter if client.0.to_canonical().is_loopback() => usize::MAX,
            Share::Quarter => self.patience.connections.div_ceil(4),
        }
    }

    /// Ends the connection whose client is furthest behind `among` all; none where none is behind for long enough.
    fn make_room(&mut self, among: impl Fn(&Place, Waits) -> bool) -> bool {
        let furthest = self
            .taken
            .iter()
            .filter_map(|(id, place)| {
                let (waits, behind) = place.activity.behind()?;
                let is_late = behind >= self.patience.least(waits);
                (is_late && among(place, waits)).then_some((behind, *id))
            })
            .max();
        let Some((_, id)) = furthest.filter(|(_, id)| self.taken[id].activity.give_up()) else {
            return false;
        };
        if let Some(place) = self.leave(id) {
            place.connection.abort();
            self.counters.made_room.fetch_add(1, Ordering::Relaxed);
        }
        true
    }

    /// Gives a connection of `client` its place, and starts it.
    pub(super) fn enter(
        &mut self,
        client: Peer,
        activity: Arc<Activity>,
        served: impl Future<Output = ()> + Send + 'static,
    ) {
        let network = client.network();
        let connection = self.connections.spawn(served);
        *self.by_network.entry(network).or_default() += 1;
        self.taken.insert(
            connection.id(),
            Place {
                network,
                activity,
                connection,
            },
        );
        self.counters.open.fetch_add(1, Ordering::Relaxed);
    }

    /// Waits for the end of any connection; nothing where there is none.
    pub(super) async fn one_ended(&mut self) -> Option<()> {
        let ended = self.connections.join_next_with_id().await?;
        let id = match &ended {
            Ok((id, ())) => *id,
            Err(fault) => fault.id(),
        };
        self.leave(id);
        self.counters.open.fetch_sub(1, Ordering::Relaxed);
        report(ended.map(|_| ()));
        Some(())
    }

    fn leave(&mut self, id: Id) -> Option<Place> {
        let place = self.taken.remove(&id)?;
        if let Some(has) = self.by_network.get_mut(&place.network) {
            *has -= 1;
            if *has == 0 {
                self.by_network.remove(&place.network);
            }
        }
        Some(place)
    }

    /// The connections as they are, to wait for.
    pub(super) fn into_connections(self) -> JoinSet<()> {
        self.connections
    }
}

impl Patience {
    /// How far behind a client has to be at least to lose its connection to another one.
    fn least(&self, waits: Waits) -> Duration {
        match waits {
            Waits::Idle => self.settle,
            Waits::InExchange => self.stall,
        }
    }
}

/// A connection never ends in an error of its own, so what is left is a panic in the service.
pub(super) fn report(ended: Result<(), JoinError>) {
    if let Err(fault) = ended
        && !fault.is_cancelled()
    {
        error!("a connection's task failed: {fault}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_quarter_and_this_machine_all_unless_told_otherwise() {
        let share = |share, address: &str| {
            let patience = Patience {
                connections: 1_001,
                share,
                ..Patience::default()
            };
            let client = Peer(address.parse().expect(address));
            Places::new(patience, Arc::default()).share(client)
        };
        for (address, quarter) in [
            ("192.0.2.7", 251),
            ("2001:db8::1", 251),
            ("127.0.0.1", usize::MAX),
            ("127.8.8.8", usize::MAX),
            ("::1", usize::MAX),
            ("::ffff:127.0.0.1", usize::MAX),
        ] {
            assert_eq!(share(Share::Quarter, address), quarter, "{address}");
            assert_eq!(share(Share::Exactly(7), address), 7, "{address}");
        }
    }
}
