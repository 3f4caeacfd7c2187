//! Erasing workers, as all sides see it.

use super::*;
use serde_json::{Value, json};

#[test]
fn an_erased_worker_stays_erased() {
    let market = Market::open(contract::Clock::system());
    let (operator, poster, worker) = (market.operator(), market.agent("free"), market.worker());
    let (human, body) = (worker.id, json!({ "title": "T", "description": "D", "budget": 1 }));
    let bounty = market.send(&poster, op!(agent::create_bounty), &[], body).data()["id"].as_i64();
    let bounty = bounty.expect("an id");
    let skills = json!({ "headline": "Hana cooks", "skills": [{ "name": "Cooking", "category": "Home" }] });
    let updated = market.send(&worker, op!(worker::update_me), &[], skills);
    assert_eq!(updated.status(), 200);
    let apply = op!(worker::create_application);
    market
        .send(&worker, apply, &[bounty], json!({ "message": "I am Hana" }))
        .data();
    let conversation = market.conversation(&poster, human);
    let answer = json!({ "content": "I live in Kyoto" });
    market
        .send(&worker, op!(worker::create_message), &[conversation], answer)
        .data();

    let erase = || {
        market
            .call(&operator, op!(operator::erase_human), &[human], "", None)
            .status()
    };
    assert_eq!(erase(), 200);
    market.get(&worker, op!(worker::get_me), &[], "").rejected(401);
    let get = |caller, operation, ids: &[i64], query| market.get(caller, operation, ids, query).data();
    market.get(&poster, op!(agent::get_human), &[human], "").rejected(404);
    assert_eq!(get(&poster, op!(agent::list_humans), &[], "skill=Cooking"), json!([]));
    let again = json!({ "human_id": human, "message": "Hello" });
    market
        .send(&poster, op!(agent::create_conversation), &[], again)
        .rejected(404);
    let application = &get(&poster, op!(agent::list_applications), &[bounty], "")[0];
    assert_eq!([&application["name"], &application["message"]], ["(deleted)"; 2]);
    assert_eq!(application["rating"], 0);
    let talk = get(&poster, op!(agent::get_conversation), &[conversation], "");
    assert_eq!(talk["human_name"], "(deleted)");
    let texts = talk["messages"]
        .as_array()
        .map(|rows| rows.iter().map(|row| row["content"].clone()));
    assert_eq!(texts.map(Vec::from_iter), Some(vec![json!("(deleted)"); 2]));
    let profile = get(&operator, op!(operator::get_human), &[human], "");
    let wanted = json!({
        "id": human, "name": "(deleted)", "headline": "(deleted)", "bio": "(deleted)", "city": "(deleted)",
        "state": "(deleted)", "gender": "other", "hourly_rate": 0, "rating": 0, "total_reviews": 0, "is_verified": false,
        "external_id": null, "is_available": false, "skills": [], "photos": [], "has_token": false, "suspended": true, "erased": true,
        "sandbox": false,
    });
    assert_eq!(profile, wanted);
    let ids = |query| market.get(&operator, op!(operator::list_humans), &[], query);
    assert_eq!(super::ids(&ids("")), Vec::<i64>::new());
    assert_eq!(super::ids(&ids("erased=true")), [human]);

    // It can be repeated, and nothing else can be done.
    assert_eq!(erase(), 200);
    market
        .send(
            &operator,
            op!(operator::update_human),
            &[human],
            json!({ "suspended": false }),
        )
        .rejected(409);
    market
        .call(&operator, op!(operator::create_human_token), &[human], "", None)
        .rejected(409);
    market
        .call(&operator, op!(operator::create_human_code), &[human], "", None)
        .rejected(409);
    market
        .send(
            &operator,
            op!(operator::create_human_codes),
            &[],
            json!({ "ids": [human] }),
        )
        .rejected(400);
    market
        .call(&operator, op!(operator::erase_human), &[999], "", None)
        .rejected(404);
}

#[test]
fn an_erased_worker_gets_no_messages() {
    let market = Market::open(contract::Clock::system());
    let (operator, poster, worker) = (market.operator(), market.agent("free"), market.worker());
    let conversation = market.conversation(&poster, worker.id);
    let say = |body: Value| market.send(&poster, op!(agent::create_message), &[conversation], body);
    say(json!({ "content": "Are you there?" })).data();
    let erased = market.call(&operator, op!(operator::erase_human), &[worker.id], "", None);
    assert_eq!(erased.status(), 200);
    let messages = || {
        market
            .get(&poster, op!(agent::list_messages), &[conversation], "")
            .data()
    };
    let former = messages();
    // This is the first of the errors of the request.
    for body in [
        json!({ "content": "Hello?" }),
        json!({ "content": "Hello?", "files": [9999] }),
    ] {
        let text = say(body).rejected(400);
        assert_eq!(
            text,
            "the worker of this conversation is erased and cannot read messages"
        );
    }
    assert_eq!(messages(), former);
}

#[test]
fn the_status_has_totals_and_the_present_day() {
    let market = Market::open(contract::Clock::system());
    let (operator, poster, worker) = (market.operator(), market.agent("free"), market.worker());
    let conversation = market.conversation(&poster, worker.id);
    market
        .send(
            &worker,
            op!(worker::create_message),
            &[conversation],
            json!({ "content": "Hi" }),
        )
        .data();
    let status = market.get(&operator, op!(operator::get_status), &[], "").data();
    let totals = json!({
        "accounts": 1, "workers": 1, "bounties": 0, "open_bounties": 0, "applications": 0, "conversations": 1, "messages": 2,
    });
    assert_eq!(status["totals"], totals);
    assert_eq!(status["days"].as_array().map(Vec::len), Some(14));
    assert_eq!(
        (&status["last_backup_at"], &status["p99_microseconds"]),
        (&Value::Null, &Value::Null)
    );
}
