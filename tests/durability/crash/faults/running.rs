//! A disk that fails in starts and under load.

use std::path::Path;
use std::sync::Mutex;

use rand::RngExt as _;
use rand::rngs::StdRng;

use super::{EIO, ENOSPC, Fault};
use crate::crash::gather::Scope;
use crate::crash::ledger::Ledger;
use crate::crash::verify::check;
use crate::crash::writers::{End, write};
use crate::crash::{chance, variable};
use crate::disks::ended_with_a_message;
use test_support::http::call;
use test_support::process::{Launch, Service, directory};

const WRITERS: usize = 16;

/// Kinds of calls that fail together, and among how many of them the first one is chosen: some belong to the start, others to
/// the load.
const KINDS: [(&[&str], u64); 8] = [
    (&["pwrite64"], 50),
    (&["fdatasync"], 12),
    (&["pread64", "read"], 70),
    (&["pwrite64", "fdatasync"], 60),
    (&["sync_file_range"], 30),
    (&["fsync"], 9),
    (&["open64"], 20),
    (&["write", "ftruncate64"], 6),
];

#[derive(Debug, Default)]
struct Totals {
    injected: usize,
    rejected_starts: usize,
    ended_writing: usize,
    without: usize,
}

#[test]
fn nothing_acknowledged_is_lost_on_a_disk_that_fails() {
    let rounds = variable("HITODE_FAULTS", 6);
    let data = directory();
    let ledger = Mutex::new(Ledger::default());
    let mut totals = Totals::default();
    for round in 0..rounds {
        let mut dice = chance(9 << 20 | round);
        let fault = fault(round, &mut dice);
        let failures = run_with(&fault, data.path(), &ledger, &mut dice, &mut totals);

        let started = launch(data.path()).try_start();
        let service = started.unwrap_or_else(|ended| panic!("after {fault:?} ({failures:?}): {}", ended.log));
        let mut ledger = ledger.lock().expect("a lock");
        let verdict = check(&service, &ledger, &Scope::all(&ledger));
        assert!(verdict.is_whole(), "after {fault:?}: {verdict}");
        verdict.settle(&mut ledger);
        ledger.end_round();
        assert_eq!(service.stop().code, Some(0));
    }
    let acknowledged = ledger.lock().expect("a lock").acknowledged();
    println!("{rounds} disks with faults, {acknowledged} acknowledged, 0 lost: {totals:?}");
    assert!(totals.ended_writing > 0, "no fault came under load");
}

fn launch(data: &Path) -> Launch {
    Launch::on(data).arg("--rate-limits").arg("off")
}

/// A fault: once, some times, or for good.
fn fault(round: u64, dice: &mut StdRng) -> Fault {
    let (calls, most) = KINDS[round as usize % KINDS.len()];
    let errno = if calls.contains(&"pwrite64") && dice.random() {
        ENOSPC
    } else {
        EIO
    };
    Fault {
        calls,
        errno,
        from: dice.random_range(1..=most),
        count: [1, 4, u64::from(u32::MAX)][dice.random_range(0..3)],
        is_short: dice.random(),
    }
}

/// Runs the server on the bad disk, until nothing can be written or enough was.
fn run_with(fault: &Fault, data: &Path, ledger: &Mutex<Ledger>, dice: &mut StdRng, totals: &mut Totals) -> Vec<String> {
    let injected = fault.inject();
    match injected.start_of(launch(data), data).try_start() {
        Err(ended) => {
            ended_with_a_message(&ended);
            assert!(!injected.failures().is_empty(), "{fault:?}: {}", ended.log);
            totals.rejected_starts += 1;
        }
        Ok(mut service) => {
            let before = injected.failures().len();
            write(&service, ledger, chance(dice.random()), WRITERS, 150, End::Failing);
            let (is_writable, failures) = (is_writable(&service), injected.failures());
            assert!(
                is_writable || failures.len() > before,
                "{fault:?}: it cannot write without a cause"
            );
            if failures[before..].iter().any(|line| is_of_a_write(line)) {
                assert!(!is_writable, "{fault:?}: it can write after {failures:?}");
                totals.ended_writing += 1;
            }
            service.signal(if dice.random() { "TERM" } else { "KILL" });
            let ended = service.end();
            assert!(!ended.log.contains("panicked"), "{fault:?}: {}", ended.log);
            assert!(matches!(ended.code, Some(0) | None), "{fault:?}: {}", ended.log);
        }
    }
    let failures = injected.failures();
    totals.injected += failures.len();
    totals.without += usize::from(failures.is_empty());
    failures
}

/// What `/healthz` says.
fn is_writable(service: &Service) -> bool {
    let health = call(service.address, "GET", "/healthz", &[], None);
    assert!(matches!(health.status, 200 | 503), "{health:?}");
    health.status == 200
}

fn is_of_a_write(line: &str) -> bool {
    ["pwrite64", "fdatasync", "sync_file_range"]
        .iter()
        .any(|call| line.contains(call))
}
