//! Damaged files: for any flipped bit and any truncation of any file, a start either has everything that was
//! acknowledged or reports that it has not.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use codegen_store::{OpenError, Raw, panics};
use contract::ApplicationStatus;

use super::*;
use crate::store::WithoutKeys;
use crate::store::tables;
use crate::store::{NewApplication, NewConversation, NewMessage, Party};

/// Files of a data directory, by name.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// Makes every kind of write, `times` times.
pub(super) async fn live(place: &TestStore, times: i64) {
    let account = place.account(&times.to_string()).await;
    for round in 0..times {
        let (human, bounty) = (place.human("Hana").await, place.bounty(account, "A task").await);
        let bio = format!("{round}").repeat(6_000);
        let change = move |human: &mut contract::Human| human.bio = bio.clone();
        let changed = place.store.update_human(Actor::Operator, human, None, change).await;
        changed.expect("a write").expect("changed");
        let application = NewApplication {
            bounty_id: bounty,
            human_id: human,
            message: "I can".to_owned(),
            created_at: at(round),
        };
        let application = place
            .store
            .unkeyed()
            .create_application(Actor::Operator, application)
            .await;
        let application = application.expect("a write").expect("an application");
        let decided = place
            .store
            .decide_application(
                Actor::Operator,
                account,
                application,
                ApplicationStatus::Accepted,
                at(1),
                vec![],
            )
            .await;
        decided.expect("a write").expect("decided");
        let conversation = NewConversation {
            account_id: account,
            human_id: human,
            message: "Hello".to_owned(),
            created_at: at(round),
            steps: vec![],
        };
        let begun = place
            .store
            .unkeyed()
            .create_conversation(Actor::Operator, conversation)
            .await;
        let message = NewMessage {
            conversation_id: begun.expect("a write").expect("a conversation").0,
            sender: Party::Human(human),
            content: "Good day".to_owned(),
            created_at: at(round),
            steps: vec![],
        };
        place
            .store
            .unkeyed()
            .create_message(Actor::Operator, message)
            .await
            .expect("a write")
            .expect("sent");
        let moved = place
            .store
            .move_bounty(Actor::Operator, account, bounty, BountyStatus::Completed, at(1))
            .await;
        moved.expect("a write").expect("moved");
    }
}

/// All files but the lock file, into which a running store writes.
pub(super) fn files(path: &Path) -> Files {
    let entries = fs::read_dir(path).expect("a directory");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let read = |path: PathBuf| {
        let name = path.file_name().expect("a name").to_str().expect("text").to_owned();
        (name != "lock" && path.is_file()).then(|| (name, fs::read(&path).expect("a file")))
    };
    paths.filter_map(read).collect()
}

/// A directory after its process was killed behind the last acknowledged write, and its content.
pub(super) struct Left {
    pub(super) files: Files,
    pub(super) entries: Vec<(String, Vec<u8>, Vec<u8>)>,
}

impl Left {
    pub(super) async fn by(place: &TestStore) -> Self {
        let entries = content(&place.store);
        let files = files(&place.path());
        Self { files, entries }
    }

    fn len(&self, file: &str) -> usize {
        self.files[file].len()
    }

    /// The name of the one file that begins with `begin`.
    fn named(&self, begin: &str) -> String {
        let mut names = self.files.keys().filter(|name| name.starts_with(begin));
        let name = names.next().expect("a file").clone();
        assert_eq!(names.next(), None);
        name
    }

    /// The result of a start on a copy with `change` applied to the file. A rejected copy must stay as it was. A check
    /// before the start must have the same result, and change nothing.
    #[track_caller]
    fn opened_with(&self, file: &str, change: &Damage) -> OpenOutcome {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let damaged = self.put(dir.path(), file, change);
        let checked = SledStore::check(dir.path(), &[]);
        assert!(
            files(dir.path()) == damaged,
            "{file} {change:?}: the check changed the files"
        );
        let opened = SledStore::open(dir.path(), Durability::Synced);
        match (&checked, &opened) {
            (Ok(_), Ok(_)) => {}
            (Err(checked), Err(opened)) => {
                assert_eq!(checked.to_string(), opened.to_string());
                assert!(checked.is_damage(), "{checked}");
            }
            (checked, _) => panic!("{file} {change:?}: the start differs from the check, {checked:?}"),
        }
        match opened {
            Ok(store) if content(&store) == self.entries => OpenOutcome::Whole,
            Ok(_) => OpenOutcome::Less,
            Err(rejected) => {
                let text = rejected.to_string();
                assert!(!text.contains('\n') && !text.contains("panic"), "{text}");
                assert!(
                    files(dir.path()) == damaged,
                    "{file} {change:?}: {rejected}, and the files were changed"
                );
                OpenOutcome::Rejected(rejected)
            }
        }
    }

    /// The same without the checks of commit numbers and checksums.
    fn is_silently_less_with(&self, file: &str, change: &Damage) -> bool {
        let dir = tempfile::tempdir().expect("a temporary directory");
        self.put(dir.path(), file, change);
        let opened = panics::caught(|| {
            let raw = Raw::open(dir.path(), &tables::SCHEMA);
            let loaded = raw.load(load).expect("it can be read");
            loaded.is_ok() && entries(raw.reads()) != self.entries
        });
        opened.unwrap_or(false)
    }

    fn put(&self, dir: &Path, file: &str, change: &Damage) -> Files {
        let mut damaged = self.files.clone();
        match change {
            Damage::Flip(bit) => damaged.get_mut(file).expect("a file")[bit / 8] ^= 1 << (bit % 8),
            Damage::Cut(bytes) => damaged.get_mut(file).expect("a file").truncate(*bytes),
            Damage::Garbage => damaged.get_mut(file).expect("a file").fill(0x5a),
            Damage::Gone => drop(damaged.remove(file)),
        }
        for (name, bytes) in &damaged {
            fs::write(dir.join(name), bytes).expect("a file is written");
        }
        damaged
    }
}

#[derive(Debug)]
enum Damage {
    /// Flips this bit.
    Flip(usize),
    /// Truncates the file to this many bytes.
    Cut(usize),
    Garbage,
    Gone,
}

#[derive(Debug)]
enum OpenOutcome {
    /// With everything that was acknowledged.
    Whole,
    /// With other content.
    Less,
    Rejected(OpenError),
}

/// Positions that are spread over the range and the same in every run.
fn places(below: usize, how_many: usize) -> impl Iterator<Item = usize> {
    let golden = (below as f64 * 0.618_033_988_749) as usize | 1;
    (1..=how_many).map(move |nth| nth.wrapping_mul(golden) % below)
}

/// A store with a snapshot of its first half, and a log of the second half.
async fn snapshot_and_log() -> Left {
    let place = TestStore::new();
    live(&place, 25).await;
    let place = place.reopened().await;
    live(&place, 20).await;
    Left::by(&place).await
}

/// A store that was never reopened, so that everything is in the log.
async fn long_log() -> Left {
    let place = TestStore::new();
    live(&place, 60).await;
    Left::by(&place).await
}

fn changes_of_log(left: &Left, flips: usize, cuts: usize) -> impl Iterator<Item = Damage> {
    let len = left.len("db");
    let flips = places(len * 8, flips).map(Damage::Flip);
    flips.chain(places(len, cuts).map(Damage::Cut))
}

#[track_caller]
fn nothing_is_lost_silently(left: &Left, flips: usize, cuts: usize) {
    let (mut whole, mut rejected) = (0, 0);
    for change in changes_of_log(left, flips, cuts) {
        match left.opened_with("db", &change) {
            OpenOutcome::Whole => whole += 1,
            OpenOutcome::Rejected(error) if error.is_damage() => rejected += 1,
            other => panic!("{change:?}: {other:?}"),
        }
    }
    assert!(whole > 0 && rejected > 0, "{whole} whole, {rejected} rejected");
}

#[tokio::test]
async fn a_damaged_log_after_a_snapshot_is_never_served_with_less_than_was_acknowledged() {
    nothing_is_lost_silently(&snapshot_and_log().await, 50, 20);
}

#[tokio::test]
async fn a_damaged_long_log_is_never_served_with_less_than_was_acknowledged() {
    nothing_is_lost_silently(&long_log().await, 50, 20);
}

#[tokio::test]
async fn without_the_checks_writes_would_be_lost_silently() {
    for left in [snapshot_and_log().await, long_log().await] {
        let less = changes_of_log(&left, 15, 5).filter(|change| left.is_silently_less_with("db", change));
        let less = less.count();
        assert!(less > 0);
    }
}

#[tokio::test]
async fn what_can_be_created_again_prevents_no_start() {
    let left = snapshot_and_log().await;
    for file in [left.named("snap."), "conf".to_owned()] {
        let len = left.len(&file);
        let flips = places(len * 8, 12).map(Damage::Flip);
        for change in flips
            .chain([0, 1, 7, len / 2, len - 1].map(Damage::Cut))
            .chain([Damage::Garbage, Damage::Gone])
        {
            let opened = left.opened_with(&file, &change);
            assert!(matches!(opened, OpenOutcome::Whole), "{file} {change:?}: {opened:?}");
        }
    }
}

#[tokio::test]
async fn one_half_of_the_marker_is_enough() {
    let left = snapshot_and_log().await;
    let bits = left.len("complete") * 8;
    for change in places(bits, 8).map(Damage::Flip) {
        let opened = left.opened_with("complete", &change);
        assert!(matches!(opened, OpenOutcome::Whole), "{change:?}: {opened:?}");
    }
    let opened = left.opened_with("complete", &Damage::Garbage);
    assert!(matches!(&opened, OpenOutcome::Rejected(error) if error.to_string().contains("`complete`")));
}

#[tokio::test]
async fn a_missing_log_is_not_taken_for_a_new_one() {
    let left = snapshot_and_log().await;
    for (change, expected) in [
        (Damage::Gone, "`db` is missing"),
        (Damage::Cut(0), "`db` is empty"),
        (Damage::Cut(1), "its file `db` is damaged"),
        (Damage::Garbage, "its file `db` is damaged"),
    ] {
        let opened = left.opened_with("db", &change);
        let cause = match &opened {
            OpenOutcome::Rejected(rejected) => rejected.to_string(),
            _ => String::new(),
        };
        assert!(cause.contains(expected), "{change:?}: {opened:?}");
    }
}

#[tokio::test]
async fn a_log_of_before_is_rejected_with_both_numbers() {
    let place = TestStore::new();
    place.account("a").await;
    let before = fs::read(place.path().join("db")).expect("a log");
    place.account("b").await;
    place.account("c").await;
    place.store.close().await.expect("the store closes");
    fs::write(place.path().join("db"), before).expect("a file is written");
    let opened = SledStore::open(&place.path(), Durability::Synced).map(drop);
    let text = opened.expect_err("two writes are missing").to_string();
    assert!(
        text.contains("ends with commit 1, and commit 3 was acknowledged"),
        "{text}"
    );
}

/// A closed store in whose log many segments are almost empty, so that sled moves their pages whenever it is read.
async fn scattered() -> TempDir {
    let place = TestStore::new();
    let workers = |round: usize| {
        let worker = |nth| contract::NewHuman {
            bio: format!("{round} {nth} ").repeat(300),
            ..new_human("Hana")
        };
        (0..1_000).map(worker).collect::<Vec<_>>()
    };
    for round in 0..6 {
        place
            .store
            .unkeyed()
            .create_humans(workers(round), false)
            .await
            .expect("a write");
    }
    place.store.close().await.expect("the store closes");
    place.dir
}

#[tokio::test]
async fn a_log_that_sled_tidies_while_it_is_verified_stays_readable() {
    let dir = scattered().await;
    for _ in 0..3 {
        SledStore::check(dir.path(), &[]).expect("it is consistent");
    }
    Raw::open(dir.path(), &tables::SCHEMA).put(tables::OPEN_BOUNTIES, &[0; 8], b"");
    for _ in 0..2 {
        let opened = SledStore::open(dir.path(), Durability::Synced).map(drop);
        assert!(
            opened.as_ref().is_err_and(|error| error.findings().is_some()),
            "{opened:?}"
        );
    }
}
