//! Changes of accounts and workers by the operator, and their effect for others.

use super::*;
use serde_json::json;

#[test]
fn the_posters_name_is_the_accounts_as_it_is_now() {
    let market = market();
    let agent = market.agent_named("First name", "free");
    let worker = market.worker();
    let bounty = market.bounty_of(&agent);
    let conversation = market.conversation(&agent, worker.id);
    let poster_name = || {
        let rows = every(market, &worker, op!(worker::list_bounties), "");
        let row = rows.iter().find(|row| row["id"] == bounty).expect("it is listed")["poster_name"].clone();
        let detail = market
            .get(&worker, op!(worker::get_conversation), &[conversation], "")
            .data();
        let item = market.get(&worker, op!(worker::list_conversations), &[], "").data();
        assert_eq!((&detail["poster_name"], &item[0]["poster_name"]), (&row, &row));
        row
    };
    assert_eq!(poster_name(), "First name");
    let op = op!(operator::update_account);
    market
        .send(&market.operator(), op, &[agent.id], json!({ "name": "Second name" }))
        .data();
    assert_eq!(poster_name(), "Second name");
}

#[test]
fn a_workers_limit_is_the_workers_whatever_the_token() {
    let market = market();
    let former = market.worker();
    let limited = Service::limited(market.app(), contract::Clock::manual(1_750_000_027));
    let remaining = |caller: &Caller| {
        let reply = limited.get(caller, op!(worker::get_me), &[], "");
        reply
            .response
            .header("x-ratelimit-remaining")
            .and_then(|text| text.parse::<u32>().ok())
            .expect("a number")
    };
    let before = remaining(&former);
    let present = market.token_of(former.id);
    assert_eq!(remaining(&present), before - 1);
}

#[test]
fn a_profile_changes_only_in_the_sent_members() {
    let market = market();
    let worker = market.worker();
    let skills = json!([{ "name": "Cooking", "category": "Home" }, { "name": "洗濯", "category": "Home" }]);
    market
        .send(
            &worker,
            op!(worker::update_me),
            &[],
            json!({ "headline": "New", "skills": skills }),
        )
        .data();
    let me = market.get(&worker, op!(worker::get_me), &[], "").data();
    let profile = market
        .get(&market.agent("free"), op!(agent::get_human), &[worker.id], "")
        .data();
    assert_eq!(me, profile, "agents see what the worker sees");
    assert_eq!(
        (&me["headline"], &me["city"], &me["hourly_rate"]),
        (&json!("New"), &json!("City"), &json!(1000))
    );
    let names: Vec<_> = me["skills"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|skill| skill["name"].clone())
        .collect();
    assert_eq!(
        names,
        ["Cooking", "洗濯"],
        "skills keep the order that they were given in"
    );
    for forbidden in ["name", "state", "gender", "rating", "is_verified", "photos"] {
        market
            .send(&worker, op!(worker::update_me), &[], json!({ forbidden: "x" }))
            .rejected(400);
    }
}

#[test]
fn a_skill_id_is_shared_by_all_who_have_the_skill() {
    let market = market();
    let skill = |name: &str, category: &str| {
        let id = market.human_like(json!({ "skills": [{ "name": name, "category": category }] }));
        let human = market
            .get(&market.agent("free"), op!(agent::get_human), &[id], "")
            .data();
        human["skills"][0]["id"].as_i64().expect("ids are integers")
    };
    let plain = skill("Dog walking", "Pets");
    assert_eq!(skill("ＤＯＧ walking", "PETS"), plain);
    assert_ne!(skill("Dog walking", "Sport"), plain);
    assert_ne!(skill("Cat walking", "Pets"), plain);
    let skills = json!([{ "name": "Dog walking", "category": "a" }, { "name": "dog WALKING", "category": "b" }]);
    market
        .send(
            &market.operator(),
            op!(operator::create_human),
            &[],
            crate::world::human(json!({ "skills": skills })),
        )
        .rejected(400);
}
