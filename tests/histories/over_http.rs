//! Histories of calls to a server process, in real time.

use super::{MODEL, shown};
use crate::evolution::{OPERATOR_TOKEN, Server, UNEDITED};
use conformance::{Histories, HistoryOptions, HttpSender, Level, Request};
use std::time::Instant;

#[track_caller]
fn check(server: &Server, is_limited: bool, level: Level) {
    let http = HttpSender::new(&format!("http://{}", server.address()), &MODEL).expect("the machine has threads");
    let options = HistoryOptions {
        calls: 2500,
        level,
        is_limited,
        ..HistoryOptions::default()
    };
    let roots = vec![("operator_token".to_owned(), OPERATOR_TOKEN.to_owned())];
    let began = Instant::now();
    let report = Histories::run(&MODEL, &|request: &Request| http.send(request), roots, &options);
    println!("{:?}: {}", began.elapsed(), shown(&report));
    assert!(
        report.differences.is_empty() && report.never_met.is_empty(),
        "{}",
        shown(&report)
    );
}

#[test]
fn a_server_over_http_and_its_contract_do_not_differ() {
    let server = Server::unlimited(&UNEDITED);
    check(&server, false, Level::Values);
    // Now it holds the data of the first histories.
    check(&server, false, Level::Texts);
}

#[test]
fn a_server_over_http_behind_limits_and_its_contract_do_not_differ() {
    check(&Server::start(&UNEDITED), true, Level::Values);
}
