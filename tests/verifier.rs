//! What the verifier asks of a server, tried with the mock of the contract behind a layer that answers in another way.

use crate::histories::{MODEL, compare};
use crate::scenarios::expect_scenarios;
use crate::world::{roots, suite};
use conformance::{DeclaredWorld, HistoryOptions, Level, LimitedService, Need, Request, Response, Subject};
use serde_json::Value;
use test_support::in_process::MockSubject;

const TOKEN: &str = "hto_of_the_operator_of_this_test";

/// A change of what the mock answers to a request.
type Change = fn(&Request, Response) -> Response;

/// The mock without limits, and with changed answers.
struct Changed {
    mock: MockSubject,
    change: Change,
}

impl Changed {
    fn world(change: Change) -> DeclaredWorld {
        let roots = roots(TOKEN.to_owned());
        let mock = MockSubject::new(suite().contract, roots.clone());
        DeclaredWorld::new(suite().contract, Box::new(Self { mock, change }), roots).at(Level::Values)
    }
}

impl Subject for Changed {
    fn call(&self, request: &Request) -> Response {
        (self.change)(request, self.mock.call(request))
    }

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        self.mock.call_held(request, meanwhile)
    }

    fn limited_service(&self) -> Box<dyn LimitedService> {
        self.mock.limited_service()
    }

    fn unsupported(&self, need: Need) -> Option<String> {
        matches!(need, Need::Limits).then(|| "the limits are switched off".to_owned())
    }
}

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
    expect_scenarios(Changed::world(in_another_spelling));
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
