//! Three servers over a primary of PostgreSQL with two standbys, with HAProxy in front of them, while each part fails in turn.
//!
//! `load`: 64 clients write through all servers in turn and through HAProxy, and repeat what was not answered on another one.
//! Others (`ending`) end credentials, and try (`ended`) on all servers, the whole time, whether they open anything. After each failure of `faults`,
//! every server has to show what was acknowledged, and nothing twice. `servers` and `cluster` are the processes, `link` the
//! network between them. The clocks of two servers are an hour off.
//!
//! `HITODE_FLEET` is how often each failure happens; without it, those of the gate happen once. `HITODE_FLEET_FAULTS` names
//! some of them, such as `ServerKilled,PrimaryAlone`.

mod cluster;
mod ended;
mod ending;
mod faults;
mod link;
mod load;
mod servers;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rand::RngExt as _;
use rand::seq::SliceRandom as _;

use self::cluster::Cluster;
use self::faults::{ALL, Fault, Place, SHORT};
use self::link::Link;
use self::load::Load;
use self::servers::{Fleet, SERVERS};
use super::ledger::{Act, Outcome};
use super::{chance, variable};

#[test]
fn a_fleet_loses_nothing_acknowledged_and_opens_nothing_that_has_ended() {
    let cluster = Cluster::start();
    let links: Vec<_> = (0..SERVERS).map(|_| Link::to(&cluster.ports)).collect();
    let mut pauses = Pauses::new();
    let cycles = variable("HITODE_FLEET", 0);
    for cycle in 0..cycles.max(1) {
        run(&cluster, &links, cycle, cycles > 0, &mut pauses);
        cluster.sql(&format!("DROP DATABASE fleet{cycle} WITH (FORCE)"));
    }
    for (fault, mut pauses) in pauses {
        pauses.sort();
        let middle = pauses[pauses.len() / 2];
        println!(
            "{fault}: {} times, writes paused for {middle:?} (median), {:?} (longest)",
            pauses.len(),
            pauses[pauses.len() - 1]
        );
    }
}

/// By failure: how long no write was acknowledged.
type Pauses = BTreeMap<String, Vec<Duration>>;

/// Each failure, or those that `HITODE_FLEET_FAULTS` names.
fn selected(is_long: bool) -> Vec<Fault> {
    let named = std::env::var("HITODE_FLEET_FAULTS").unwrap_or_default();
    let all = if is_long { ALL.to_vec() } else { SHORT.to_vec() };
    let is_named = |fault: &Fault| named.is_empty() || named.contains(&format!("{fault:?}"));
    all.into_iter().filter(is_named).collect()
}

/// Each failure once, on a new database.
fn run(cluster: &Cluster, links: &[Link], cycle: u64, is_long: bool, pauses: &mut Pauses) {
    let mut dice = chance(1 << 20 | cycle);
    let fleet = Fleet::start(cluster, links, &format!("fleet{cycle}"));
    let load = Load::on(&fleet);
    let place = Place {
        cluster,
        fleet: &fleet,
        load: &load,
    };
    let mut faults = selected(is_long);
    faults.shuffle(&mut dice);
    for faults in faults.chunks(if is_long { 1 } else { 3 }) {
        let begun = Instant::now();
        for fault in faults {
            load.during(&mut dice, |dice| {
                let pause = place.inflict(*fault, dice);
                pauses.entry(format!("{fault:?}")).or_default().push(pause);
            });
        }
        load.check(false, dice.random_range(0..8));
        println!("{faults:?} {:?}", begun.elapsed());
    }
    (0..SERVERS).for_each(|server| {
        fleet.signal(server, "TERM");
        fleet.start_again(server);
    });
    load.during(&mut dice, |_| {});
    load.check(true, 0);
    let ledger = load.ledger.lock().expect("a lock");
    let rejected = |of: fn(&Act) -> bool| {
        let entries = ledger.entries.iter();
        entries
            .filter(|entry| entry.outcome == Outcome::Rejected && of(&entry.act))
            .count()
    };
    println!(
        "cycle {cycle}: {} acknowledged, 0 lost; {} repeated on another server; {} credentials ended, which were rejected {} times",
        ledger.acknowledged(),
        load.retried.load(Ordering::Relaxed),
        load.ended.count(),
        load.ended.rejected.load(Ordering::Relaxed),
    );
    assert!(
        rejected(|act| matches!(act, Act::Key { .. })) > 0,
        "nobody raced for a third key"
    );
    assert!(
        rejected(|act| matches!(act, Act::Application { .. })) > 0,
        "nobody applied twice"
    );
}
