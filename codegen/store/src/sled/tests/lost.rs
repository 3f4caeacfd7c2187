//! Files of a directory that are lost, emptied, zeroed or truncated to half, one or several at once.

use std::fs;

use super::damage::{Files, Left, files, live};
use super::*;

const FILES: [&str; 3] = [Log::FILE, CommitMarker::FILE, CommitMarker::NOT_EMPTY];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FileState {
    Whole,
    Missing,
    Empty,
    Zeroed,
    Half,
}

use FileState::{Empty, Half, Missing, Whole, Zeroed};

const FILE_STATES: [FileState; 5] = [Whole, Missing, Empty, Zeroed, Half];

impl FileState {
    /// What remains of the bytes of a file. Zeros after the part that sled wrote do not count.
    fn of(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let zeros = bytes.iter().rev().take_while(|byte| **byte == 0).count();
        match self {
            Whole => Some(bytes.to_vec()),
            Missing => None,
            Empty => Some(Vec::new()),
            Zeroed => Some(vec![0; bytes.len()]),
            Half => Some(bytes[..(bytes.len() - zeros) / 2].to_vec()),
        }
    }
}

/// Writes the files of `left` to `dir`, those of [`FILES`] in these states. Returns the files.
fn put(left: &Left, dir: &Path, states: [FileState; 3]) -> Files {
    let mut files = left.files.clone();
    for (name, state) in FILES.into_iter().zip(states) {
        let bytes = files.remove(name).expect("a file");
        files.extend(state.of(&bytes).map(|bytes| (name.to_owned(), bytes)));
    }
    files.insert("lock".to_owned(), b"process 1, of before".to_vec());
    for (name, bytes) in &files {
        fs::write(dir.join(name), bytes).expect("a file is written");
    }
    files
}

/// All files, including the lock file.
fn all_files(dir: &Path) -> Files {
    let lock = fs::read(dir.join("lock")).expect("a file");
    files(dir).into_iter().chain([("lock".to_owned(), lock)]).collect()
}

fn all_states() -> impl Iterator<Item = [FileState; 3]> {
    let pairs = FILE_STATES
        .into_iter()
        .flat_map(|log| FILE_STATES.map(|marker| [log, marker]));
    pairs.flat_map(|[log, marker]| FILE_STATES.map(|not_empty| [log, marker, not_empty]))
}

/// The states after a first start that ended before its first commit: the log is missing or has no content, and the
/// marker files are missing.
fn looks_like_a_first_start(states: [FileState; 3]) -> bool {
    matches!(states, [Missing | Empty | Zeroed, Missing, Missing])
}

#[test]
fn a_store_that_lost_files_is_rejected_and_left_as_it_is_or_it_is_whole() {
    let place = Place::new();
    live(&place, 5);
    let left = Left::by(&place);
    for states in all_states().filter(|states| !looks_like_a_first_start(*states)) {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let before = put(&left, dir.path(), states);
        let opened = SledEngine::open(dir.path(), &SCHEMA, Durability::Synced, load);
        match opened {
            Ok(opened) => {
                assert!(
                    entries(&opened.engine) == left.entries,
                    "{states:?}: something is missing"
                );
                assert!(files(dir.path())[CommitMarker::NOT_EMPTY] == left.files[CommitMarker::NOT_EMPTY]);
                assert_eq!(states[..2], [Whole, Whole]);
            }
            Err(rejected) => {
                assert!(
                    all_files(dir.path()) == before,
                    "{states:?}: {rejected}, and files were changed"
                );
                let text = rejected.to_string();
                assert!(
                    rejected.is_damage() && text.ends_with("; move it away and restore a backup in its place"),
                    "{states:?}: {text}"
                );
                assert_ne!(states[..2], [Whole, Whole], "{text}");
            }
        }
    }
}

/// No file proves that there was another one.
#[test]
fn without_log_number_and_marker_a_store_is_taken_for_a_new_one() {
    let place = Place::new();
    live(&place, 1);
    let left = Left::by(&place);
    for states in all_states().filter(|states| looks_like_a_first_start(*states)) {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let mut before = put(&left, dir.path(), states);
        before.retain(|name, _| name.starts_with("snap."));
        for name in before.into_keys() {
            fs::remove_file(dir.path().join(name)).expect("removed");
        }
        assert_eq!(Place::of(dir).opened.engine.last_commit(), 0, "{states:?}");
    }
}

/// A former build did not create this file.
#[test]
fn a_store_without_a_marker_gets_one_when_it_is_opened() {
    let place = Place::new();
    place.put("a", b"1");
    place.put("b", b"1");
    let dir = place.closed();
    let not_empty = dir.path().join(CommitMarker::NOT_EMPTY);
    fs::remove_file(&not_empty).expect("a file is removed");
    let place = Place::of(dir);
    assert!(place.has("a") && place.has("b"));
    assert!(not_empty.exists());
}

/// A power cut after the sync of the first commit and before that of its number: nothing was acknowledged.
#[test]
fn a_first_commit_that_was_not_noted_is_kept() {
    let place = Place::new();
    place.put("a", b"1");
    let mut left = Left::by(&place);
    left.files.remove(CommitMarker::NOT_EMPTY);
    for noted in [vec![0; 32], Vec::new()] {
        left.files.insert(CommitMarker::FILE.to_owned(), noted);
        let dir = tempfile::tempdir().expect("a temporary directory");
        for (name, bytes) in &left.files {
            fs::write(dir.path().join(name), bytes).expect("a file is written");
        }
        let place = Place::of(dir);
        assert!(place.has("a"));
        assert!(place.path().join(CommitMarker::NOT_EMPTY).exists());
    }
}
