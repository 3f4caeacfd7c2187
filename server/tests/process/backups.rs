//! Backups that the server writes itself, at fixed intervals.

use std::fs;
use std::path::{Path, PathBuf};

use test_support::people::Caller;
use test_support::process::{Launch, directory};

use crate::commands::Call;
use crate::exposition::Exposition;

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort_unstable();
    paths
}

#[track_caller]
fn names(launch: Launch, part: &str) {
    let ended = launch.run_to_its_end();
    assert_eq!(ended.code, Some(1));
    assert!(ended.log.contains(part), "{}", ended.log);
}

#[test]
fn the_newest_backups_are_kept_counted_and_named_when_the_data_is_damaged() {
    let dir = directory();
    let [data, backups, restored] = ["data", "backups", "restored"].map(|name| dir.path().join(name));
    let every = |seconds: &str| {
        let launch = Launch::on(&data).arg("--backup-dir").arg(&backups.to_string_lossy());
        launch.arg("--backup-keep").arg("2").arg("--backup-every").arg(seconds)
    };
    fs::create_dir(&backups).expect("a directory");
    let key = dir.path().join("key").display().to_string();
    Call::from_line("backup-key").arg(&key).run().well();
    let encrypted = |seconds: &str| every(seconds).arg("--backup-key-file").arg(&key);
    let left = backups.join("hitode-2026-11-24T01-02-03Z.backup.unfinished");
    fs::write(&left, b"half").expect("written");
    let service = every("1s").arg("--demo").start();
    let fourth = service.log.wait_for_number(4, "a backup was written");
    assert!(fourth.is_some(), "{}", service.log.text());
    let metrics = Exposition::scrape(&service);
    assert_eq!(metrics.value("hitode_backups_failed_total"), 0.0);
    assert!(metrics.value("hitode_backup_newest_timestamp_seconds") > 1.7e9);
    assert!(metrics.value("hitode_backup_newest_size_bytes") > 1_000.0);
    let humans = Caller::operator_of(&service).get("/humans/1").text();
    service.stop();
    assert!(!left.exists());
    let kept = files(&backups);
    let whole: Vec<_> = kept
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "backup"))
        .collect();
    assert!((2..=3).contains(&whole.len()), "{kept:?}");

    // The newest is less than a day old: none is written at a start.
    let service = every("1d").start();
    assert!(Exposition::scrape(&service).value("hitode_backup_newest_size_bytes") > 1_000.0);
    service.stop();

    let service = encrypted("1s").start();
    let written = service.log.wait_for("a backup was written");
    assert!(written.is_some(), "{}", service.log.text());
    service.stop();
    let newest = files(&backups).pop().expect("a backup");
    assert!(
        fs::read(&newest)
            .expect("readable")
            .starts_with(b"hitode encrypted backup 1\n")
    );

    let log = data.join("db");
    let bytes = fs::read(&log).expect("the log");
    fs::write(&log, &bytes[..bytes.len() / 2]).expect("written");
    let restore = format!("restore {} --key-file {key} --data", newest.display());
    names(encrypted("1d"), &format!("`hitode {restore} NEW`"));
    let call = Call::from_line(&restore)
        .arg(&restored.to_string_lossy())
        .arg("--keep-credentials");
    call.run().well();
    // One of a clock that was ahead is not the newest, unless there is no other.
    let plain = backups.join("hitode-2999-11-24T01-02-03Z.backup");
    fs::write(&plain, b"a backup").expect("written");
    names(encrypted("1d"), &format!("`hitode {restore} NEW`"));
    for other in files(&backups).into_iter().filter(|other| *other != plain) {
        fs::rename(&other, dir.path().join(other.file_name().expect("a name"))).expect("moved");
    }
    names(every("1d"), &format!("`hitode restore {} --data NEW`", plain.display()));
    let service = Launch::on(&restored).start();
    assert_eq!(Caller::operator_of(&service).get("/humans/1").text(), humans);
    service.stop();
}

#[test]
fn an_empty_store_does_not_replace_the_backups_of_another() {
    let dir = directory();
    let [data, other, backups] = ["data", "other", "backups"].map(|name| dir.path().join(name));
    let on = |data: &Path| {
        let launch = Launch::on(data).arg("--backup-dir").arg(&backups.to_string_lossy());
        launch.arg("--backup-every").arg("1s").arg("--backup-keep").arg("2")
    };
    // One without records does not keep a server from starting again.
    for _ in 0..2 {
        let service = on(&data).start();
        assert!(service.log.wait_for("a backup was written").is_some());
        service.stop();
    }
    let service = on(&data).arg("--demo").start();
    let second = service.log.wait_for_number(2, "a backup was written");
    assert!(second.is_some(), "{}", service.log.text());
    // A second server does not write into the same directory.
    Launch::on(&other).arg("--demo").start().stop();
    let other = on(&other).start();
    let shared = other
        .log
        .wait_for("another server writes its backups into the same directory");
    assert!(shared.is_some(), "{}", other.log.text());
    other.stop();
    service.stop();
    fs::remove_dir_all(&data).expect("it is lost");
    let newest = files(&backups).pop().expect("a backup");
    let text = "the store is empty, but there is the backup";
    names(on(&data), &format!("{text} {}", newest.display()));
    // Nor at the next start.
    names(on(&data), text);
}

#[test]
fn a_directory_that_cannot_be_written_and_a_file_without_a_key_are_named() {
    let dir = directory();
    let file = dir.path().join("file");
    fs::write(&file, b"").expect("written");
    let below = file.join("backups").to_string_lossy().into_owned();
    let launch = || Launch::anywhere().arg("--backup-dir").arg(&below);
    names(launch(), &format!("cannot write backups into {below}"));
    let key = file.to_string_lossy();
    names(
        launch().arg("--backup-key-file").arg(&key),
        &format!("{key} is no key file"),
    );
}
