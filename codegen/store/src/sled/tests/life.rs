//! Opening and closing.

use std::fs;

use fs2::FileExt;

use super::*;

fn is_rejected(opened: &Result<(), OpenError>, is_meant: impl Fn(&OpenFailure) -> bool) -> bool {
    opened.as_ref().is_err_and(|error| is_meant(error.failure()))
}

#[test]
fn a_second_open_is_rejected() {
    let place = Place::new();
    let text = try_open(place.path()).expect_err("the directory is in use").to_string();
    assert!(text.contains("another hitode uses the data directory"), "{text}");
    place.put("a", b"1");
    assert!(place.reopened().has("a"));
}

#[test]
fn a_store_that_is_slow_to_let_go_of_its_file_is_waited_for() {
    let place = Place::new();
    place.put("a", b"1");
    let dir = place.closed();
    let path = dir.path().to_owned();
    let db = fs::File::open(path.join(Log::FILE)).expect("a log");
    while db.try_lock_exclusive().is_err() {
        std::thread::yield_now();
    }
    let unfinished = path.join("snap.0000000000000001.generating");
    fs::write(&unfinished, b"cut sh").expect("a file is written");
    let opening = std::thread::spawn(move || try_open(&path));
    // The last step before sled is opened.
    while unfinished.exists() {
        std::thread::yield_now();
    }
    drop(db);
    opening.join().expect("no panic").expect("it opens");
}

#[test]
fn an_unfinished_snapshot_is_removed() {
    let place = Place::new();
    place.put("a", b"1");
    let dir = place.closed();
    let unfinished = dir.path().join("snap.0000000000000001.generating");
    fs::write(&unfinished, b"cut sh").expect("a file is written");
    assert!(Place::of(dir).has("a"));
    assert!(!unfinished.exists());
}

#[test]
fn a_file_is_no_data_directory() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("data");
    fs::write(&file, b"").expect("a file is written");
    let opened = try_open(&file);
    assert!(
        is_rejected(&opened, |failure| matches!(failure, OpenFailure::NotADirectory(..))),
        "{opened:?}"
    );
}

#[test]
fn a_damaged_log_is_an_error_and_neither_a_panic_nor_an_empty_store() {
    for damage in [vec![], vec![7; 4096], vec![0; 1 << 20]] {
        let place = Place::new();
        place.put("a", b"1");
        let dir = place.closed();
        for entry in fs::read_dir(dir.path()).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.to_string_lossy().contains("snap.") {
                fs::remove_file(path).expect("a file is removed");
            }
        }
        fs::write(dir.path().join(Log::FILE), damage).expect("a file is written");
        let opened = try_open(dir.path());
        assert!(
            is_rejected(&opened, |failure| matches!(failure, OpenFailure::Damaged(..))),
            "{opened:?}"
        );
    }
}

#[test]
fn a_directory_is_made_with_its_parents() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    try_open(&dir.path().join("a/b")).expect("it opens");
}

#[test]
fn after_a_failed_sync_nothing_is_written() {
    let place = Place::new();
    place.put("a", b"1");
    place
        .opened
        .engine
        .replace_sync(|number| Err(io::Error::other(format!("commit {number}"))));
    let batch = Batch::from([((ONE, Bytes::from(b"b")), Some(Bytes::from(b"1")))]);
    let failed = place.opened.engine.commit(&batch);
    assert!(
        matches!(&failed, Err(EngineError::OutcomeUnknown(cause)) if cause == "sync: commit 2"),
        "{failed:?}"
    );
    let next = place.opened.engine.commit(&batch);
    assert_eq!(
        next.map(drop).expect_err("it is not tried").to_string(),
        "sync: commit 2"
    );
    assert_eq!(place.opened.engine.last_commit(), 2);
}
