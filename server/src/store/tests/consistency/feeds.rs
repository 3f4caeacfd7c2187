//! Feeds of events. Account 1 has 5 events: 3 applications, 2 messages. Worker 1 has 2, of bounty 2 and of its
//! conversation; worker 2 has one, of its conversation.

use contract::HumanId;
use contract::events::Recipient;

use super::*;

const ACCOUNT: Recipient = Recipient::Account(AccountId::new(1));

#[test]
fn an_event_that_is_missing_from_its_feed() {
    for (number, found) in [(1_i64, 4), (3, 4), (5, 4)] {
        let lose = |trees: &Raw| drop(trees.take(tables::EVENTS, &(ACCOUNT, number).bytes()));
        let text = format!("the feed of account 1 states the events 1 to 5, but has {found} or others");
        check(lose, &[&text]);
    }
}

#[test]
fn a_feed_that_is_missing() {
    let worker = Recipient::Human(HumanId::new(2));
    let lose = |trees: &Raw| drop(trees.take(tables::FEEDS, &worker.bytes()));
    check(lose, &["event 1 of worker 2 is in no feed"]);
}

#[test]
fn a_feed_of_nobody() {
    let nobody = Recipient::Account(AccountId::new(9));
    let stray = |trees: &Raw| {
        let stored = trees.stored(tables::EVENTS, &(ACCOUNT, 1_i64).bytes());
        trees.put(tables::EVENTS, &(nobody, 1_i64).bytes(), &stored);
        trees.put(
            tables::FEEDS,
            &nobody.bytes(),
            &[1_i64.to_be_bytes(), 1_i64.to_be_bytes()].concat(),
        );
    };
    check(stray, &["there is a feed of account 9, which does not exist"]);
}

#[test]
fn an_event_that_cannot_be_read() {
    let garble = |trees: &Raw| trees.put(tables::EVENTS, &(ACCOUNT, 2_i64).bytes(), b"{}");
    check(
        garble,
        &["event 2 of account 1 does not fit the contract (missing field `commit`)"],
    );
    let stray = |trees: &Raw| trees.put(tables::EVENTS, b"\x01\x02", b"{}");
    check(stray, &["`events` has the invalid key 0102"]);
    let garble = |trees: &Raw| trees.put(tables::FEEDS, &ACCOUNT.bytes(), b"12");
    let found = findings(garble);
    assert_eq!(found[0], "the feed of account 1 cannot be read (no span)");
}
