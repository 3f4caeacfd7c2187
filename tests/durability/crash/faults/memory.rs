//! A server that gets less memory than it needs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::crash::gather::Scope;
use crate::crash::ledger::Ledger;
use crate::crash::verify::check;
use crate::crash::writers::{End, write};
use crate::crash::{chance, variable};
use crate::disks::{Entries, files};
use serde_json::json;
use test_support::http::Connection;
use test_support::people::{Caller, People, bounty, worker};
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

#[test]
fn a_server_with_many_long_texts_starts_again_with_the_memory_that_it_ran_with() {
    let (data, bounties) = (directory(), 800);
    // Of which the program, its threads and the store take 195 MiB.
    let limit = format!("--as={}", 240 << 20);
    let launch = || {
        let launch = Launch::on(data.path()).arg("--rate-limits").arg("off");
        launch.started_by(&["prlimit", &limit, "--"])
    };
    let service = launch().start();
    let people = People::enter(&service, Caller::operator_of(&service));
    assert_eq!(post_long_bounties(&service, &people.agent, bounties), bounties);
    assert_eq!(service.stop().code, Some(0));
    let service = launch().start();
    let page = people.at(&service).agent.get("/bounties?limit=100");
    assert_eq!(page.json()["total"], bounties);
    assert_eq!(page.data().as_array().map(Vec::len), Some(100));
}

#[test]
fn a_store_is_whole_after_memory_ran_out_while_long_texts_were_written() {
    let data = directory();
    let launch = || Launch::on(data.path()).arg("--rate-limits").arg("off");
    let service = launch().start();
    let people = People::enter(&service, Caller::operator_of(&service));
    assert_eq!(service.stop().code, Some(0));
    let (mut written, mut died) = (0, 0);
    for mib in [135, 140, 145, 150, 155, 160] {
        let limit = format!("--as={}", mib << 20);
        let Ok(mut service) = launch().started_by(&["prlimit", &limit, "--"]).try_start() else {
            continue;
        };
        let acknowledged = post_long_bounties(&service, &people.at(&service).agent, 200);
        written += acknowledged;
        died += usize::from(acknowledged < 200);
        service.signal("KILL");
        service.end();
        let service = launch().start();
        let total = people.at(&service).agent.get("/bounties").json()["total"].as_i64();
        assert!(total >= Some(written as i64), "{mib} MiB: {total:?} of {written}");
        assert_eq!(service.stop().code, Some(0));
    }
    assert!(died > 0, "memory ran out at no limit");
    println!("{written} acknowledged, memory ran out {died} times, 0 lost");
}

/// Posts this many bounties with texts of 40 KB, as long as they are taken. Returns how many were.
fn post_long_bounties(service: &Service, agent: &Caller, bounties: usize) -> usize {
    let mut body = bounty("Long");
    body["description"] = json!("😀".repeat(10_000));
    let written = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..WRITERS {
            scope.spawn(|| {
                let Ok(mut connection) = Connection::to(service.address) else {
                    return;
                };
                for _ in 0..bounties / WRITERS {
                    match agent.over(&mut connection, "POST", "/bounties", Some(&body)) {
                        Ok(answer) if answer.status == 201 => written.fetch_add(1, Ordering::Relaxed),
                        _ => return,
                    };
                }
            });
        }
    });
    written.into_inner()
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
