//! Damaged files: for any flipped bit and any truncation of any file, a start either has everything that was
//! acknowledged or reports that it has not.

use std::collections::BTreeMap;
use std::fs;

use super::*;

/// Files of a data directory, by name.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// Writes new values, short and long ones, replaces some and removes others, `times` times. None is in a tree without checksum.
pub(super) fn live(place: &Place, times: u32) {
    let first = place.opened.engine.last_commit();
    for round in 0..times {
        let key = |name: &str| Bytes::from(format!("{name} {first} {round}").as_bytes());
        let long = format!("{round}").repeat(6_000);
        let text = |text: &str| Some(Bytes::from(text.as_bytes()));
        for batch in [
            Batch::from([((ONE, key("record")), text("{\"a\":1}")), ((TWO, key("row")), text(""))]),
            Batch::from([
                ((ONE, key("record")), text(&long)),
                ((Tree::META, Bytes::from(b"count")), text("1")),
            ]),
            Batch::from([((TWO, key("row")), None), ((TWO, key("other row")), text(""))]),
            Batch::from([
                ((ONE, key("later")), text("what follows")),
                ((TWO, key("usage")), text("1")),
            ]),
        ] {
            place.opened.engine.commit(&batch).expect("it is written");
        }
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
    pub(super) entries: Vec<(Tree, Bytes, Bytes)>,
}

impl Left {
    pub(super) fn by(place: &Place) -> Self {
        let entries = entries(&place.opened.engine);
        let files = files(place.path());
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
        let checked = SledEngine::inspect(dir.path(), &SCHEMA, &[], load, |_| ());
        assert!(
            files(dir.path()) == damaged,
            "{file} {change:?}: the check changed the files"
        );
        let opened = SledEngine::open(dir.path(), &SCHEMA, Durability::Synced, load);
        match (&checked, &opened) {
            (Ok(_), Ok(_)) => {}
            (Err(checked), Err(opened)) => {
                assert_eq!(checked.to_string(), opened.to_string());
                assert!(checked.is_damage(), "{checked}");
            }
            (checked, _) => panic!("{file} {change:?}: the start differs from the check, {checked:?}"),
        }
        match opened {
            Ok(opened) if entries(&opened.engine) == self.entries => OpenOutcome::Whole,
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
            let raw = Raw::open(dir.path(), &SCHEMA);
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
fn snapshot_and_log() -> Left {
    let place = Place::new();
    live(&place, 40);
    let place = place.reopened();
    live(&place, 35);
    Left::by(&place)
}

/// A store that was never reopened, so that everything is in the log.
fn long_log() -> Left {
    let place = Place::new();
    live(&place, 100);
    Left::by(&place)
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

#[test]
fn a_damaged_log_after_a_snapshot_is_never_served_with_less_than_was_acknowledged() {
    nothing_is_lost_silently(&snapshot_and_log(), 50, 20);
}

#[test]
fn a_damaged_long_log_is_never_served_with_less_than_was_acknowledged() {
    nothing_is_lost_silently(&long_log(), 50, 20);
}

#[test]
fn without_the_checks_writes_would_be_lost_silently() {
    for left in [snapshot_and_log(), long_log()] {
        let less = changes_of_log(&left, 15, 5).filter(|change| left.is_silently_less_with("db", change));
        let less = less.count();
        assert!(less > 0);
    }
}

#[test]
fn what_can_be_created_again_prevents_no_start() {
    let left = snapshot_and_log();
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

#[test]
fn one_half_of_the_marker_is_enough() {
    let left = snapshot_and_log();
    let bits = left.len(CommitMarker::FILE) * 8;
    for change in places(bits, 8).map(Damage::Flip) {
        let opened = left.opened_with(CommitMarker::FILE, &change);
        assert!(matches!(opened, OpenOutcome::Whole), "{change:?}: {opened:?}");
    }
    let opened = left.opened_with(CommitMarker::FILE, &Damage::Garbage);
    assert!(matches!(&opened, OpenOutcome::Rejected(error) if error.to_string().contains("`complete`")));
}

#[test]
fn a_missing_log_is_not_taken_for_a_new_one() {
    let left = snapshot_and_log();
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

#[test]
fn a_log_of_before_is_rejected_with_both_numbers() {
    let place = Place::new();
    place.put("a", b"1");
    let before = fs::read(place.path().join("db")).expect("a log");
    place.put("b", b"1");
    place.put("c", b"1");
    let dir = place.closed();
    fs::write(dir.path().join("db"), before).expect("a file is written");
    let text = try_open(dir.path()).expect_err("two writes are missing").to_string();
    assert!(
        text.contains("ends with commit 1, and commit 3 was acknowledged"),
        "{text}"
    );
}

/// A closed store in whose log many segments are almost empty, so that sled moves their pages whenever it is read.
fn scattered() -> TempDir {
    let place = Place::new();
    for round in 0..6_u32 {
        let entry = |nth: u32| {
            let (key, value) = (format!("{round} {nth}"), format!("{round} {nth} ").repeat(300));
            ((ONE, Bytes::from(key.as_bytes())), Some(Bytes::from(value.as_bytes())))
        };
        let batch: Batch = (0..1_000).map(entry).collect();
        place.opened.engine.commit(&batch).expect("it is written");
    }
    place.closed()
}

#[test]
fn a_log_that_sled_tidies_while_it_is_verified_stays_readable() {
    let dir = scattered();
    for _ in 0..3 {
        SledEngine::inspect(dir.path(), &SCHEMA, &[], load, |_| ()).expect("it is consistent");
    }
    Raw::open(dir.path(), &SCHEMA).put(Raw::PIECES, &[0; 10], b"x");
    for _ in 0..2 {
        let opened = try_open(dir.path());
        assert!(
            opened.as_ref().is_err_and(|error| error.findings().is_some()),
            "{opened:?}"
        );
    }
}
