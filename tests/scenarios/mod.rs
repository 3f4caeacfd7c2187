//! Tests that need several users, several steps, or many requests. Tests of single requests are generated.

mod accounts;
mod bounties;
mod conversations;
mod decisions;
mod import;
mod injected;
mod keys;
mod limits;
mod unsent;
mod validation_errors;

use crate::world::{Api, Market, Reply, op};
use crate::world::{Service, market, request};
use conformance::{Caller, Op};

/// The numbers under a name in each item of a list.
#[track_caller]
fn ids(reply: &Reply) -> Vec<i64> {
    let data = reply.data();
    let rows = data.as_array().expect("a list");
    rows.iter()
        .map(|row| row["id"].as_i64().expect("ids are integers"))
        .collect()
}

/// The items of all pages of a list.
fn every(market: &Market, caller: &Caller, op: Op, query: &str) -> Vec<serde_json::Value> {
    let mut rows = Vec::new();
    loop {
        let reply = market.get(caller, op, &[], &format!("{query}&limit=100&offset={}", rows.len()));
        let total = reply.json()["total"].as_u64().expect("the list has a total");
        rows.extend(reply.data().as_array().expect("a list").iter().cloned());
        if rows.len() as u64 >= total {
            return rows;
        }
    }
}
