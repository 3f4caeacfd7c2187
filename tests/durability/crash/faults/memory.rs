//! A server that gets less memory than it needs.

use std::sync::Mutex;

use crate::crash::gather::Scope;
use crate::crash::ledger::Ledger;
use crate::crash::verify::check;
use crate::crash::writers::{End, write};
use crate::crash::{chance, variable};
use crate::disks::{Entries, files};
use serde_json::json;
use test_support::http::Connection;
use test_support::people::{Caller, worker};
use test_support::process::{Launch, Service, directory};

const WRITERS: usize = 16;

#[test]
fn nothing_acknowledged_is_lost_when_memory_runs_out_under_load() {
    let data = directory();
    let launch = || Launch::on(data.path()).arg("--rate-limits").arg("off");
    let ledger = Mutex::new(Ledger::default());
    let steps = variable("HITODE_MEMORY_LIMITS", 2);
    let (mut died, mut well) = (0, 0);
    for step in 0..steps {
        let limit = format!("--as={}", (144 + 40 * step) << 20);
        match launch().started_by(&["prlimit", &limit, "--"]).try_start() {
            Err(ended) => {
                assert_ne!(ended.code, Some(0), "{limit}: {}", ended.log);
                died += 1;
            }
            Ok(mut service) => {
                write(&service, &ledger, chance(10 << 20 | step), WRITERS, 100, End::Failing);
                send_large_bodies(&service);
                // It need not have died: then it ends here.
                service.signal("KILL");
                match service.end().log.contains("memory") {
                    true => died += 1,
                    false => well += 1,
                }
            }
        }
        let service = launch().start();
        let mut ledger = ledger.lock().expect("a lock");
        let verdict = check(&service, &ledger, &Scope::all(&ledger));
        assert!(verdict.is_whole(), "with {limit}: {verdict}");
        verdict.settle(&mut ledger);
        ledger.end_round();
    }
    let acknowledged = ledger.lock().expect("a lock").acknowledged();
    println!("{steps} limits of memory: {died} died, {well} had enough; {acknowledged} acknowledged, 0 lost");
}

#[test]
fn a_start_without_enough_memory_ends_and_leaves_the_directory_as_it_is() {
    let data = directory();
    let mut entries = Entries::stored_at(data.path());
    let before = files(data.path());
    for mib in [16, 24, 32] {
        let limit = format!("--as={}", mib << 20);
        let ended = Launch::on(data.path())
            .started_by(&["prlimit", &limit, "--"])
            .run_to_its_end();
        assert_ne!(ended.code, Some(0), "{}", ended.log);
        assert!(files(data.path()) == before, "{mib}: {}", ended.log);
    }
    entries.are_whole_at(&Launch::on(data.path()).start());
}

/// Sends many bodies at once, each as large as they may be, and none valid. They get an answer, or the server ends.
fn send_large_bodies(service: &Service) {
    let operator = Caller::operator_of(service);
    let mut person = worker();
    person["bio"] = json!("x".repeat(1_900));
    let mut workers = vec![person; 1_500];
    workers.push(json!("nobody"));
    let body = json!({ "humans": workers });
    std::thread::scope(|scope| {
        for _ in 0..WRITERS {
            scope.spawn(|| {
                if let Ok(mut connection) = Connection::to(service.address)
                    && let Ok(answer) = operator.over(&mut connection, "POST", "/humans/import", Some(&body))
                {
                    assert!(answer.status >= 400, "{answer:?}");
                }
            });
        }
    });
}
