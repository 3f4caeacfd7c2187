//! SIGKILL under load, repeated on one directory.
//!
//! What the process has handed to the kernel survives its end: these tests show that no answer precedes that, and that no part
//! of a group is ever visible alone. `power_cut` shows that the data is on the disk.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;

use rand::RngExt as _;

use super::gather::Scope;
use super::ledger::{Act, Changed, Ledger, Outcome};
use super::verify::check;
use super::writers::{End, write};
use super::{chance, copy_directory, variable};
use test_support::process::{Launch, directory};

pub(super) const WRITERS: usize = 64;

/// The sums over a number of kills.
pub(super) struct KillTotals {
    pub(super) acknowledged: usize,
    pub(super) unanswered: usize,
    pub(super) of_these_done: usize,
    held: usize,
    pub(super) lost: usize,
    /// The lost or wrong data.
    pub(super) error: Option<String>,
    ledger: Ledger,
}

#[test]
fn nothing_acknowledged_is_lost_when_the_server_is_killed_under_load() {
    let kills = variable("HITODE_CRASHES", 6);
    let data = directory();
    let sum = kill(kills, data.path(), |launch| launch);
    println!(
        "{kills} kills, {} acknowledged, {} lost ({} lookups of acknowledged acts; {} requests without an answer, of which \
         {} had been done)",
        sum.acknowledged, sum.lost, sum.held, sum.unanswered, sum.of_these_done
    );
    assert_eq!(sum.error, None);
    assert!(sum.unanswered > 0, "no kill came while a request was under way");
    let rejected = |of: fn(&Act) -> bool| {
        let entries = sum.ledger.entries.iter();
        entries
            .filter(|entry| entry.outcome == Outcome::Rejected && of(&entry.act))
            .count()
    };
    assert!(
        rejected(|act| matches!(act, Act::Key { .. })) > 0,
        "nobody raced for a third key"
    );
    assert!(
        rejected(|act| matches!(act, Act::Application { .. })) > 0,
        "nobody applied twice"
    );
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "no release build can be told to leave out the sync")]
fn without_the_sync_a_kill_loses_nothing_because_the_kernel_lives_on() {
    let data = directory();
    let sum = kill(2, data.path(), |launch| launch.variable("HITODE_TEST_UNSYNCED", "1"));
    println!(
        "2 kills without the sync, {} acknowledged, {} lost: what was written is the kernel's, which outlives the process",
        sum.acknowledged, sum.lost
    );
    assert_eq!(sum.error, None);
}

/// Kills the server this many times, or until something is lost.
pub(super) fn kill(kills: u64, data: &Path, with: impl Fn(Launch) -> Launch) -> KillTotals {
    let start = || with(Launch::on(data).arg("--rate-limits").arg("off")).start();
    let ledger = Mutex::new(Ledger::default());
    let (mut unanswered, mut of_these_done, mut held, mut lost, mut error) = (0, 0, 0, 0, None);
    let mut service = start();
    for round in 0..kills {
        let mut dice = chance(round);
        let enough = dice.random_range(1..250);
        write(&service, &ledger, chance(1 << 16 | round), WRITERS, enough, End::Killed);
        assert_eq!(service.end().code, None);

        service = start();
        let mut ledger = ledger.lock().expect("a lock");
        let scope = scope(&ledger, round + 1 == kills, dice.random_range(0..8));
        let verdict = check(&service, &ledger, &scope);
        if !verdict.is_whole() {
            lost = verdict.lost.len();
            error = Some(format!("kill {round}, after {enough} more: {verdict}"));
            break;
        }
        held += verdict.acknowledged;
        let before = ledger.acknowledged();
        unanswered += ledger.entries.iter().filter(|entry| entry.is_unknown()).count();
        verdict.settle(&mut ledger);
        of_these_done += ledger.acknowledged() - before;
        ledger.end_round();
    }
    let ledger = ledger.into_inner().expect("a lock");
    KillTotals {
        acknowledged: ledger.acknowledged(),
        unanswered,
        of_these_done,
        held,
        lost,
        error,
        ledger,
    }
}

/// After each kill, the lists are read completely, and of the details those that the last two rounds touched and an
/// eighth of the others; after the last kill, everything.
pub(super) fn scope(ledger: &Ledger, everything: bool, eighth: usize) -> Scope {
    if everything {
        return Scope::all(ledger);
    }
    let recent = ledger.entries.iter().position(|entry| entry.round + 1 >= ledger.round);
    Scope::since(ledger, recent.unwrap_or(0), eighth)
}

/// A stop and a start keep everything. And the test can fail: acts acknowledged after a copy of the directory was made
/// are lost when the copy is restored.
#[test]
fn an_older_copy_is_detected_and_every_loss_is_named() {
    let (data, copy) = (directory(), directory());
    let launch = || Launch::on(data.path()).arg("--rate-limits").arg("off");
    let ledger = Mutex::new(Ledger::default());
    let service = launch().start();
    write(&service, &ledger, chance(1 << 17), WRITERS, 150, End::Answered);
    assert_eq!(service.stop().code, Some(0));
    copy_directory(data.path(), copy.path());

    let mut service = launch().start();
    let copied = {
        let ledger = ledger.lock().expect("a lock");
        let verdict = check(&service, &ledger, &Scope::all(&ledger));
        assert!(verdict.is_whole(), "after a stop and a start: {verdict}");
        ledger.entries.len()
    };
    write(&service, &ledger, chance(2 << 17), WRITERS, 150, End::Answered);
    service.signal("KILL");
    service.end();
    copy_directory(copy.path(), data.path());

    let ledger = ledger.into_inner().expect("a lock");
    let service = launch().start();
    let verdict = check(&service, &ledger, &Scope::all(&ledger));
    let named: BTreeSet<usize> = verdict.lost.keys().copied().collect();
    println!(
        "a copy put back, {} acknowledged, {} lost",
        verdict.acknowledged,
        named.len()
    );
    assert_eq!(named, to_be_lost(&ledger, copied), "{verdict}");
    assert!(named.len() > 50, "{verdict}");
}

/// The acts acknowledged after the copy whose effect is visible.
fn to_be_lost(ledger: &Ledger, copied: usize) -> BTreeSet<usize> {
    let changes = |number: usize| ledger.entries[number].done().and(ledger.entries[number].act.changed());
    let all = 0..ledger.entries.len();
    let creation_of = |of: fn(&Act) -> bool, id: i64| {
        let mut numbers = all.clone();
        numbers.find(|number| {
            let entry = &ledger.entries[*number];
            of(&entry.act) && entry.done().is_some_and(|done| done.id == id)
        })
    };
    let is_lost = |number: &usize| {
        let act = &ledger.entries[*number].act;
        let Some(done) = ledger.entries[*number].done() else {
            return false;
        };
        let is_last = !(number + 1..all.end).any(|later| changes(later) == act.changed());
        let before = (0..copied).rev().find(|before| changes(*before) == act.changed());
        let stood_at_copy = |initial: &'static str, target: Option<usize>| match before {
            Some(before) => to(&ledger.entries[before].act),
            None => (target < Some(copied)).then_some(initial),
        };
        match *act {
            Act::Key { .. } => !all.clone().any(|later| changes(later) == Some(Changed::Key(done.id))),
            Act::Revocation { key, .. } => creation_of(|act| matches!(act, Act::Key { .. }), key) < Some(copied),
            Act::Token { .. } => is_last,
            Act::Status { bounty, to, .. } => {
                let target = creation_of(|act| matches!(act, Act::Bounty { .. }), bounty);
                is_last && stood_at_copy("open", target) != Some(to)
            }
            Act::Decision { application, to, .. } => {
                let target = creation_of(|act| matches!(act, Act::Application { .. }), application);
                is_last && stood_at_copy("pending", target) != Some(to)
            }
            _ => true,
        }
    };
    (copied..all.end).filter(is_lost).collect()
}

fn to(act: &Act) -> Option<&'static str> {
    match act {
        Act::Status { to, .. } | Act::Decision { to, .. } => Some(to),
        _ => None,
    }
}
