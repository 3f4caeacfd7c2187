//! One-time codes: what they are exchanged for, and what ends them.

use super::*;
use conformance::Caller;
use contract::support::digest::Digest;
use contract::{Clock, worker_token};
use serde_json::{Value, json};
use std::time::Duration;

/// A market with a clock, and one worker with a token.
fn scene() -> (Clock, Market, Caller) {
    let clock = Clock::manual(1_750_000_000);
    let market = Market::open(clock.clone());
    let worker = market.worker();
    (clock, market, worker)
}

fn code(market: &Market, human: i64) -> String {
    let made = market.call(&market.operator(), op!(operator::create_human_code), &[human], "", None);
    let code = made.data()["code"].as_str().map(str::to_owned);
    code.expect("a code")
}

/// Exchanges a code for this token.
fn exchange(market: &Market, code: &str, secret: &str) -> Reply {
    let body = json!({ "code": code, "token_digest": Digest::from_secret(secret).to_hex() });
    let request = op!(join::create_session).request(None, &[], "", Some(&body));
    let response = market.answer(&request);
    Reply { request, response }
}

fn caller(secret: &str) -> Caller {
    Caller {
        secret: secret.to_owned(),
        id: 0,
        kind: "worker_token",
    }
}

fn me(market: &Market, secret: &str) -> Reply {
    market.get(&caller(secret), op!(worker::get_me), &[], "")
}

#[test]
fn a_code_signs_in_once_and_a_lost_answer_burns_nothing() {
    let (clock, market, worker) = scene();
    let code = code(&market, worker.id);
    assert_eq!(
        me(&market, &worker.secret).status(),
        200,
        "the former token lasts until the code is used"
    );
    let (mine, other) = (worker_token::mint(), worker_token::mint());
    assert_eq!(exchange(&market, &code, &mine).status(), 201);
    assert_eq!(me(&market, &mine).data()["id"], worker.id);
    me(&market, &worker.secret).rejected(401);
    // Another one who has seen the code comes too late; who has lost the answer does not.
    exchange(&market, &code, &other).rejected(403);
    clock.advance(Duration::from_secs(599));
    assert_eq!(exchange(&market, &code.to_lowercase(), &mine).status(), 201);
    clock.advance(Duration::from_secs(1));
    exchange(&market, &code, &mine).rejected(403);
    assert_eq!(me(&market, &mine).status(), 200);
}

#[test]
fn a_code_lasts_a_day_and_ends_with_a_new_one_or_a_suspension() {
    let (clock, market, worker) = scene();
    let late = code(&market, worker.id);
    clock.advance(Duration::from_secs(24 * 60 * 60));
    exchange(&market, &late, &worker_token::mint()).rejected(403);

    let (former, new) = (code(&market, worker.id), code(&market, worker.id));
    exchange(&market, &former, &worker_token::mint()).rejected(403);
    let suspended = |on: bool| {
        let body = json!({ "suspended": on });
        market
            .send(&market.operator(), op!(operator::update_human), &[worker.id], body)
            .status()
    };
    assert_eq!((suspended(true), suspended(false)), (200, 200));
    exchange(&market, &new, &worker_token::mint()).rejected(403);

    // One that was made for a suspended worker does not work before the suspension ends.
    suspended(true);
    let (early, mine) = (code(&market, worker.id), worker_token::mint());
    exchange(&market, &early, &mine).rejected(403);
    assert_eq!(me(&market, &worker.secret).status(), 403);
}

#[test]
fn a_repeated_exchange_gives_no_token_back_that_has_ended() {
    let (_, market, worker) = scene();
    let (code, mine) = (code(&market, worker.id), worker_token::mint());
    assert_eq!(exchange(&market, &code, &mine).status(), 201);
    let ended = market.call(
        &market.operator(),
        op!(operator::delete_human_token),
        &[worker.id],
        "",
        None,
    );
    assert_eq!(ended.status(), 200);
    exchange(&market, &code, &mine).rejected(403);
    me(&market, &mine).rejected(401);
}

#[test]
fn a_code_gives_nobody_the_token_of_another_worker() {
    let (_, market, worker) = scene();
    let other = market.worker();
    exchange(&market, &code(&market, worker.id), &other.secret).rejected(403);
    assert_eq!(me(&market, &other.secret).data()["id"], other.id);
}

#[test]
fn codes_for_many_are_made_for_all_or_none() {
    let (_, market, worker) = scene();
    let other = market.worker();
    let make = |ids: Value| {
        let op = op!(operator::create_human_codes);
        market.send(&market.operator(), op, &[], json!({ "ids": ids }))
    };
    let made = make(json!([other.id, worker.id])).data();
    let rows: Vec<(i64, String)> = made["codes"]
        .as_array()
        .expect("codes")
        .iter()
        .map(|row| {
            (
                row["id"].as_i64().expect("an id"),
                row["code"].as_str().expect("a code").to_owned(),
            )
        })
        .collect();
    assert_eq!(
        rows.iter().map(|(id, _)| *id).collect::<Vec<_>>(),
        [other.id, worker.id]
    );
    assert_eq!(made["ends_at"], "2025-06-16T15:06:40");
    make(json!([worker.id, 999_999])).rejected(400);
    // The codes from before still work.
    for (id, code) in rows {
        let token = worker_token::mint();
        assert_eq!(exchange(&market, &code, &token).status(), 201);
        assert_eq!(me(&market, &token).data()["id"], id);
    }
}

#[test]
fn what_is_no_code_is_rejected_like_a_wrong_one() {
    let (_, market, worker) = scene();
    let right = code(&market, worker.id);
    let wrong = exchange(&market, "x", &worker_token::mint()).rejected(403);
    for code in ["1", "106-0000-0000-0000-0000", "東京", &right[..right.len() - 1]] {
        assert_eq!(
            exchange(&market, code, &worker_token::mint()).rejected(403),
            wrong,
            "{code}"
        );
    }
}
