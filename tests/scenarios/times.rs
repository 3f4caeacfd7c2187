//! Times of the service's clock, which tests set. (The store's own tests check the order of messages.)

use super::*;
use contract::Clock;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

#[test]
fn messages_follow_the_clock_and_none_is_dated_before_the_one_before_it() {
    let clock = Clock::manual(1_750_000_000);
    let market = Market::open(clock.clone());
    let (agent, worker) = (market.agent("free"), market.worker());
    let id = market.conversation(&agent, worker.id);
    let say = |caller, op| market.send(caller, op, &[id], json!({ "content": "Hi" })).data();
    // The clock of the machine is corrected, and then set back to what it was.
    for (caller, op, by_millis) in [
        (&worker, op!(worker::create_message), 7_200_000),
        (&agent, op!(agent::create_message), -7_200_000),
    ] {
        clock.correct(by_millis);
        say(caller, op);
    }
    let dates = |id| {
        let conversation = market.get(&agent, op!(agent::get_conversation), &[id], "").data();
        let messages = conversation["messages"].as_array().expect("a list").iter();
        messages
            .map(|message| message["created_at"].clone())
            .collect::<Vec<_>>()
    };
    let (first, corrected) = ("2025-06-15T15:06:40", "2025-06-15T17:06:40");
    assert_eq!(dates(id), [first, corrected, corrected]);
    let other = market.conversation(&agent, worker.id);
    assert_eq!(dates(other), [first]);
    let inbox = market.get(&agent, op!(agent::list_conversations), &[], "");
    assert_eq!(ids(&inbox), [id, other]);
}

#[test]
fn the_last_use_of_a_key_is_null_at_first_and_then_at_most_a_minute_old() {
    let clock = Clock::manual(1_750_000_000);
    let market = Market::open(clock.clone());
    let agent = market.agent("free");
    let spare = market.key_of(agent.id);
    let last_use = || market.get(&agent, op!(agent::list_keys), &[], "").data()[1]["last_used_at"].clone();
    assert_eq!(last_use(), Value::Null);
    let mut distinct = BTreeSet::new();
    for seconds in [0, 59, 1, 3600] {
        clock.advance(Duration::from_secs(seconds));
        market.get(&spare, op!(agent::list_keys), &[], "").data();
        let last_used = last_use();
        let now = clock.now();
        let late = [0, 60].map(|late| contract::Timestamp::from_unix(now.unix() - late).to_string());
        let last_used = last_used.as_str().expect("it was used").to_owned();
        assert!(
            last_used <= late[0] && last_used >= late[1],
            "{last_used} at {}",
            late[0]
        );
        distinct.insert(last_used);
    }
    assert!(distinct.len() > 1, "it moves on");
}
