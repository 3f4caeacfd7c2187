//! SIGKILL while files are sent.

use std::fs::{self, File};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rand::RngExt as _;
use test_support::process::{DEADLINE, Launch, directory};

use super::{Load, Message, Pair, UNANSWERED, checked};
use crate::crash::{chance, variable};

/// What was sent in one round, by a pair of its own: quotas count bytes.
struct Round {
    pair: Pair,
    load: Load,
    /// The ids that its files may have.
    ids: RangeInclusive<i64>,
}

#[test]
fn every_acknowledged_file_is_whole_after_kills_and_none_is_read_half() {
    let kills = variable("HITODE_FILE_KILLS", 5);
    let data = directory();
    let start = || Launch::on(data.path()).arg("--rate-limits").arg("off").start();
    let (mut rounds, mut next, mut stored, mut removed) = (Vec::<Round>::new(), 1, 0, 0);
    let mut service = start();
    for number in 0..kills {
        let mut dice = chance(5 << 20 | number);
        let pause = Duration::from_millis(dice.random_range(5..700));
        let pair = Pair::enter(&service);
        let load = pair.send(&service, &number.to_string(), usize::MAX, &mut dice, || {
            thread::sleep(pause);
            service.signal("KILL");
        });
        assert_eq!(service.end().code, None);
        let last = load.files.iter().map(|sent| sent.id).max().unwrap_or(next - 1) + UNANSWERED;
        let ids = next..=last;
        rounds.push(Round { pair, load, ids });
        next = last + 1;
        let left = age(&data.path().join("files"));
        service = start();
        // The last ones, and some earlier ones.
        let read = rounds.iter().rev().enumerate();
        let read = read.filter(|(before, _)| *before == 0 || before % 8 == 1 || number + 1 == kills);
        for (_, round) in read {
            let seen = round.pair.look(&service, &round.load, round.ids.clone());
            assert!(seen.wrong.is_empty(), "kill {number}: {}", seen.wrong.join("\n"));
            stored += seen.unanswered;
        }
        removed += are_gone(&left);
    }
    assert_eq!(service.stop().code, Some(0));
    let found = checked(data.path()).expect("each file has its content");
    assert_eq!(found["contents_without_file"], 0, "{found}");
    let files = || rounds.iter().flat_map(|round| &round.load.files);
    let named = files()
        .filter(|sent| matches!(sent.message, Message::Answered(_)))
        .count();
    let unanswered: usize = rounds.iter().map(|round| round.load.unanswered).sum();
    println!(
        "{kills} kills, {} files acknowledged, {named} of them named in messages, 0 lost; {unanswered} requests without an answer; \
         uploads without an answer were read {stored} times, all whole; {removed} interrupted ones were removed",
        files().count()
    );
    assert!(named > 0 && unanswered > 0);
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
