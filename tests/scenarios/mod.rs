//! Tests that need several users, several steps, or many requests. Tests of single requests are generated. What runs against any
//! server is in `scenarios.yaml`; tests here set a clock, or look into the service.

mod codes;
mod erasure;
mod file_rights;
mod files;
mod import;
mod injected;
mod keys;
mod limits;
mod times;
mod unsent;
mod validation_errors;
mod waiting;

use crate::world::{Api, Market, Reply, op};
use crate::world::{contract, market, request, roots};
use conformance::{HistoryOptions, Request, ScenarioVerdict, Scenarios, Sender};

/// The numbers under a name in each item of a list.
#[track_caller]
fn ids(reply: &Reply) -> Vec<i64> {
    let data = reply.data();
    let rows = data.as_array().expect("a list");
    rows.iter()
        .map(|row| row["id"].as_i64().expect("ids are integers"))
        .collect()
}

/// The scenarios of the file, against this process.
#[test]
fn the_scenarios_hold() {
    let market = Market::open(::contract::Clock::system());
    let send = |request: &Request| Ok(market.answer(request));
    expect_scenarios(&send, market.operator().secret);
}

/// The scenarios of the file hold on this server.
#[track_caller]
pub(crate) fn expect_scenarios(send: &Sender, operator: String) {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios.yaml")).expect("the file");
    let scenarios = Scenarios::read(&text, contract()).expect("the file is valid");
    let options = HistoryOptions {
        is_limited: false,
        ..HistoryOptions::default()
    };
    let verdicts = scenarios.run(&|_| true, send, roots(operator), options).into_iter();
    let messages: Vec<String> = verdicts
        .filter_map(|(name, verdict)| match verdict {
            ScenarioVerdict::Passed => None,
            ScenarioVerdict::Failed(failure) => Some(format!("{name}: {failure}")),
            ScenarioVerdict::NotTried(reason) => Some(format!("{name}: not tried, {reason}")),
        })
        .collect();
    assert!(messages.is_empty(), "{}", messages.join("\n\n"));
}
