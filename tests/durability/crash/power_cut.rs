//! Power cuts: data that only the kernel held is lost, or partly there.
//!
//! The first start of the real server, its work under load, a restart and more load are recorded once. Then, for random
//! moments, disks are rebuilt as `replay` says, and the real server is started on each: every answer that was being sent before
//! the moment must be kept.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rand::RngExt as _;
use rand::rngs::StdRng;
use tempfile::TempDir;

use super::gather::Scope;
use super::ledger::Ledger;
use super::recording::{Recording, STRACE};
use super::replay::{Disk, Policy, Replay};
use super::verify::{Verdict, check};
use super::writers::{End, write};
use super::{chance, open_all, variable};
use crate::trace;
use test_support::process::{Ended, Launch, directory};

/// Clients during the recording.
const WRITERS: usize = 16;

/// The acts that are acknowledged in each of the two runs: enough for sled to reuse parts of its file, where a lost
/// write leaves older bytes instead of none.
const ENOUGH: usize = 600;

/// The number of operations before the first answer that count as the first commit: more than it makes.
const FIRST_COMMIT: usize = 24;

/// The last acts before a cut that are always checked.
const LAST: usize = 100;

/// The recording of a server.
struct Life {
    /// The folder of the recording. The server made the directory `data` in it.
    place: TempDir,
    recording: Recording,
    ledger: Ledger,
}

/// The sums over the disks of a recording.
#[derive(Default)]
struct CutTotals {
    disks: usize,
    acknowledged: usize,
    looked_at: usize,
    lost: usize,
    disks_with_losses: usize,
    /// Disks on which the server did not start, with a reason.
    rejected: usize,
    went_on: usize,
    errors: Vec<String>,
}

#[test]
fn nothing_acknowledged_is_lost_in_a_power_cut() {
    let life = record(|launch| launch);
    let disks = variable("HITODE_POWER_CUTS", 12);
    let sum = cut(&life, disks, |launch| launch);
    println!(
        "{} disks after a power cut, {} acknowledged ({} looked at), {} lost ({} disks written to and opened again; {} of a first start \
         rejected with a reason, nothing acknowledged by then)",
        sum.disks, sum.acknowledged, sum.looked_at, sum.lost, sum.went_on, sum.rejected
    );
    assert!(sum.errors.is_empty(), "{}", sum.errors.join("\n"));
    assert_eq!(sum.rejected, 0);
    assert!(sum.acknowledged > sum.disks);
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "no release build can be told to leave out the sync")]
fn without_the_sync_power_cuts_lose_what_was_acknowledged() {
    let unsynced = |launch: Launch| launch.variable("HITODE_TEST_UNSYNCED", "1");
    let life = record(unsynced);
    let sum = cut(&life, 20, unsynced);
    println!(
        "{} disks after a power cut without the sync, {} acknowledged ({} looked at), {} lost on {} disks",
        sum.disks, sum.acknowledged, sum.looked_at, sum.lost, sum.disks_with_losses
    );
    assert!(sum.lost > 0 && sum.disks_with_losses > 1);
}

/// Two runs of the server, each ended by SIGTERM. The recording is compared with the directory that they left.
fn record(with: impl Fn(Launch) -> Launch) -> Life {
    let (place, traces) = (directory(), directory());
    let root = place.path().canonicalize().expect("it is there");
    let ledger = Mutex::new(Ledger::default());
    let mut recording = Recording::read(&root);
    for run in 0..2 {
        let trace = traces.path().join(run.to_string());
        let launch = Launch::on(&root.join("data"))
            .arg("--rate-limits")
            .arg("off")
            .under_strace(STRACE, &trace);
        let service = with(launch).start();
        write(&service, &ledger, chance(3 << 20 | run), WRITERS, ENOUGH, End::Answered);
        assert_eq!(service.stop().code, Some(0));
        recording.add(&trace::read(&trace));
        ledger.lock().expect("a lock").end_round();
    }
    let ledger = ledger.into_inner().expect("a lock");
    let left = Replay::new(&recording).disk(usize::MAX, Policy::Everything, &mut chance(0));
    assert!(
        left == Disk::read(&root),
        "the recording does not lead to what the server left"
    );
    let answers = recording.answers();
    assert!(
        ledger
            .done()
            .all(|(_, done)| answers.contains_key(done.request.as_str()))
    );
    Life {
        place,
        recording,
        ledger,
    }
}

/// Opens this number of disks of a recording.
fn cut(life: &Life, disks: u64, with: impl Fn(Launch) -> Launch + Sync) -> CutTotals {
    let replay = Replay::new(&life.recording);
    let answers = life.recording.answers();
    let sum = Mutex::new(CutTotals::default());
    open_all(disks, |number| {
        let mut chance = chance(4 << 20 | number as u64);
        let cut = Cut::draw(number, &life.recording, &answers, &mut chance);
        let state = directory();
        let disk = replay.disk(cut.moment, cut.policy, &mut chance);
        disk.write(&life.place.path().canonicalize().expect("it is there"), state.path());
        let opened = cut.open(&life.ledger, &answers, state.path(), &with, chance);
        let mut sum = sum.lock().expect("a lock");
        if let Some(error) = opened.enter(&mut sum) {
            let kept = state.keep();
            // The files there have been opened since; the same seed makes them again.
            sum.errors.push(format!("{cut:?}, kept in {}: {error}", kept.display()));
        }
    });
    sum.into_inner().expect("a lock")
}

/// A moment, and the policy for operations that were not synced by then.
#[derive(Debug)]
struct Cut {
    number: usize,
    moment: usize,
    policy: Policy,
}

/// The result of starting the server on a disk.
struct Opened {
    acknowledged: usize,
    looked_at: usize,
    went_on: bool,
    verdict: Result<Verdict, Ended>,
    data: PathBuf,
}

impl Cut {
    /// One in eight falls into the first start, before any acknowledgement, and one into the first commit.
    fn draw(number: usize, recording: &Recording, answers: &HashMap<&str, usize>, chance: &mut StdRng) -> Cut {
        let first = answers.values().min().expect("there are answers");
        let moments: Vec<usize> = recording.events.iter().map(|event| event.begun + 1).collect();
        let (early, late): (Vec<usize>, Vec<usize>) = moments.into_iter().partition(|moment| moment <= first);
        let of = match number % 8 {
            7 => &early,
            3 => &early[early.len().saturating_sub(FIRST_COMMIT)..],
            _ => &late[..],
        };
        Cut {
            number,
            moment: of[chance.random_range(0..of.len())],
            policy: Policy::ALL[number % Policy::ALL.len()],
        }
    }

    /// The last acts before the cut, and an eighth of the rest.
    fn scope(&self, ledger: &Ledger) -> Scope {
        let last = ledger
            .entries
            .iter()
            .rposition(|entry| entry.done().is_some())
            .unwrap_or(0);
        Scope::since(ledger, last.saturating_sub(LAST), self.number)
    }

    fn open(
        &self,
        ledger: &Ledger,
        answers: &HashMap<&str, usize>,
        state: &Path,
        with: impl Fn(Launch) -> Launch,
        chance: StdRng,
    ) -> Opened {
        let data = state.join("data");
        let mut ledger = ledger.with_answers(|done| answers[done.request.as_str()] < self.moment);
        let acknowledged = ledger.acknowledged();
        let launch = || with(Launch::on(&data).arg("--rate-limits").arg("off"));
        let mut opened = Opened {
            acknowledged,
            looked_at: acknowledged,
            went_on: false,
            verdict: Ok(Verdict::default()),
            data: data.clone(),
        };
        let mut service = match launch().try_start() {
            Ok(service) => service,
            Err(ended) => {
                opened.verdict = Err(ended);
                return opened;
            }
        };
        let verdict = check(&service, &ledger, &self.scope(&ledger));
        opened.looked_at = verdict.acknowledged;
        if !verdict.is_whole() || !self.number.is_multiple_of(5) {
            opened.verdict = Ok(verdict);
            return opened;
        }
        // A disk that looks right may be damaged for the following writes.
        verdict.settle(&mut ledger);
        ledger.end_round();
        let ledger = Mutex::new(ledger);
        write(&service, &ledger, chance, 4, 10, End::Killed);
        service.end();
        let ledger = ledger.into_inner().expect("a lock");
        opened.went_on = true;
        opened.verdict = launch()
            .try_start()
            .map(|service| check(&service, &ledger, &self.scope(&ledger)));
        opened
    }
}

impl Opened {
    /// Adds it to the sums; returns what is wrong.
    fn enter(self, sum: &mut CutTotals) -> Option<String> {
        sum.disks += 1;
        sum.acknowledged += self.acknowledged;
        sum.went_on += usize::from(self.went_on);
        sum.looked_at += self.looked_at;
        let (lost, error) = match self.verdict {
            Ok(verdict) => (verdict.lost.len(), (!verdict.is_whole()).then(|| verdict.to_string())),
            Err(ended) if self.acknowledged == 0 && says_why(&ended, &self.data) => {
                sum.rejected += 1;
                (0, None)
            }
            Err(ended) => (self.acknowledged, Some(format!("it does not start: {}", ended.log))),
        };
        sum.lost += lost;
        sum.disks_with_losses += usize::from(lost > 0);
        error
    }
}

/// Whether the server ended properly and named the directory.
fn says_why(ended: &Ended, data: &Path) -> bool {
    ended.code == Some(1) && ended.log.contains(&data.display().to_string()) && !ended.log.contains("panicked at")
}
