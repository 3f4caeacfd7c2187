//! Random histories of calls to the server, compared with the mock of the contract.

mod over_http;
mod restarts;
mod url;

use crate::world::{Market, Service, contract_source, roots};
use codegen::Model;
use conformance::{Histories, HistoriesReport, HistoryClock, HistoryOptions, Level, Request, Response, Sender};
use contract::Clock;
use std::sync::LazyLock;

/// The number of calls in the full tests; of each kind.
const CALLS: &str = "HITODE_HISTORIES";

pub(crate) static MODEL: LazyLock<Model> =
    LazyLock::new(|| codegen::compile(&contract_source()).expect("the build understood it, too"));

/// Histories of calls to a server in this process, by this contract, which may differ from the server's.
pub(crate) fn compare(
    model: &'static Model,
    change: &(dyn Fn(&Request, Response) -> Response + Sync),
    options: &HistoryOptions,
) -> HistoriesReport {
    let clock = Clock::manual(1_750_000_027);
    let market = Market::open(clock.clone());
    let operator = market.operator().secret;
    let service = match options.is_limited {
        true => Service::limited(market.app(), clock.clone()),
        false => market.service().clone(),
    };
    let sender = |request: &Request| Ok(change(request, service.call(request)));
    compare_in_time(&clock, model, &sender, operator, options)
}

/// Histories of calls to a server of this operator, in the time of this clock.
pub(crate) fn compare_in_time(
    clock: &Clock,
    model: &'static Model,
    sender: &Sender,
    operator: String,
    options: &HistoryOptions,
) -> HistoriesReport {
    let time = HistoryClock::Manual {
        now: &|| clock.date_millis(),
        advance: &|by| clock.advance(by),
    };
    Histories::run_in_time(time, model, sender, roots(operator), options)
}

/// The report as text.
fn shown(report: &HistoriesReport) -> String {
    let mut text = format!("{} calls in {} histories\n", report.calls, report.histories);
    for difference in &report.differences {
        let (before, after) = difference.lengths;
        text += &format!(
            "{} × {}: {} (seed {}, {before} calls, {after} shown)\n{}  came: {}\n  wanted: {}\n  by line {}: {}\n",
            difference.count,
            difference.operation,
            difference.cause,
            difference.seed,
            difference.script,
            difference.got,
            difference.wanted,
            difference.place.line,
            difference.declared,
        );
    }
    let never: Vec<String> = report.never_met.iter().map(ToString::to_string).collect();
    text + &format!("never met: {never:#?}")
}

#[track_caller]
fn check(is_limited: bool, calls: usize) {
    let of_environment = std::env::var(CALLS).ok().and_then(|calls| calls.parse().ok());
    let options = HistoryOptions {
        calls: of_environment.unwrap_or(calls),
        level: Level::Texts,
        is_limited,
        ..HistoryOptions::default()
    };
    let report = compare(&MODEL, &|_, response| response, &options);
    println!("{}", shown(&report));
    assert!(
        report.differences.is_empty() && report.never_met.is_empty(),
        "{}",
        shown(&report)
    );
}

#[test]
fn the_server_and_its_contract_do_not_differ() {
    check(false, 2500);
}

#[test]
fn the_server_and_its_contract_do_not_differ_behind_limits() {
    check(true, 10_000);
}
