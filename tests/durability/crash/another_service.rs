//! Kills and power cuts of another service over the crate `codegen/store`: the notes of `services/`.
//!
//! What holds for Hitode must follow from the crate, not from Hitode. Clients make and delete notes; each answer is noted with its
//! request id. Then the service is killed and started again, or started on disks that are rebuilt from the recorded system calls.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Mutex;

use rand::RngExt as _;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use super::recording::{Recording, STRACE};
use super::replay::{Disk, Policy, Replay};
use super::{chance, open_all, variable};
use crate::trace;
use test_support::http::Connection;
use test_support::process::{Launch, Service, directory};

/// Clients at once.
const WRITERS: u64 = 8;

/// What each does before the service is ended.
const ACTS: usize = 60;

/// A note that was made.
#[derive(Clone, Debug)]
struct Made {
    text: String,
    stars: i64,
    /// The request that made it.
    request: String,
    /// The request that deleted it: none was sent, none was answered, or this one was.
    deleted: Deletion,
}

#[derive(Clone, Debug, PartialEq)]
enum Deletion {
    None,
    Unknown,
    Done(String),
}

/// The acknowledged notes by their ids.
type Ledger = BTreeMap<i64, Made>;

fn launch(data: &Path) -> Launch {
    Launch::new(Path::new(env!("CARGO_BIN_EXE_notes")), data)
}

/// Clients make notes, and delete some of their own, until each has done so many acts, or the service ends: it is killed when
/// `kill_after` notes were acknowledged, with requests in progress.
fn work(service: &Service, acts: usize, kill_after: Option<usize>, mut draw: impl FnMut(u64) -> StdRng) -> Ledger {
    let ledger = Mutex::new(Ledger::new());
    let address = service.into();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (mut chance, ledger) = (draw(writer), &ledger);
            scope.spawn(move || {
                let Ok(mut connection) = Connection::to(address) else {
                    return;
                };
                let mut own: Vec<i64> = Vec::new();
                for act in 0..acts {
                    if own.len() > 3 && chance.random_bool(0.3) {
                        let id = own.swap_remove(chance.random_range(0..own.len()));
                        let set = |to| {
                            let mut ledger = ledger.lock().expect("a lock");
                            ledger.get_mut(&id).expect("it was made").deleted = to;
                        };
                        set(Deletion::Unknown);
                        let Ok(answer) = connection.call("DELETE", &format!("/v1/notes/{id}"), &[], None) else {
                            return;
                        };
                        assert_eq!(answer.status, 200, "{}", answer.text());
                        set(Deletion::Done(answer.header("x-request-id").expect("an id").to_owned()));
                        continue;
                    }
                    // Some are long values, which sled keeps in pieces.
                    let text = format!("{writer} {act} {}", "x".repeat(chance.random_range(0..1_900)));
                    let stars = chance.random_range(1..=5);
                    let body = json!({ "text": text, "stars": stars });
                    let Ok(answer) = connection.call("POST", "/v1/notes", &[], Some(&body)) else {
                        return;
                    };
                    assert_eq!(answer.status, 201, "{}", answer.text());
                    let id = answer.json()["data"]["id"].as_i64().expect("an id");
                    own.push(id);
                    let request = answer.header("x-request-id").expect("an id").to_owned();
                    let made = Made {
                        text,
                        stars,
                        request,
                        deleted: Deletion::None,
                    };
                    let mut ledger = ledger.lock().expect("a lock");
                    ledger.insert(id, made);
                    if Some(ledger.len()) == kill_after {
                        service.signal("KILL");
                    }
                }
            });
        }
    });
    ledger.into_inner().expect("a lock")
}

/// What the service shows and what it must: one line for each difference. `is_done`: whether a request was answered by then.
fn differences(service: &Service, ledger: &Ledger, is_done: impl Fn(&str) -> bool) -> (usize, Vec<String>) {
    let mut connection = Connection::to(service.into()).expect("it listens");
    let (mut known, mut wrong) = (0, Vec::new());
    for (id, made) in ledger {
        if !is_done(&made.request) {
            continue;
        }
        let may_be_gone = match &made.deleted {
            Deletion::None => false,
            Deletion::Unknown => true,
            Deletion::Done(request) => {
                known += usize::from(is_done(request));
                true
            }
        };
        let must_be_gone = matches!(&made.deleted, Deletion::Done(request) if is_done(request));
        known += 1;
        let answer = connection
            .call("GET", &format!("/v1/notes/{id}"), &[], None)
            .expect("an answer");
        let right = json!({ "id": id, "text": made.text, "stars": made.stars });
        let is_right = match answer.status {
            200 => !must_be_gone && answer.json()["data"] == right,
            404 => may_be_gone,
            _ => false,
        };
        if !is_right {
            wrong.push(format!("note {id} ({made:?}): {} {}", answer.status, answer.text()));
        }
    }
    // The index of the list goes with the notes.
    let list = connection
        .call("GET", "/v1/notes?limit=1000", &[], None)
        .expect("an answer");
    let list = list.json();
    let list = &list["data"];
    let order = |note: &Value| (-note["stars"].as_i64().unwrap_or(0), -note["id"].as_i64().unwrap_or(0));
    if !list.as_array().expect("a list").is_sorted_by_key(order) {
        wrong.push(format!("the list is in another order: {list}"));
    }
    (known, wrong)
}

#[test]
fn another_service_loses_nothing_when_it_is_killed() {
    let kills = variable("HITODE_CRASHES", 4);
    let data = directory();
    let mut ledger = Ledger::new();
    for kill in 0..kills {
        let mut service = launch(data.path()).start();
        let (known, wrong) = differences(&service, &ledger, |_| true);
        assert!(wrong.is_empty(), "after {kill} kills: {}", wrong.join("\n"));
        assert!(kill == 0 || known > 0);
        let kill_after = chance(8 << 20 | kill).random_range(1..250);
        let written = work(&service, usize::MAX, Some(kill_after), |writer| {
            chance(7 << 20 | kill << 8 | writer)
        });
        assert_eq!(service.end().code, None, "it was killed");
        ledger.extend(written);
    }
    let service = launch(data.path()).start();
    let (known, wrong) = differences(&service, &ledger, |_| true);
    println!(
        "{kills} kills of another service, {known} acknowledged, {} lost",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(known as u64 > kills);
}

#[test]
fn another_service_loses_nothing_in_a_power_cut() {
    let (place, traces) = (directory(), directory());
    let root = place.path().canonicalize().expect("it is there");
    let (mut recording, mut ledger) = (Recording::read(&root), Ledger::new());
    for run in 0..2 {
        let trace = traces.path().join(run.to_string());
        let service = launch(&root.join("data")).under_strace(STRACE, &trace).start();
        ledger.extend(work(&service, ACTS, None, |writer| chance(9 << 20 | run << 8 | writer)));
        assert_eq!(service.stop().code, Some(0));
        recording.add(&trace::read(&trace));
    }
    let (replay, answers) = (Replay::new(&recording), recording.answers());
    let left = replay.disk(usize::MAX, Policy::Everything, &mut chance(0));
    assert!(
        left == Disk::read(&root),
        "the recording does not lead to what the service left"
    );
    let first = answers.values().min().expect("there are answers");
    let moments: Vec<usize> = recording
        .events
        .iter()
        .map(|event| event.begun + 1)
        .filter(|at| at > first)
        .collect();
    let disks = variable("HITODE_POWER_CUTS", 12);
    let sum = Mutex::new((0, Vec::new()));
    let cut = |number: usize| {
        let mut chance = chance(10 << 20 | number as u64);
        let moment = moments[chance.random_range(0..moments.len())];
        let policy = Policy::ALL[number % Policy::ALL.len()];
        let state = directory();
        replay.disk(moment, policy, &mut chance).write(&root, state.path());
        let (known, wrong) = match launch(&state.path().join("data")).try_start() {
            Ok(service) => differences(&service, &ledger, |request| is_answered(&answers, request, moment)),
            Err(ended) => (1, vec![format!("it does not start: {}", ended.log)]),
        };
        let wrong = wrong
            .into_iter()
            .map(|error| format!("disk {number} ({policy:?}): {error}"));
        (known, wrong.collect::<Vec<_>>())
    };
    open_all(disks, |number| {
        let (known, wrong) = cut(number);
        let mut sum = sum.lock().expect("a lock");
        sum.0 += known;
        sum.1.extend(wrong);
    });
    let (known, wrong) = sum.into_inner().expect("a lock");
    println!(
        "{disks} disks of another service after a power cut, {known} acknowledged, {} lost",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(known as u64 > disks);
}

/// Whether the answer to this request was being sent before the moment.
fn is_answered(answers: &HashMap<&str, usize>, request: &str, moment: usize) -> bool {
    answers.get(request).is_some_and(|sent| *sent < moment)
}
