//! Other processes that use the data directory.

use std::fs::{self, File};

use fs2::FileExt;

use super::{Entries, files, rejected};
use test_support::process::{Launch, directory};

#[test]
fn the_process_that_uses_the_directory_is_named() {
    let data = directory();
    let service = Launch::on(data.path()).start();
    let mut entries = Entries::at(&service);
    entries.enter_some();
    let line = rejected(Launch::on(data.path()));
    let holder = format!("(process {}, since 2", service.id());
    assert!(
        line.contains("another hitode uses the data directory") && line.contains(&holder),
        "{line}"
    );
    assert!(
        line.contains("--listen 127.0.0.1:0`); stop it, or choose another"),
        "{line}"
    );
    entries.enter_some();

    fs::write(data.path().join("lock"), "\u{1b}[2J").expect("a file is written");
    let line = rejected(Launch::on(data.path()));
    assert!(!line.contains("(process") && !line.contains('\u{1b}'), "{line}");
    service.signal("KILL");
    drop(service);
    entries.are_whole_at(&Launch::on(data.path()).start());
}

#[test]
fn another_program_that_has_locked_the_log_is_reported() {
    let data = directory();
    let mut entries = Entries::stored_at(data.path());
    let before = files(data.path());
    let log = File::open(data.path().join("db")).expect("a log");
    log.lock_exclusive().expect("a lock");
    let line = rejected(Launch::on(data.path()));
    assert!(
        line.contains("another program has locked") && line.contains("db; find it with `fuser`"),
        "{line}"
    );
    assert!(files(data.path()) == before);
    drop(log);
    entries.are_whole_at(&Launch::on(data.path()).start());
}
