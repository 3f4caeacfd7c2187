//! What happens to the servers, the database and the network while clients work.

use std::thread::sleep;
use std::time::{Duration, Instant};

use rand::RngExt as _;
use rand::rngs::StdRng;

use super::cluster::Cluster;
use super::link::Network;
use super::load::Load;
use super::servers::{Fleet, SERVERS};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// SIGKILL of a server, which is started again.
    ServerKilled,
    /// A server does nothing for some seconds.
    ServerFrozen,
    /// A server loses its connections to the database, and gets no new ones for some seconds.
    ServerCutOff,
    /// The network between a server and the database delivers everything some seconds later.
    ServerDelayed,
    /// The database ends all connections of servers.
    ConnectionsEnded,
    /// SIGKILL of the primary; a standby is promoted.
    PrimaryKilled,
    /// The primary takes connections and answers nothing; a standby is promoted. Then the former primary goes on for a moment.
    PrimaryFrozen,
    /// One standby does nothing.
    StandbyFrozen,
    /// Both do nothing.
    StandbysFrozen,
    /// Both are killed, connections of the primary that wait for them are ended or their waiting is cancelled, and it is
    /// killed; then the standbys are started and one is promoted: what the primary has committed alone is lost.
    PrimaryAlone,
}

pub(super) const ALL: [Fault; 10] = [
    Fault::ServerKilled,
    Fault::ServerFrozen,
    Fault::ServerCutOff,
    Fault::ServerDelayed,
    Fault::ConnectionsEnded,
    Fault::PrimaryKilled,
    Fault::PrimaryFrozen,
    Fault::StandbyFrozen,
    Fault::StandbysFrozen,
    Fault::PrimaryAlone,
];

/// Those that take the least time, and show the most, for the gate.
pub(super) const SHORT: [Fault; 3] = [Fault::ServerDelayed, Fault::ConnectionsEnded, Fault::PrimaryAlone];

/// The time after which a server that does not hear of the database answers nothing: its lease, and a second for what was
/// under way.
const SILENT_AFTER: Duration = Duration::from_secs(3);

/// Writes that show that writing goes on: more than are under way.
const ENOUGH: usize = 100;

/// Where it happens.
pub(super) struct Place<'p> {
    pub(super) cluster: &'p Cluster,
    pub(super) fleet: &'p Fleet<'p>,
    pub(super) load: &'p Load<'p>,
}

impl Place<'_> {
    /// Lets it happen, and what it takes to go on. Returns how long no write was acknowledged.
    pub(super) fn inflict(&self, fault: Fault, chance: &mut StdRng) -> Duration {
        let Place { cluster, fleet, load } = *self;
        let server = chance.random_range(0..SERVERS);
        let standby = cluster.standbys().nth(chance.random_range(0..2)).expect("one of two");
        load.wait_for(ENOUGH);
        match fault {
            Fault::ServerKilled => {
                fleet.signal(server, "KILL");
                pause(chance, 0..500);
                fleet.start_again(server);
            }
            Fault::ServerFrozen => {
                fleet.signal(server, "STOP");
                pause(chance, 2_500..5_500);
                fleet.signal(server, "CONT");
            }
            Fault::ServerCutOff => {
                fleet.link(server).set(Network::Cut);
                self.is_silent(&[server]);
                fleet.link(server).set(Network::Open);
            }
            Fault::ServerDelayed => {
                fleet.link(server).set(Network::Held);
                if chance.random() {
                    self.is_silent(&[server]);
                } else {
                    pause(chance, 100..4_000);
                }
                fleet.link(server).set(Network::Open);
            }
            Fault::ConnectionsEnded => {
                for _ in 0..3 {
                    cluster.end_connections();
                    pause(chance, 0..400);
                }
            }
            Fault::PrimaryKilled => {
                cluster.signal(cluster.primary(), "KILL");
                let dead = cluster.promote();
                let pause = load.wait_for(ENOUGH);
                cluster.rebuild(dead);
                return pause;
            }
            Fault::PrimaryFrozen => {
                cluster.signal(cluster.primary(), "STOP");
                let frozen = cluster.promote();
                let silence = load.wait_for(ENOUGH);
                // It can acknowledge nothing: no standby follows it.
                cluster.signal(frozen, "CONT");
                pause(chance, 500..3_000);
                cluster.signal(frozen, "KILL");
                // Also servers that have found it.
                (0..SERVERS).for_each(|server| fleet.catch_up(server));
                cluster.rebuild(frozen);
                return silence;
            }
            Fault::StandbyFrozen => {
                cluster.signal(standby, "STOP");
                load.wait_for(ENOUGH);
                // Servers find the primary also then.
                cluster.end_connections();
                load.wait_for(ENOUGH);
                cluster.signal(standby, "CONT");
            }
            Fault::StandbysFrozen => {
                self.signal_standbys("STOP");
                self.nothing_is_acknowledged_or_read();
                self.signal_standbys("CONT");
            }
            Fault::PrimaryAlone => {
                self.signal_standbys("KILL");
                for _ in 0..chance.random_range(4..20) {
                    pause(chance, 10..150);
                    cluster.interrupt_waiting(if chance.random() { "cancel" } else { "terminate" });
                }
                cluster.signal(cluster.primary(), "KILL");
                cluster.standbys().for_each(|standby| cluster.start_again(standby));
                let dead = cluster.promote();
                // Those that have taken in what is lost have ended.
                (0..SERVERS).for_each(|server| fleet.catch_up(server));
                cluster.rebuild(dead);
            }
        }
        load.wait_for(ENOUGH)
    }

    fn signal_standbys(&self, name: &str) {
        self.cluster
            .standbys()
            .for_each(|standby| self.cluster.signal(standby, name));
    }

    /// Without a standby nothing is acknowledged, and, since no lease is renewed, nothing is read.
    fn nothing_is_acknowledged_or_read(&self) {
        sleep(SILENT_AFTER);
        let acknowledged = self.load.acknowledged();
        let all: Vec<_> = (0..SERVERS).collect();
        self.are_silent(&all);
        assert_eq!(self.load.acknowledged(), acknowledged, "acknowledged without a standby");
    }

    fn is_silent(&self, servers: &[usize]) {
        sleep(SILENT_AFTER);
        self.are_silent(servers);
    }

    /// These servers answer nothing but that they are unavailable.
    fn are_silent(&self, servers: &[usize]) {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(500) {
            for server in servers {
                let answer = self.fleet.read(*server).expect("an answer");
                assert_eq!(answer.status, 503, "server {server} has no lease: {}", answer.text());
            }
        }
    }
}

fn pause(chance: &mut StdRng, millis: std::ops::Range<u64>) {
    sleep(Duration::from_millis(chance.random_range(millis)));
}
