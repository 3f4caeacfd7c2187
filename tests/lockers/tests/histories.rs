//! Random histories of calls to the lockers, compared with the mock of their contract, as far as it declares what operations
//! do.

use crate::world::BADGE;
use codegen::Model;
use conformance::{Histories, HistoryClock, HistoryLevel, HistoryOptions, Request, Sender};
use lockers::support::Clock;
use lockers::{LimitSettings, Limits, Lockers, routes};
use std::sync::{Arc, LazyLock};
use test_support::in_process::InProcess;

static MODEL: LazyLock<Model> =
    LazyLock::new(|| codegen::compile(include_str!("../api.yaml")).expect("the build understood it, too"));

#[test]
fn the_lockers_and_their_contract_do_not_differ() {
    let calls = std::env::var("HITODE_HISTORIES").ok();
    let options = HistoryOptions {
        calls: calls.and_then(|calls| calls.parse().ok()).unwrap_or(3000),
        level: HistoryLevel::Texts,
        is_limited: false,
        ..HistoryOptions::default()
    };
    let clock = Clock::manual(1_750_000_027);
    let settings = LimitSettings {
        rate_limits: false,
        ..LimitSettings::default()
    };
    let app = Arc::new(Lockers::new(BADGE.to_owned(), clock.clone()));
    let service = InProcess::of(routes(app, Arc::new(Limits::new(&settings))));
    let sender = |request: &Request| Ok(service.call(request));
    let sender: &Sender = &sender;
    let time = HistoryClock::Manual {
        now: &|| clock.date_millis(),
        advance: &|by| clock.advance(by),
    };
    let roots = vec![("badge".to_owned(), BADGE.to_owned())];
    let report = Histories::run_in_time(time, &MODEL, sender, roots, &options);
    for difference in &report.differences {
        println!("{difference:#?}\n{}", difference.script);
    }
    let never: Vec<String> = report.never_met.iter().map(ToString::to_string).collect();
    assert!(report.differences.is_empty());
    assert_eq!(never, [""; 0]);
}
