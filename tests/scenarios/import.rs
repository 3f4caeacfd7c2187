//! The import: all or nothing, in order.

use super::*;
use crate::world::human;
use serde_json::{Value, json};

#[test]
fn one_wrong_worker_keeps_all_of_them_out() {
    let market = Market::open(contract::Clock::system());
    let agent = market.agent("free");
    let total = || market.get(&agent, op!(agent::list_humans), &[], "").json()["total"].clone();
    let mut humans: Vec<Value> = (0..1000)
        .map(|n| human(json!({ "name": format!("Worker {n}") })))
        .collect();
    humans[999]["hourly_rate"] = json!(-1);
    humans[500]["gender"] = json!("unknown");
    let text = market
        .send(
            &market.operator(),
            op!(operator::import_humans),
            &[],
            json!({ "humans": humans }),
        )
        .rejected(400);
    assert!(
        text.contains("humans[500].gender") && text.contains("humans[999].hourly_rate"),
        "{text}"
    );
    assert_eq!(total(), 0);
    humans[999]["hourly_rate"] = json!(1);
    humans[500]["gender"] = json!("male");
    let ids = market.import(&humans);
    assert!(
        ids.len() == 1000 && ids.is_sorted_by(|a, b| a < b),
        "in the order given"
    );
    assert_eq!(total(), 1000);
    let last = market.get(&agent, op!(agent::get_human), &[ids[999]], "").data();
    assert_eq!(last["name"], "Worker 999");
}

#[test]
fn a_worker_may_be_as_large_as_the_bounds_allow_all_together() {
    let market = market();
    let skills: Vec<Value> = (0..30)
        .map(|n| json!({ "name": format!("{n:02}{}", "語".repeat(98)), "category": "類".repeat(100) }))
        .collect();
    let photos = vec![json!({ "url": "x".repeat(2000) }); 20];
    let id = market.human_like(
        json!({ "bio": "語".repeat(10_000), "headline": "題".repeat(200), "skills": skills, "photos": photos }),
    );
    let worker = market
        .get(&market.agent("free"), op!(agent::get_human), &[id], "")
        .data();
    assert_eq!(
        (worker["skills"].as_array().map(Vec::len), &worker["photos"]),
        (Some(30), &json!(photos))
    );
    assert_eq!(worker["bio"].as_str().map(|bio| bio.chars().count()), Some(10_000));
}
