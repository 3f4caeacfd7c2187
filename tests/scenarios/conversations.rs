//! Conversations: messages in both directions, dated by the clock. (The store's own tests check their order.)

use super::*;
use contract::Clock;
use serde_json::{Value, json};

#[test]
fn both_sides_write_and_the_credential_says_who_did() {
    let market = market();
    let (agent, worker) = (market.agent_named("Poster", "free"), market.worker());
    let id = market.conversation(&agent, worker.id);
    let from_worker = market
        .send(
            &worker,
            op!(worker::create_message),
            &[id],
            json!({ "content": "Hi\nthere" }),
        )
        .data();
    let from_agent = market
        .send(&agent, op!(agent::create_message), &[id], json!({ "content": "When?" }))
        .data();
    let read_by_agent = market.get(&agent, op!(agent::get_conversation), &[id], "").data();
    let read_by_worker = market.get(&worker, op!(worker::get_conversation), &[id], "").data();
    assert_eq!(read_by_agent["messages"], read_by_worker["messages"]);
    let part = |name: &str| {
        read_by_agent["messages"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|m| m[name].clone())
            .collect::<Vec<Value>>()
    };
    assert_eq!(part("sender_type"), ["agent", "human", "agent"]);
    assert_eq!(part("content"), ["Hello", "Hi\nthere", "When?"]);
    assert_eq!(part("id")[1..], [from_worker["id"].clone(), from_agent["id"].clone()]);
    assert_eq!(
        (&read_by_agent["human_name"], &read_by_worker["poster_name"]),
        (&json!("Human"), &json!("Poster"))
    );
    let claimed = json!({ "content": "x", "sender_type": "agent" });
    market
        .send(&worker, op!(worker::create_message), &[id], claimed)
        .rejected(400);
}

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
