//! Random histories of calls to the mock of the contract and to the lockers, in lock-step, as far as the contract declares
//! what operations do.

use crate::world::BADGE;
use codegen::Model;
use conformance::{History, Outcomes, Servers};
use lockers::support::Clock;
use lockers::{LimitSettings, Limits, Lockers, routes};
use mock::{Mock, Options};
use std::sync::{Arc, LazyLock};
use test_support::in_process::InProcess;

static MODEL: LazyLock<Model> =
    LazyLock::new(|| codegen::compile(include_str!("../api.yaml")).expect("the build understood it, too"));

#[test]
fn the_mock_and_the_lockers_do_not_differ() {
    const LENGTH: usize = 5000;
    let of_environment = std::env::var("HITODE_HISTORIES")
        .ok()
        .and_then(|calls| calls.parse().ok());
    let mut left: usize = of_environment.unwrap_or(5000);
    let mut outcomes = Outcomes::new(&MODEL);
    for seed in 1.. {
        let clock = Clock::manual(1_750_000_027);
        let settings = LimitSettings {
            rate_limits: false,
            ..LimitSettings::default()
        };
        let app = Arc::new(Lockers::new(BADGE.to_owned(), clock.clone()));
        let service = InProcess::of(routes(app, Arc::new(Limits::new(&settings))));
        let roots = vec![("badge".to_owned(), BADGE.to_owned())];
        let options = Options {
            rate_limits: false,
            credentials: roots.clone(),
            ..Options::default()
        };
        let mock = InProcess::mocked(Mock::new(&MODEL, options), clock.clone());
        let servers = Servers {
            model: &|request| mock.call(request),
            subject: &|request| service.call(request),
            advance: &|by| clock.advance(by),
            roots,
        };
        let calls = left.min(LENGTH);
        let history = History {
            seed,
            calls,
            is_limited: false,
        };
        if let Err(difference) = history.run(&MODEL, &servers, &mut outcomes) {
            panic!("{difference}");
        }
        left -= calls;
        if left == 0 {
            break;
        }
    }
    println!("{} calls; never met: {:#?}", outcomes.calls, outcomes.never_met(false));
    println!(
        "worded in another way: {} {:#?}",
        outcomes.worded.len(),
        outcomes.worded.first()
    );
    assert_eq!(outcomes.never_succeeded(), [""; 0]);
}
