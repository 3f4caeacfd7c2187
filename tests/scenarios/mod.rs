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
use crate::world::{market, request, suite, world_of};
use conformance::{DeclaredWorld, Scenarios, Verdict, World};

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
    expect_scenarios(world_of(Market::open(contract::Clock::system())));
}

/// The scenarios of the file hold in this world.
#[track_caller]
pub(crate) fn expect_scenarios(world: DeclaredWorld) {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios.yaml")).expect("the file");
    let scenarios = Scenarios::read(&text, suite().contract).expect("the file is valid");
    let world: &'static dyn World = Box::leak(Box::new(world));
    let verdicts = scenarios.names().map(|name| (name, scenarios.verdict(name, world)));
    let messages: Vec<String> = verdicts
        .filter(|(_, verdict)| !matches!(verdict, Verdict::Passed))
        .map(|(name, verdict)| {
            format!(
                "{name}: {}",
                verdict.failure().map_or("skipped".to_owned(), |one| one.to_string())
            )
        })
        .collect();
    assert!(messages.is_empty(), "{}", messages.join("\n\n"));
}
