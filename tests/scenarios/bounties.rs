//! Bounties: search in a list, and numbers in the form that was sent.

use super::*;
use serde_json::{Value, json};

fn post(market: &Market, agent: &Caller, members: Value) -> i64 {
    let mut body = json!({ "title": "Title", "description": "Description", "budget": 1 });
    for (name, value) in members.as_object().expect("members").iter() {
        body[name] = value.clone();
    }
    market.send(agent, op!(agent::create_bounty), &[], body).data()["id"]
        .as_i64()
        .expect("ids are integers")
}

#[test]
fn numbers_keep_the_value_that_was_sent() {
    let market = market();
    let agent = market.agent("free");
    for (sent, came) in [
        ("100", "100"),
        ("49.99", "49.99"),
        ("100.0", "100"),
        ("1e2", "100"),
        ("0.10", "0.1"),
        ("10000000", "10000000"),
    ] {
        let body = format!(
            r#"{{"title":"T","description":"D","budget":{sent},"estimated_hours":{sent_hours}}}"#,
            sent_hours = if sent == "10000000" { "0.125" } else { sent }
        );
        let mut request = request(&agent, op!(agent::create_bounty), &[], "", Some(Value::Null));
        request.body = Some(body.into_bytes());
        let response = market.service().call(&request);
        let id = Reply { request, response }.data()["id"]
            .as_i64()
            .expect("ids are integers");
        let reply = market.get(&agent, op!(agent::get_bounty), &[id], "");
        let text = String::from_utf8_lossy(&reply.response.body).into_owned();
        assert!(text.contains(&format!(r#""budget":{came},"#)), "{sent}: {text}");
    }
}

#[test]
fn filters_match_after_nfkc_and_case_folding() {
    let market = Market::open(contract::Clock::system());
    let agent = market.agent("free");
    let osaka = post(
        &market,
        &agent,
        json!({ "category": "cooking", "location": "ＯＳＡＫＡ, Japan", "is_remote": false }),
    );
    let tokyo = post(
        &market,
        &agent,
        json!({ "category": "cooking", "location": "Tokyo", "is_remote": true }),
    );
    let nowhere = post(&market, &agent, json!({ "category": "cook" }));
    let closed = post(&market, &agent, json!({ "category": "cooking", "location": "Osaka" }));
    market
        .send(
            &agent,
            op!(agent::update_bounty),
            &[closed],
            json!({ "status": "in_progress" }),
        )
        .data();
    for (query, found) in [
        ("", &[nowhere, tokyo, osaka][..]),
        ("category=cooking", &[tokyo, osaka]),
        ("category=COOKING", &[tokyo, osaka]),
        ("category=cookin", &[]),
        ("location=osaka", &[osaka]),
        ("location=saka%2C+jap", &[osaka]),
        ("location=%EF%BD%94%EF%BD%8F%EF%BD%8B", &[tokyo]),
        ("location=o", &[tokyo, osaka]),
        ("is_remote=1", &[tokyo]),
        ("is_remote=true", &[tokyo]),
        ("is_remote=0", &[nowhere, tokyo, osaka]),
        ("is_remote=false&category=cook", &[nowhere]),
        ("is_remote=1&location=osaka", &[]),
        ("limit=1", &[nowhere]),
        ("limit=2&offset=1", &[tokyo, osaka]),
        ("offset=3", &[]),
    ] {
        let reply = market.get(&agent, op!(agent::list_bounties), &[], query);
        assert_eq!(ids(&reply), found, "{query}");
        let paged = query.contains("limit") || query.contains("offset");
        assert_eq!(reply.json()["total"], if paged { 3 } else { found.len() }, "{query}");
    }
    market
        .send(
            &agent,
            op!(agent::update_bounty),
            &[closed],
            json!({ "status": "open" }),
        )
        .data();
    assert_eq!(
        ids(&market.get(&agent, op!(agent::list_bounties), &[], "location=osaka")),
        [closed, osaka]
    );
}

#[test]
fn a_bounty_shows_in_a_list_as_it_was_posted() {
    let market = market();
    let agent = market.agent_named("Poster", "free");
    let id = post(
        market,
        &agent,
        json!({ "title": "語", "location": "Kyoto", "category": "a_b-9" }),
    );
    market.application_to(id, &market.worker());
    let row = every(market, &agent, op!(agent::list_bounties), "")
        .into_iter()
        .find(|row| row["id"] == id);
    let wanted = json!({
        "id": id, "title": "語", "description": "Description", "category": "a_b-9", "budget": 1, "location": "Kyoto",
        "is_remote": false, "upvotes": 0, "downvotes": 0, "applications_count": 1, "status": "open", "poster_name": "Poster",
    });
    assert_eq!(row, Some(wanted));
}
