//! Random histories of calls to the mock of the contract and to the server, in lock-step.

use crate::world::{Market, Service, contract_source};
use codegen::Model;
use conformance::{Difference, History, Outcomes, Servers};
use contract::Clock;
use mock::{Mock, Options};
use std::sync::LazyLock;
use test_support::in_process::InProcess;

/// The number of calls in the full tests; of each kind.
const CALLS: &str = "HITODE_HISTORIES";

static MODEL: LazyLock<Model> =
    LazyLock::new(|| codegen::compile(&contract_source()).expect("the build understood it, too"));

/// One history, with a mock of this contract, which may differ from the server's.
fn compare(mocked: &'static Model, history: History, outcomes: &mut Outcomes<'static>) -> Result<(), Box<Difference>> {
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
        model: &|request| mock.call(request),
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
    check(false, 3000);
}

#[test]
fn the_mock_and_the_server_do_not_differ_behind_limits() {
    check(true, 3000);
}
