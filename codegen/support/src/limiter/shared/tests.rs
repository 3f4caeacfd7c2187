use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use super::*;
use crate::clock::Clock;
use crate::limiter::Limiter;

type Owner = (u16, i64);

/// 17 seconds into a clock minute.
const START: u64 = 1_700_000_040 - 43;
const NAMES: (&str, &str) = ("read", "read:owner");
const ANN: Owner = (0, 1);

/// Where processes exchange their counts: by limit, key, window and process.
#[derive(Default)]
struct Table(BTreeMap<(String, String, u64, usize), u32>);

/// A process: its number, and its limiter.
struct Node<K: Clone + Eq + Hash>(usize, Limiter<K>);

impl Table {
    /// What the others have counted of what this process sends.
    fn publish(&mut self, node: usize, sent: &[SharedCount]) -> Vec<SharedCount> {
        let mut elsewhere = Vec::new();
        for one in sent {
            let (limit, key) = (one.limit.clone(), one.key.clone());
            self.0.insert((limit, key, one.window_end, node), one.count);
            let others = self.0.iter().filter(|((limit, key, end, other), _)| {
                (limit, key, *end) == (&one.limit, &one.key, one.window_end) && *other != node
            });
            let count = others.map(|(_, count)| count).sum();
            elsewhere.push(SharedCount { count, ..one.clone() });
        }
        elsewhere
    }

    fn exchange<K: SharedKey>(&mut self, Node(number, limiter): &Node<K>) -> usize {
        let sent = limiter.counted(NAMES);
        let elsewhere = self.publish(*number, &sent);
        limiter.exchanged(NAMES, &sent, &elsewhere);
        sent.len()
    }
}

/// A process with 300 requests for each owner, and more for each key.
fn node(number: usize, clock: &Clock) -> Node<Owner> {
    let limiter = Limiter::new(1_000, 60, clock.clone());
    Node(number, limiter.with_owner_max(300).sharing_owners(true))
}

/// How many of these requests of Ann are allowed, each with another key.
fn allowed(Node(_, limiter): &Node<Owner>, requests: i64) -> usize {
    let mut allowed = 0;
    for key in 0..requests {
        allowed += usize::from(limiter.check_owned(&(9, key), Some(&ANN)).allowed);
    }
    allowed
}

#[test]
fn processes_that_exchange_each_request_share_one_quota() {
    let clock = Clock::manual(START);
    for count in [2, 3] {
        let (mut table, nodes) = (
            Table::default(),
            Vec::from_iter((0..count).map(|number| node(number, &clock))),
        );
        let mut total = 0;
        for _ in 0..300 {
            for node in &nodes {
                total += allowed(node, 1);
                table.exchange(node);
            }
        }
        assert!((300..300 + count).contains(&total), "{count} processes: {total}");
        clock.advance(Duration::from_secs(60));
    }
}

#[test]
fn more_than_the_quota_passes_only_between_two_exchanges() {
    let clock = Clock::manual(START);
    let (mut table, nodes) = (Table::default(), [node(0, &clock), node(1, &clock)]);
    let mut total = 0;
    for _ in 0..20 {
        for node in &nodes {
            total += allowed(node, 40);
            table.exchange(node);
        }
    }
    // 40 pass on the second process before it learns of the last ones on the first.
    assert!((300..=340).contains(&total), "{total}");
    // Without any exchange, each has its own.
    clock.advance(Duration::from_secs(60));
    assert_eq!(nodes.each_ref().map(|node| allowed(node, 400)), [300, 300]);
}

#[test]
fn the_rest_is_reported_without_what_others_have_counted() {
    let clock = Clock::manual(START);
    let (mut table, nodes) = (Table::default(), [node(0, &clock), node(1, &clock)]);
    assert_eq!(allowed(&nodes[0], 250), 250);
    table.exchange(&nodes[0]);
    assert_eq!(allowed(&nodes[1], 1), 1);
    table.exchange(&nodes[1]);
    let decision = nodes[1].1.check_owned(&(9, 0), Some(&ANN));
    // 250 there, 1 and this one here.
    assert_eq!((decision.remaining, decision.is_owners), (48, true));
    assert_eq!(allowed(&nodes[1], 100), 48);
    let rejected = nodes[1].1.check_owned(&(9, 0), Some(&ANN));
    assert!(!rejected.allowed && rejected.remaining == 0);
}

#[test]
fn only_what_has_changed_is_sent_and_what_is_rejected_has_not() {
    let clock = Clock::manual(START);
    let (mut table, node) = (Table::default(), node(0, &clock));
    assert_eq!(table.exchange(&node), 0);
    assert_eq!(allowed(&node, 299), 299);
    // A count that rises while it is sent is sent again.
    let sent = node.1.counted(NAMES);
    assert_eq!(allowed(&node, 1), 1);
    node.1.exchanged(NAMES, &sent, &[]);
    assert_eq!(sent[0].count, 299);
    let again = node.1.counted(NAMES);
    assert_eq!((again.len(), again[0].count), (1, 300));
    // An exchange that fails has no end, and nothing is lost.
    assert_eq!(node.1.counted(NAMES), again);
    assert_eq!(table.exchange(&node), 1);
    assert_eq!((allowed(&node, 50), table.exchange(&node)), (0, 0));
}

#[test]
fn a_new_window_begins_without_the_counts_of_the_last_one() {
    let clock = Clock::manual(START);
    let (mut table, nodes) = (Table::default(), [node(0, &clock), node(1, &clock)]);
    assert_eq!(allowed(&nodes[0], 300), 300);
    assert_eq!(allowed(&nodes[1], 1), 1);
    table.exchange(&nodes[0]);
    let sent = nodes[1].1.counted(NAMES);
    let elsewhere = table.publish(1, &sent);
    clock.advance(Duration::from_secs(60));
    // The answer of the exchange is late, and about a window that is over.
    assert_eq!(allowed(&nodes[1], 1), 1);
    nodes[1].1.exchanged(NAMES, &sent, &elsewhere);
    assert_eq!(nodes[1].1.counted(NAMES).len(), 1);
    assert_eq!(allowed(&nodes[1], 400), 299);
    clock.advance(Duration::from_secs(60));
    assert_eq!(nodes[1].1.counted(NAMES), []);
    nodes[1].1.evict_idle();
    assert_eq!(nodes[1].1.owners(), 0);
}

#[test]
fn what_a_process_has_counted_stays_when_it_vanishes_or_starts_again() {
    let clock = Clock::manual(START);
    let mut table = Table::default();
    let (gone, other) = (node(0, &clock), node(1, &clock));
    assert_eq!(allowed(&gone, 200), 200);
    table.exchange(&gone);
    drop(gone);
    assert_eq!(allowed(&other, 1), 1);
    table.exchange(&other);
    assert_eq!(allowed(&other, 150), 99);
    table.exchange(&other);
    let again = node(2, &clock);
    assert_eq!(allowed(&again, 1), 1);
    table.exchange(&again);
    assert_eq!(allowed(&again, 50), 0);
}

#[test]
fn clocks_that_differ_share_the_rest_of_each_window() {
    let (ahead, behind) = (Clock::manual(START + 2), Clock::manual(START));
    let (mut table, nodes) = (Table::default(), [node(0, &ahead), node(1, &behind)]);
    for clock in [&ahead, &behind] {
        clock.advance(Duration::from_secs(42));
    }
    // The first one is in the next window for one second more.
    assert_eq!(allowed(&nodes[0], 300), 300);
    table.exchange(&nodes[0]);
    assert_eq!(allowed(&nodes[1], 10), 10);
    table.exchange(&nodes[1]);
    assert_eq!(allowed(&nodes[1], 10), 10);
    behind.advance(Duration::from_secs(1));
    assert_eq!(allowed(&nodes[1], 1), 1);
    table.exchange(&nodes[1]);
    assert_eq!(allowed(&nodes[1], 10), 0);
}

#[test]
fn addresses_are_shared_and_credentials_are_not() {
    let clock = Clock::manual(START);
    let mut table = Table::default();
    let nodes = [0, 1].map(|number| Node(number, Limiter::new(3, 60, clock.clone()).sharing_keys(true)));
    let address = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));
    let check = |node: &Node<IpAddr>| node.1.check(&address).allowed;
    assert!(check(&nodes[0]) && check(&nodes[0]) && check(&nodes[1]));
    assert_eq!(nodes.each_ref().map(|node| table.exchange(node)), [1, 1]);
    assert!(!check(&nodes[1]) && check(&nodes[0]));
    // Of an owner's keys only their sum leaves the process.
    let node = node(0, &clock);
    assert_eq!(allowed(&node, 5), 5);
    let sent = node.1.counted(NAMES);
    assert_eq!((sent.len(), sent[0].key.as_str(), sent[0].count), (1, "0 1", 5));
    let unshared: Limiter<IpAddr> = Limiter::new(3, 60, clock);
    assert!(unshared.check(&address).allowed);
    assert_eq!(unshared.counted(NAMES), []);
}

#[test]
fn keys_are_read_as_they_are_written() {
    for key in [(0, 1), (u16::MAX, i64::MIN), (7, i64::MAX)] {
        assert_eq!(Owner::parse(&key.to_text()), Some(key));
    }
    for address in ["192.0.2.7", "2001:db8:1:2::"] {
        let address: IpAddr = address.parse().unwrap();
        assert_eq!(IpAddr::parse(&address.to_text()), Some(address));
    }
    assert_eq!(
        (Owner::parse("1"), Owner::parse("1 x"), IpAddr::parse("x")),
        (None, None, None)
    );
}
