//! Workers of the largest size.

use super::*;
use serde_json::{Value, json};

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
