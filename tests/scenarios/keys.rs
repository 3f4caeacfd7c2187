//! API keys: at most three, revoked at once, and their last use. (The store's own tests check races.)

use super::*;
use contract::Clock;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

#[test]
fn a_revoked_key_makes_room_for_another() {
    let market = market();
    let agent = market.agent("verified");
    let (second, third) = (market.key_of(agent.id), market.key_of(agent.id));
    market
        .send(&agent, op!(agent::create_key), &[], json!({ "name": "fourth" }))
        .rejected(403);
    market
        .call(&agent, op!(agent::delete_key), &[second.id], "", None)
        .data();
    let created = market
        .send(&agent, op!(agent::create_key), &[], json!({ "name": "fourth" }))
        .data();
    assert!(created["id"].as_i64() > Some(third.id), "an id is never used again");
}

#[test]
fn a_revoked_key_ends_at_once() {
    let market = market();
    let agent = market.agent("free");
    let key = ids(&market.get(&agent, op!(agent::list_keys), &[], ""))[0];
    assert_eq!(
        market.call(&agent, op!(agent::delete_key), &[key], "", None).status(),
        200
    );
    market.get(&agent, op!(agent::list_keys), &[], "").rejected(401);
    let again = market.key_of(agent.id);
    assert_eq!(
        ids(&market.get(&again, op!(agent::list_keys), &[], "")),
        [again.id],
        "the operator lets it in again"
    );
    market
        .call(&again, op!(agent::delete_key), &[key], "", None)
        .rejected(404);
}

#[test]
fn a_key_is_listed_by_its_first_characters_only() {
    let market = market();
    let agent = market.agent("verified");
    let created = market
        .send(&agent, op!(agent::create_key), &[], json!({ "name": "Label é" }))
        .data();
    let key = created["key"].as_str().expect("the key is shown once");
    let listed = market.get(&agent, op!(agent::list_keys), &[], "");
    let row = listed.data()[1].clone();
    let prefix = row["key_prefix"]
        .as_str()
        .and_then(|prefix| prefix.strip_suffix("..."))
        .expect("an ellipsis");
    assert!(key.starts_with(prefix) && prefix.len() < 12, "{prefix}");
    assert_eq!((&row["name"], &row["id"]), (&json!("Label é"), &created["id"]));
    assert!(!String::from_utf8_lossy(&listed.response.body).contains(key));
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
