//! Histories of calls to a server process, in real time.

use super::layer::{DEFECTS, Layer};
use super::{MODEL, shown};
use crate::evolution::{OPERATOR_TOKEN, Server, UNEDITED};
use conformance::{Histories, HistoryOptions, HttpSender, Level, Request};
use std::sync::Mutex;
use std::time::Instant;
use test_support::planted::{LATER_SEEDS, SEEDS, until_noticed};

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

#[test]
fn each_planted_defect_is_noticed_over_http() {
    let server = Server::unlimited(&UNEDITED);
    let http = HttpSender::new(&format!("http://{}", server.address()), &MODEL).expect("the machine has threads");
    let mut missed = Vec::new();
    for defect in DEFECTS {
        if std::env::var("DEFECT").is_ok_and(|wanted| format!("{defect:?}") != wanted) {
            continue;
        }
        let is_noticed = |seed: &u64| {
            let layer = Layer {
                defect,
                server: &|request| http.send(request),
                memory: Mutex::default(),
            };
            let options = until_noticed(*seed, Level::Values);
            let roots = vec![("operator_token".to_owned(), OPERATOR_TOKEN.to_owned())];
            let began = Instant::now();
            let report = Histories::run(&MODEL, &|request: &Request| layer.send(request), roots, &options);
            println!("{defect:?}, seed {seed}, {:?}: {}", began.elapsed(), shown(&report));
            !report.differences.is_empty()
        };
        if !SEEDS.iter().chain(&LATER_SEEDS).any(is_noticed) {
            missed.push(defect);
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}
