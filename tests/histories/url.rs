//! Histories of calls to the server at `HITODE_TEST_URL`.

use super::{MODEL, shown};
use conformance::{Histories, HistoryOptions, HttpSender, Level, Request};
use std::env::var;
use std::time::Instant;

#[test]
#[ignore = "calls a server that is started by hand"]
fn the_server_at_an_address_and_its_contract_do_not_differ() {
    let http = HttpSender::new(&var("HITODE_TEST_URL").expect("its origin"), &MODEL).expect("the machine has threads");
    let number = |name: &str, default| var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let options = HistoryOptions {
        calls: number("HITODE_HISTORIES", 2000),
        seed: number("HITODE_SEED", 1) as u64,
        level: Level::Values,
        is_limited: var("HITODE_RATE_LIMITS").is_ok_and(|limits| limits == "on"),
        ..HistoryOptions::default()
    };
    let operator = var("HITODE_OPERATOR_TOKEN").expect("its operator's token");
    let began = Instant::now();
    let roots = vec![("operator_token".to_owned(), operator)];
    let report = Histories::run(&MODEL, &|request: &Request| http.send(request), roots, &options);
    println!("{:?}: {}", began.elapsed(), shown(&report));
    assert!(report.differences.is_empty() && report.never_met.is_empty());
}
