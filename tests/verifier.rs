//! What the verifier asks of a server, tried with the mock of the contract behind a layer that answers in another way.

use crate::histories::{MODEL, compare};
use crate::mocked::{TOKEN, mocked};
use crate::scenarios::expect_scenarios;
use ::contract::Clock;
use conformance::{
    Contract, Histories, HistoryClock, HistoryOptions, Level, ProbeOptions, ProbeVerdict, Probes, Request, Response,
    one_in,
};
use mock::{Mock, Options};
use serde_json::Value;
use std::cell::Cell;
use std::fs;
use std::path::Path;
use test_support::in_process::InProcess;
use test_support::judged::probes;

/// Indented JSON, places written with slashes, and no suggestions.
fn in_another_spelling(_: &Request, mut response: Response) -> Response {
    if let Ok(mut body) = serde_json::from_slice::<Value>(&response.body) {
        if let Some(text) = body["error"].as_str() {
            let without_hint = |fault: &str| {
                let hints = [", did you mean", ", known are"].into_iter();
                hints.fold(fault.to_owned(), |fault, hint| fault.split(hint).take(1).collect())
            };
            let faults: Vec<String> = text.split("; ").map(without_hint).collect();
            body["error"] = faults.join("; ").replace('[', "/").replace("].", "/").into();
        }
        response.body = serde_json::to_vec_pretty(&body).expect("it was JSON");
    }
    response
}

#[test]
fn scenarios_ask_for_no_spelling() {
    let mock = mocked();
    let send = |request: &Request| Ok(in_another_spelling(request, mock.call(request)));
    expect_scenarios(&send, TOKEN.to_owned());
}

#[test]
fn random_calls_ask_for_no_spelling() {
    let options = HistoryOptions {
        calls: 1000,
        level: Level::Values,
        is_limited: false,
        shortens: false,
        ..HistoryOptions::default()
    };
    let report = compare(&MODEL, &in_another_spelling, &options);
    assert!(report.differences.is_empty(), "{:#?}", report.differences);
}

/// One probe in so many is tried, unless the environment variable `HITODE_PROBES` says another number.
const PROBES: usize = 8;

/// The random calls before all probes, and after them; of some of the probes as few in proportion.
const CALLS: usize = 2000;

/// The contracts in `shapes` differ from the others in how their resources lie within each other.
#[test]
fn mocks_of_contracts_of_any_shape_conform() {
    let one_in = one_in(PROBES);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen/cli/tests/shapes");
    let shapes = fs::read_dir(folder).expect("the folder");
    let shapes = shapes.map(|entry| entry.expect("a file").path());
    let shapes: Vec<_> = shapes.collect();
    assert!(!shapes.is_empty(), "there are none");
    let wrong: Vec<String> = shapes.iter().flat_map(|shape| differences(shape, one_in)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What one probe in so many, and some random calls, notice of the mock of this contract.
fn differences(shape: &Path, one_in: usize) -> Vec<String> {
    let source = fs::read_to_string(shape).expect("a contract").leak();
    let name = shape.to_string_lossy().into_owned().leak();
    let model = Contract::from_source(source, name).model;
    let options = Options {
        rate_limits: false,
        ..Options::default()
    };
    let mock = Mock::new(model, options);
    let roots = mock.root_credentials().to_vec();
    let server = InProcess::mocked(mock, Clock::system());
    let send = |request: &Request| Ok(server.call(request));
    let nth = Cell::new(0_usize);
    let all = probes(Level::Texts);
    let histories = HistoryOptions {
        calls: CALLS / one_in,
        shortens: false,
        ..all.histories
    };
    let options = ProbeOptions {
        is_tried: &|_| nth.replace(nth.get() + 1).is_multiple_of(one_in),
        histories: histories.clone(),
        ..all
    };
    let outcomes = Probes::run(HistoryClock::Real, model, &send, roots.clone(), &options);
    let passed = outcomes
        .iter()
        .filter(|outcome| matches!(outcome.verdict, ProbeVerdict::Passed));
    assert!(passed.count() * 2 > outcomes.len(), "{name}: {outcomes:#?}");
    let failed = outcomes.iter().filter_map(|outcome| match &outcome.verdict {
        ProbeVerdict::Failed(found) => Some(format!("{name}: {}: {found:#?}\n{}", outcome.name, found.script)),
        ProbeVerdict::Passed | ProbeVerdict::NotTried(_) => None,
    });
    let report = Histories::run(model, &send, roots, &histories);
    let differ = report
        .differences
        .iter()
        .map(|difference| format!("{name}: {difference:#?}"));
    failed.chain(differ).collect()
}
