//! Random histories of calls to the mock of the contract and to the server, in lock-step.

use crate::world::{Market, Service, contract_source};
use codegen::Model;
use conformance::{Difference, History, Outcomes, Response, Servers};
use contract::Clock;
use mock::{Mock, Options};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};
use test_support::in_process::InProcess;

/// The number of calls in the full tests; of each kind.
const CALLS: &str = "HITODE_HISTORIES";

static MODEL: LazyLock<Model> =
    LazyLock::new(|| codegen::compile(&contract_source()).expect("the build understood it, too"));

/// One history, with a mock of this contract, which may differ from the server's.
fn compare(mocked: &'static Model, history: History, outcomes: &mut Outcomes<'static>) -> Result<(), Box<Difference>> {
    compare_with(mocked, &|response| response, history, outcomes)
}

/// The same, with changed answers of the mock.
fn compare_with(
    mocked: &'static Model,
    change: &dyn Fn(Response) -> Response,
    history: History,
    outcomes: &mut Outcomes<'static>,
) -> Result<(), Box<Difference>> {
    let clock = Clock::manual(1_750_000_027);
    let market = Market::open(clock.clone());
    let operator = market.operator().secret;
    let service = match history.is_limited {
        true => Service::limited(market.app(), clock.clone()),
        false => market.service().clone(),
    };
    let roots = vec![("operator_token".to_owned(), operator)];
    let options = Options {
        rate_limits: history.is_limited,
        credentials: roots.clone(),
        ..Options::default()
    };
    let mock = InProcess::mocked(Mock::new(mocked, options), clock.clone());
    let servers = Servers {
        model: &|request| change(mock.call(request)),
        subject: &|request| service.call(request),
        advance: &|by| clock.advance(by),
        roots,
    };
    history.run(&MODEL, &servers, outcomes)
}

#[track_caller]
fn check(is_limited: bool, calls: usize) {
    /// A history is short, so that lists and searches are.
    const LENGTH: usize = 5000;
    let of_environment = std::env::var(CALLS).ok().and_then(|calls| calls.parse().ok());
    let mut left: usize = of_environment.unwrap_or(calls);
    let mut outcomes = Outcomes::new(&MODEL);
    for seed in 1.. {
        let calls = left.min(LENGTH);
        let history = History {
            seed,
            calls,
            is_limited,
        };
        if let Err(difference) = compare(&MODEL, history, &mut outcomes) {
            panic!("{difference}");
        }
        left -= calls;
        if left == 0 {
            break;
        }
    }
    println!(
        "{} calls; never met: {:#?}",
        outcomes.calls,
        outcomes.never_met(is_limited)
    );
    println!(
        "worded in another way: {} {:#?}",
        outcomes.worded.len(),
        outcomes.worded.first()
    );
    assert_eq!(outcomes.never_succeeded(), [""; 0]);
}

#[test]
fn the_mock_and_the_server_do_not_differ() {
    check(false, 2000);
}

#[test]
fn the_mock_and_the_server_do_not_differ_behind_limits() {
    check(true, 3000);
}

/// Defects that requests and answers of one call cannot show: the declaration, and a wrong one in its place.
const DEFECTS: [(&str, &str); 9] = [
    ("account_id.suspended is false, ", ""),
    ("sender_type: human }", "sender_type: agent }"),
    (
        "applications_count: count = count Application",
        "applications_count: count = 0",
    ),
    (
        "bidi_controls: refused, alike: nfkc_casefold }, doc: A name",
        "bidi_controls: refused, alike: casefold }, doc: A name",
    ),
    ("青森県: [青森, Aomori, ", "青森県: [Aomori, "),
    ("sort: [rating desc, id asc]", "sort: [rating desc, id desc]"),
    ("max: 3, of: ApiKey", "max: 4, of: ApiKey"),
    ("number of [name, category]", "number of [name]"),
    ("exists Application in Bounty of caller", "exists Application in Bounty"),
];

#[test]
fn planted_defects_are_noticed() {
    for (declared, planted) in DEFECTS {
        let source = contract_source();
        assert!(source.contains(declared), "{declared}");
        let wrong = codegen::compile(&source.replace(declared, planted)).expect("the defect is valid");
        let history = History {
            seed: 1,
            calls: 3000,
            is_limited: false,
        };
        let result = compare(Box::leak(Box::new(wrong)), history, &mut Outcomes::new(&MODEL));
        let difference = result.expect_err(planted);
        println!("call {}: {planted:?}: {}", difference.calls, difference.found);
    }
}

#[test]
fn a_stale_joined_name_is_noticed() {
    let first = Mutex::new(HashMap::new());
    let stale = |response: Response| {
        let Ok(mut body) = serde_json::from_slice::<Value>(&response.body) else {
            return response;
        };
        for row in body.get_mut("data").and_then(Value::as_array_mut).into_iter().flatten() {
            if let (Some(id), true) = (
                row["id"].as_i64(),
                row["poster_name"].is_string() && row["budget"].is_number(),
            ) {
                let mut first = first.lock().expect("no test panics in here");
                row["poster_name"] = first.entry(id).or_insert(row["poster_name"].clone()).clone();
            }
        }
        let body = body.to_string().into_bytes();
        Response { body, ..response }
    };
    let history = History {
        seed: 1,
        calls: 3000,
        is_limited: false,
    };
    let difference = compare_with(&MODEL, &stale, history, &mut Outcomes::new(&MODEL)).expect_err("a stale name");
    println!("call {}: {}", difference.calls, difference.found);
    assert!(difference.found.contains("poster_name"), "{difference}");
}
