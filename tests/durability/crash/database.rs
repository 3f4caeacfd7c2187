//! SIGKILL of the server, and of the PostgreSQL database that holds its data, under load. `tests/with-postgres` starts the
//! database.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use rand::RngExt as _;

use super::gather::Scope;
use super::kill::{WRITERS, kill, scope};
use super::ledger::Ledger;
use super::verify::check;
use super::writers::{End, write};
use super::{chance, variable};
use test_support::http::call;
use test_support::process::{DEADLINE, Launch, Service, database, directory, wanted};

#[test]
fn nothing_acknowledged_is_lost_when_a_server_over_postgresql_is_killed() {
    let _alone = DATABASE.lock();
    let kills = variable("HITODE_SERVER_KILLS", 2);
    let (data, url) = (directory(), database("servers"));
    let sum = kill(kills, data.path(), |launch| {
        launch.variable("HITODE_DATABASE_URL", &url)
    });
    println!(
        "{kills} kills of a server, {} acknowledged, {} lost ({} requests without an answer, of which {} had been done)",
        sum.acknowledged, sum.lost, sum.unanswered, sum.of_these_done
    );
    assert_eq!(sum.error, None);
}

#[test]
fn nothing_acknowledged_is_lost_when_postgresql_is_killed() {
    let _alone = DATABASE.lock();
    let kills = variable("HITODE_DATABASE_KILLS", 2);
    let (data, url) = (directory(), database("databases"));
    let launch = Launch::on(data.path()).arg("--rate-limits").arg("off");
    let service = launch.variable("HITODE_DATABASE_URL", &url).start();
    let ledger = Mutex::new(Ledger::default());
    let mut of_these_done = 0;
    for round in 0..kills {
        let acknowledged = || ledger.lock().expect("a lock").acknowledged();
        let enough = acknowledged() + chance(round).random_range(1..800);
        thread::scope(|scope| {
            scope.spawn(|| {
                while acknowledged() < enough {
                    thread::sleep(Duration::from_millis(1));
                }
                kill_database();
            });
            // They end when nothing can be written any more.
            write(
                &service,
                &ledger,
                chance(1 << 18 | round),
                WRITERS,
                usize::MAX / 2,
                End::Failing,
            );
        });
        start_database();
        wait_until_ready(&service);
        let mut ledger = ledger.lock().expect("a lock");
        let scope = match round + 1 == kills {
            true => Scope::all(&ledger),
            false => scope(&ledger, false, 0),
        };
        let verdict = check(&service, &ledger, &scope);
        assert!(verdict.is_whole(), "kill {round}: {verdict}");
        let before = ledger.acknowledged();
        verdict.settle(&mut ledger);
        of_these_done += ledger.acknowledged() - before;
        ledger.end_round();
    }
    let ledger = ledger.into_inner().expect("a lock");
    println!(
        "{kills} kills of the database, {} acknowledged, 0 lost ({of_these_done} had been done without an acknowledgement)",
        ledger.acknowledged()
    );
    assert!(ledger.acknowledged() > 0);
    // A new copy of the database holds the same.
    assert_eq!(service.stop().code, Some(0));
    let service = Launch::on(data.path()).variable("HITODE_DATABASE_URL", &url).start();
    let verdict = check(&service, &ledger, &Scope::all(&ledger));
    assert!(verdict.is_whole(), "after a start: {verdict}");
}

/// For one test at a time: the other one kills the database.
static DATABASE: Mutex<()> = Mutex::new(());

fn kill_database() {
    let file = PathBuf::from(wanted("HITODE_TEST_POSTGRES_DATA")).join("postmaster.pid");
    let text = std::fs::read_to_string(file).expect("the database runs");
    let pid = text.lines().next().expect("a process id");
    // Its processes for connections end with it.
    assert!(
        Command::new("kill")
            .args(["-KILL", pid])
            .status()
            .expect("kill")
            .success()
    );
}

fn start_database() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../with-postgres");
    let begun = Instant::now();
    let start = || Command::new(script).arg("--start").stderr(Stdio::null()).status();
    // The processes of its connections may take a moment to end.
    while !start().expect("a shell").success() {
        assert!(begun.elapsed() < DEADLINE, "the database does not start");
    }
}

fn wait_until_ready(service: &Service) {
    let begun = Instant::now();
    while call(service.address, "GET", "/healthz", &[], None).status != 200 {
        let log = service.log.text();
        assert!(
            begun.elapsed() < DEADLINE,
            "the server does not find the database again:
{log}"
        );
        thread::sleep(Duration::from_millis(20));
    }
}
