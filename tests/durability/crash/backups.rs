//! Backups of a server under load, with kills of the server, of `hitode backup` and of `hitode restore`: what was restored
//! holds all that was acknowledged before the backup began, and nothing that was not asked before it ended. What was
//! interrupted is never taken for a whole one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use rand::RngExt as _;
use rand::rngs::StdRng;

use super::gather::{Scope, gather};
use super::ledger::{Act, Ledger, Outcome};
use super::verify::verify;
use super::writers::{End, write};
use super::{chance, variable};
use test_support::process::{Launch, Service, directory, program};

const WRITERS: usize = 16;

/// A backup, and the ledger from before and after it.
struct Taken {
    file: PathBuf,
    before: Ledger,
    after: Ledger,
}

/// How often each thing happened.
#[derive(Default)]
struct Totals {
    taken: usize,
    interrupted: usize,
    restored: u64,
    interrupted_restores: usize,
    acknowledged: usize,
}

#[test]
fn a_restored_backup_of_a_server_under_load_lacks_nothing_and_invents_nothing() {
    let wanted = variable("HITODE_BACKUPS", 3);
    let (mut totals, mut round) = (Totals::default(), 0);
    while totals.restored < wanted || totals.interrupted == 0 || totals.interrupted_restores == 0 {
        let mut dice = chance(1 << 20 | round);
        let place = directory();
        let taken = backups_until_killed(place.path(), round, &mut dice, &mut totals);
        for taken in &taken {
            restore(place.path(), taken, &mut dice, &mut totals);
        }
        round += 1;
    }
    println!(
        "{round} kills under load, {} backups taken and {} interrupted, {} restored and {} restores interrupted, {} \
         lookups of acknowledged acts, 0 lost, 0 wrong",
        totals.taken, totals.interrupted, totals.restored, totals.interrupted_restores, totals.acknowledged
    );
}

/// Takes backups until the server, which is under load, is killed. Returns the last two, and those that were killed after they had named their file.
fn backups_until_killed(place: &Path, round: u64, dice: &mut StdRng, totals: &mut Totals) -> Vec<Taken> {
    let data = place.join("data");
    let mut service = Launch::on(&data).arg("--rate-limits").arg("off").start();
    let ledger = Mutex::new(Ledger::default());
    write(&service, &ledger, chance(1 << 21 | round), WRITERS, 60, End::Answered);
    let (mut taken, mut named, enough) = (Vec::new(), Vec::new(), dice.random_range(100..300));
    thread::scope(|scope| {
        let writing = scope.spawn(|| write(&service, &ledger, chance(1 << 22 | round), WRITERS, enough, End::Killed));
        while !writing.is_finished() {
            let file = place.join(format!("{}.backup", totals.taken));
            let before = ledger.lock().expect("a lock").clone();
            let kill_after = dice
                .random_bool(0.3)
                .then(|| Duration::from_micros(dice.random_range(1_000..30_000)));
            let has_ended = run(backup(&service, &file), kill_after);
            totals.interrupted += usize::from(!has_ended);
            // What was killed after it had named the file is whole, too.
            if has_ended || file.exists() {
                let after = ledger.lock().expect("a lock").clone();
                totals.taken += 1;
                let all = if has_ended { &mut taken } else { &mut named };
                all.push(Taken { file, before, after });
            }
        }
    });
    service.end();
    named.extend(taken.split_off(taken.len().saturating_sub(2)));
    named
}

/// Restores a backup, at first with a kill, and compares what the restored server shows with the ledgers.
fn restore(place: &Path, taken: &Taken, dice: &mut StdRng, totals: &mut Totals) {
    let data = place.join(format!("restored-{}", totals.restored));
    let kill_after = Duration::from_micros(dice.random_range(1_000..40_000));
    if !run(restore_command(&taken.file, &data), Some(kill_after)) {
        totals.interrupted_restores += 1;
        // What was killed after it had named the directory is whole, too.
        let is_named = data.exists();
        assert!(
            is_named || run(restore_command(&taken.file, &data), None),
            "{} cannot be restored",
            taken.file.display()
        );
    }
    totals.restored += 1;
    let ledger = possible(taken);
    let service = Launch::on(&data).arg("--rate-limits").arg("off").start();
    let scope = Scope::all(&ledger);
    let verdict = verify(
        &ledger,
        &gather(&service, &with_bounties(&ledger, taken), &scope),
        &scope,
    );
    assert!(verdict.is_whole(), "{}: {verdict}", taken.file.display());
    totals.acknowledged += verdict.acknowledged;
    service.stop();
}

/// What was acknowledged before the backup is in it. What was asked after that, and before the backup ended, may be.
fn possible(taken: &Taken) -> Ledger {
    let mut ledger = taken.after.clone();
    for (number, entry) in ledger.entries.iter_mut().enumerate() {
        let is_known = taken
            .before
            .entries
            .get(number)
            .is_some_and(|before| !before.is_unknown());
        if !is_known && entry.done().is_some() {
            entry.outcome = Outcome::Unknown;
        }
    }
    ledger
}

/// The same, and the ids of all bounties: no list shows those that are not open, which workers may have applied to.
fn with_bounties(possible: &Ledger, taken: &Taken) -> Ledger {
    let mut ledger = possible.clone();
    for (entry, after) in ledger.entries.iter_mut().zip(&taken.after.entries) {
        if matches!(entry.act, Act::Bounty { .. }) {
            entry.outcome = after.outcome.clone();
        }
    }
    ledger
}

fn backup(service: &Service, file: &Path) -> Command {
    let mut command = Command::new(program());
    let url = format!("http://{}", service.address);
    command
        .arg("backup")
        .arg(file)
        .args(["--url", &url])
        .arg("--data")
        .arg(&service.data);
    command
}

fn restore_command(file: &Path, data: &Path) -> Command {
    let mut command = Command::new(program());
    command.arg("restore").arg(file).arg("--data").arg(data);
    command.args(["--keep-credentials", "--id-gap", "0"]);
    command
}

/// Runs a command, and kills it after this time if it still runs. Returns whether it succeeded.
fn run(mut command: Command, kill_after: Option<Duration>) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    if let Some(after) = kill_after {
        thread::sleep(after);
        // It may have ended.
        let _ = child.kill();
    }
    child.wait().expect("it ends").success()
}
