//! SIGKILL while workers and agents send files and name them in messages: each file whose upload was answered is there with all
//! its bytes, no other is ever read half, and what interrupted uploads have left goes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

use super::{chance, variable};
use test_support::http::{Answer, Connection};
use test_support::people::{Caller, People};
use test_support::process::{DEADLINE, Launch, Service, directory, program};

/// Clients of each side.
const CLIENTS: u64 = 3;

/// How many ids an upload without an answer may have taken.
const UNANSWERED: i64 = 2 * CLIENTS as i64;

/// Those who send files in one round: quotas count bytes.
struct Pair {
    people: People,
    conversation: i64,
    /// The first id that they may have been given, and the last one that they were.
    ids: (i64, i64),
    files: Vec<Sent>,
}

/// A file whose upload was answered.
struct Sent {
    id: i64,
    text: String,
    by_agent: bool,
    /// Whether a message with it was answered. `None`: no message was sent.
    is_named: Option<bool>,
}

#[derive(Default)]
struct Totals {
    uploads: usize,
    named: usize,
    unanswered: usize,
    of_these_stored: usize,
    left: usize,
}

#[test]
fn every_acknowledged_file_is_whole_after_kills_and_none_is_read_half() {
    let kills = variable("HITODE_FILE_KILLS", 5);
    let data = directory();
    let start = || Launch::on(data.path()).arg("--rate-limits").arg("off").start();
    let (mut pairs, mut totals, mut next) = (Vec::<Pair>::new(), Totals::default(), 1);
    let mut service = start();
    for round in 0..kills {
        let pair = until_killed(&service, round, next, &mut totals);
        assert_eq!(service.end().code, None);
        pairs.push(pair);
        let left = age(&data.path().join("files"));
        service = start();
        // The last ones, and some earlier ones.
        let last = pairs.len() - 1;
        let read = pairs.iter().enumerate();
        let read = read.filter(|(number, _)| *number == last || number % 8 == round as usize % 8 || round + 1 == kills);
        for (_, pair) in read {
            totals.of_these_stored += are_whole(&service, pair);
        }
        next = pairs[last].ids.1 + 1 + UNANSWERED;
        totals.left += are_gone(&left);
    }
    assert_eq!(service.stop().code, Some(0));
    is_consistent(data.path());
    println!(
        "{kills} kills, {} files acknowledged, {} of them named in messages, 0 lost; {} requests without an answer; {} \
         uploads without an answer were stored, all whole; {} interrupted ones were removed",
        totals.uploads, totals.named, totals.unanswered, totals.of_these_stored, totals.left
    );
    assert!(totals.uploads > 0 && totals.named > 0 && totals.unanswered > 0);
}

/// Lets a pair send files until the server is killed.
fn until_killed(service: &Service, round: u64, next: i64, totals: &mut Totals) -> Pair {
    let people = People::enter(service, Caller::operator_of(service));
    let begin = json!({ "human_id": people.human, "message": "Photos?" });
    let conversation = people.agent.post("/conversations", begin).data()["id"].as_i64();
    let conversation = conversation.expect("an id");
    let mut dice = chance(5 << 20 | round);
    let pause = Duration::from_millis(dice.random_range(5..700));
    let (files, unanswered) = (Mutex::new(Vec::new()), Mutex::new(0));
    thread::scope(|scope| {
        for client in 0..2 * CLIENTS {
            let (dice, files, unanswered) = (StdRng::seed_from_u64(dice.random()), &files, &unanswered);
            let by_agent = client % 2 == 0;
            let caller = if by_agent { &people.agent } else { &people.worker };
            scope.spawn(move || {
                let keep = |sent: Sent| files.lock().expect("no client panics").push(sent);
                if let Ok(connection) = Connection::to(service.address) {
                    send(
                        connection,
                        caller,
                        conversation,
                        by_agent,
                        &format!("{round}-{client}"),
                        dice,
                        keep,
                    );
                    *unanswered.lock().expect("no client panics") += 1;
                }
            });
        }
        thread::sleep(pause);
        service.signal("KILL");
    });
    let files = files.into_inner().expect("no client panics");
    totals.unanswered += unanswered.into_inner().expect("no client panics");
    totals.uploads += files.len();
    totals.named += files.iter().filter(|sent| sent.is_named == Some(true)).count();
    let last = files.iter().map(|sent| sent.id).max().unwrap_or(next - 1);
    Pair {
        people,
        conversation,
        ids: (next, last),
        files,
    }
}

/// Sends files, and names most of them in messages, until there is no answer.
fn send(
    mut connection: Connection,
    caller: &Caller,
    conversation: i64,
    by_agent: bool,
    name: &str,
    mut dice: StdRng,
    keep: impl Fn(Sent),
) {
    for number in 0.. {
        let length = *[40, 3_000, 70_000, 400_000]
            .get(dice.random_range(0..4))
            .expect("one of four");
        let text = text(&format!("{name}-{number}"), length);
        let Ok(answer) = caller.upload_over(&mut connection, &text) else {
            return;
        };
        let id = succeeded(&answer)["id"].as_i64().expect("an id");
        let mut sent = Sent {
            id,
            text,
            by_agent,
            is_named: None,
        };
        if dice.random_ratio(1, 4) {
            keep(sent);
            continue;
        }
        let path = format!("/conversations/{conversation}/messages");
        let message = json!({ "content": "Here it is", "files": [id] });
        let answer = caller.over(&mut connection, "POST", &path, Some(&message));
        sent.is_named = Some(answer.is_ok());
        keep(sent);
        match answer {
            Ok(answer) => drop(succeeded(&answer)),
            Err(_) => return,
        }
    }
}

#[track_caller]
fn succeeded(answer: &Answer) -> Value {
    assert!(answer.status < 300, "{}", answer.text());
    answer.data()
}

/// A text of this length that says how long it is.
fn text(name: &str, length: usize) -> String {
    let mut text = format!("{name} {length}\n");
    while text.len() < length {
        text += &format!("{name} at {}\n", text.len());
    }
    text.truncate(length);
    text
}

/// Checks that the acknowledged files are there, and that any other file is one that was sent, with all its bytes. Returns how
/// many others there are.
fn are_whole(service: &Service, pair: &Pair) -> usize {
    let people = pair.people.at(service);
    let sides = [&people.agent, &people.worker];
    for sent in &pair.files {
        let [sender, other] = if sent.by_agent { sides } else { [sides[1], sides[0]] };
        let read = |caller: &Caller| caller.get(&format!("/files/{}", sent.id));
        let own = read(sender);
        assert_eq!(
            (own.status, own.text() == sent.text),
            (200, true),
            "file {} is lost",
            sent.id
        );
        let others = read(other);
        match sent.is_named {
            Some(true) => assert_eq!((others.status, others.text() == sent.text), (200, true)),
            Some(false) => assert!(others.status == 404 || others.text() == sent.text),
            None => assert_eq!(others.status, 404),
        }
    }
    let listed = people
        .agent
        .get(&format!("/conversations/{}/files?limit=100", pair.conversation))
        .data();
    let listed = listed.as_array().map_or(0, Vec::len);
    let named = pair.files.iter().filter(|sent| sent.is_named == Some(true)).count();
    assert!(listed >= named.min(100), "{listed} of {named} files are listed");
    let unknown = (pair.ids.0..=pair.ids.1 + UNANSWERED).filter(|id| pair.files.iter().all(|sent| sent.id != *id));
    let unknown = unknown.flat_map(|id| sides.map(|side| side.get(&format!("/files/{id}"))));
    let there: Vec<_> = unknown.filter(|answer| answer.status != 404).collect();
    for answer in &there {
        let found = answer.text();
        let first = found.lines().next().and_then(|line| line.split_once(' '));
        let (name, length) = first.expect("a name and a length");
        let whole = text(name, length.parse().expect("a length"));
        assert_eq!(
            (answer.status, found == whole),
            (200, true),
            "a file is read half: {name}"
        );
    }
    there.len()
}

/// Makes all files in the directory two hours old, and leaves one in it as an interrupted upload does. Returns those that
/// were never received completely.
fn age(files: &Path) -> Vec<PathBuf> {
    let below = |path: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(path).expect("a directory");
        entries.map(|entry| entry.expect("an entry").path()).collect()
    };
    let incoming = files.join("incoming");
    fs::write(incoming.join("left"), b"half").expect("written");
    for path in below(files).iter().flat_map(|path| below(path)) {
        let file = File::options().write(true).open(path).expect("a file");
        file.set_modified(SystemTime::now() - Duration::from_secs(7_200))
            .expect("set");
    }
    below(&incoming)
}

/// Waits until the server has removed these files. Returns how many the test has not left.
fn are_gone(left: &[PathBuf]) -> usize {
    let begun = Instant::now();
    while left.iter().any(|path| path.exists()) {
        assert!(begun.elapsed() < DEADLINE, "interrupted uploads are left: {left:?}");
        thread::sleep(Duration::from_millis(10));
    }
    left.len() - 1
}

/// Checks that each file has its content, and that no content is left without a file.
fn is_consistent(data: &Path) {
    let checked = Command::new(program())
        .args(["check", "--json", "--data"])
        .arg(data)
        .output();
    let checked = checked.expect("it runs");
    let text = String::from_utf8_lossy(&checked.stdout);
    assert_eq!(checked.status.code(), Some(0), "{text}");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["contents_without_file"], 0, "{document}");
}
