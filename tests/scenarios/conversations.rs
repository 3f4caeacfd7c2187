//! Conversations: both ways, and in order.

use super::*;
use contract::Clock;
use serde_json::{Value, json};
use std::time::Duration;

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
    let seen_by_agent = market.get(&agent, op!(agent::get_conversation), &[id], "").data();
    let seen_by_worker = market.get(&worker, op!(worker::get_conversation), &[id], "").data();
    assert_eq!(seen_by_agent["messages"], seen_by_worker["messages"]);
    let part = |name: &str| {
        seen_by_agent["messages"]
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
        (&seen_by_agent["human_name"], &seen_by_worker["poster_name"]),
        (&json!("Human"), &json!("Poster"))
    );
    let claimed = json!({ "content": "x", "sender_type": "agent" });
    market
        .send(&worker, op!(worker::create_message), &[id], claimed)
        .refused(400);
}

#[test]
fn the_conversation_with_the_latest_message_comes_first() {
    let clock = Clock::manual(1_750_000_000);
    let market = Market::open(clock.clone());
    let (agent, worker) = (market.agent("free"), market.worker());
    let first = market.conversation(&agent, worker.id);
    let second = market.conversation(&agent, worker.id);
    let lists = || {
        let by_agent = ids(&market.get(&agent, op!(agent::list_conversations), &[], ""));
        assert_eq!(
            by_agent,
            ids(&market.get(&worker, op!(worker::list_conversations), &[], ""))
        );
        by_agent
    };
    assert_eq!(
        lists(),
        [second, first],
        "a second one with the same worker is a new one; of one second, the later id"
    );
    clock.advance(Duration::from_secs(1));
    let long = "語".repeat(10_000);
    market
        .send(
            &worker,
            op!(worker::create_message),
            &[first],
            json!({ "content": long }),
        )
        .data();
    assert_eq!(lists(), [first, second]);
    let item = market
        .get(&agent, op!(agent::list_conversations), &[], "limit=1")
        .data();
    assert_eq!(item.as_array().map(Vec::len), Some(1));
    let shown = ["human_id", "human_name", "last_message", "last_message_at"].map(|name| item[0][name].clone());
    assert_eq!(
        shown,
        [
            json!(worker.id),
            json!("Human"),
            json!(long),
            json!("2025-06-15T15:06:41")
        ]
    );
}

#[test]
fn messages_sent_together_are_all_kept() {
    let market = market();
    let (agent, worker) = (market.agent("free"), market.worker());
    let id = market.conversation(&agent, worker.id);
    let from = |caller, op, n: usize| request(caller, op, &[id], "", Some(json!({ "content": format!("{n}") })));
    let requests = (0..20).map(|n| match n % 2 {
        0 => from(&agent, op!(agent::create_message), n),
        _ => from(&worker, op!(worker::create_message), n),
    });
    let replies = at_once(market.service(), requests.collect());
    assert!(replies.iter().all(|reply| reply.status < 300));
    let messages = market.get(&agent, op!(agent::get_conversation), &[id], "").data()["messages"].take();
    let messages = messages.as_array().expect("a list");
    assert_eq!(messages.len(), 21);
    for message in &messages[1..] {
        let even = message["content"]
            .as_str()
            .and_then(|n| n.parse::<u32>().ok())
            .expect("a number")
            % 2
            == 0;
        assert_eq!(message["sender_type"], if even { "agent" } else { "human" });
    }
    assert!(messages.is_sorted_by_key(|message| message["id"].as_i64()));
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
        let shown = market.get(&agent, op!(agent::get_conversation), &[id], "").data();
        let messages = shown["messages"].as_array().expect("a list").iter();
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
