//! What the verifier asks of a server, tried with the mock of the contract behind a layer that answers in another way.

use crate::histories::{MODEL, compare};
use crate::mocked::{TOKEN, mocked};
use crate::scenarios::expect_scenarios;
use conformance::{HistoryOptions, Level, Request, Response};
use serde_json::Value;

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
