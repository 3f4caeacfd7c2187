//! The files that workers and agents send, in backups, restored, checked, and of erased workers.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::TempDir;
use test_support::people::{Caller, People};
use test_support::process::{Launch, Service, directory};

use super::backup::{backup, restore};
use super::{Call, Printed, server};

/// Files that a worker has sent in a conversation.
struct Sent {
    place: TempDir,
    people: People,
    /// The ids, and the texts.
    files: Vec<(i64, String)>,
}

impl Sent {
    /// So many, at a server on the directory `data`.
    fn at(service: &Service, place: TempDir, count: usize) -> Sent {
        let people = People::enter(service, Caller::operator_of(service));
        let begin = json!({ "human_id": people.human, "message": "Photos?" });
        let conversation = people.agent.post("/conversations", begin).data()["id"].as_i64();
        let conversation = conversation.expect("an id");
        let mut sent = Sent {
            place,
            people,
            files: vec![],
        };
        for number in 0..count {
            let text = format!("The shop window {number}. ").repeat(1 + number * 10_000);
            let id = sent.people.worker.upload(&text).id();
            let message = json!({ "content": "Here", "files": [id] });
            sent.people
                .worker
                .post(&format!("/conversations/{conversation}/messages"), message)
                .data();
            sent.files.push((id, text));
        }
        sent
    }

    fn new(count: usize) -> Sent {
        let place = directory();
        let service = server(&place.path().join("data"));
        let sent = Sent::at(&service, place, count);
        service.stop();
        sent
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    /// Checks that a server on this directory answers with all files.
    #[track_caller]
    fn are_whole_at(&self, data: &Path) {
        let service = server(data);
        let agent = self.people.agent.at(&service);
        for (id, text) in &self.files {
            let answer = agent.get(&format!("/files/{id}"));
            assert_eq!((answer.status, answer.text() == *text), (200, true), "file {id}");
        }
        service.stop();
    }
}

/// The contents in a directory of files or of copies.
fn contents(root: &Path) -> Vec<PathBuf> {
    let below = |path: &Path| {
        let entries = fs::read_dir(path).into_iter().flatten();
        entries.map(|entry| entry.expect("an entry").path()).collect::<Vec<_>>()
    };
    let inner = below(root);
    let inner = inner.iter().filter(|path| !path.ends_with("incoming"));
    let mut paths: Vec<_> = inner.flat_map(|path| below(path)).collect();
    paths.sort_unstable();
    paths
}

fn check(data: &Path, flags: &str) -> Printed {
    let call = Call::from_line(&format!("check {flags}")).arg("--data");
    call.arg(&data.to_string_lossy()).run()
}

#[test]
fn files_are_restored_from_a_backup_and_what_is_missing_is_listed() {
    let sent = Sent::new(3);
    let [data, file, whole, part, other, without] =
        ["data", "market.backup", "whole", "part", "other", "without"].map(|name| sent.path(name));
    let copies = sent.path("market.backup.files");
    let printed = backup(&file, &data).well();
    assert!(printed.out.contains(", and 3 files to "), "{printed:?}");
    assert_eq!(contents(&copies).len(), 3);
    let printed = restore(&file, &whole, "--keep-credentials").well();
    assert!(printed.out.contains(" and 3 files of "), "{printed:?}");
    assert!(check(&whole, "").well().out.contains(", 3 files, "));
    sent.are_whole_at(&whole);

    let spoiled = contents(&copies);
    fs::write(&spoiled[0], b"another").expect("written");
    fs::rename(&spoiled[1], sent.path("away")).expect("moved");
    for (target, flags, code) in [(&part, "", 0), (&other, "--files-required", 3)] {
        let printed = restore(&file, target, flags);
        assert_eq!(printed.code, Some(code), "{printed:?}");
        assert!(printed.err.contains("2 of 3 files have no content") && printed.err.lines().count() == 3);
        assert!(printed.err.contains("differs from what was sent") && printed.err.contains("is missing"));
        assert_eq!(contents(&target.join("files")).len(), 1);
    }
    let checked = check(&part, "");
    assert_eq!((checked.code, checked.err.as_str()), (Some(1), ""), "{checked:?}");
    assert!(checked.out.contains("2 of 3 files"), "{checked:?}");
    assert_eq!(
        check(&part, "--json").json()["findings"].as_array().map(Vec::len),
        Some(2)
    );
    assert!(
        check(&part, "--without-files")
            .well()
            .out
            .contains("files not looked at")
    );
    restore(&file, &without, "--without-files").well();
    assert!(!without.join("files").exists());

    // What is missing is put beside what is there.
    fs::rename(sent.path("away"), &spoiled[1]).expect("moved");
    fs::copy(
        data.join("files")
            .join(spoiled[0].strip_prefix(&copies).expect("below")),
        &spoiled[0],
    )
    .expect("copied");
    let flags = format!(
        "--files {} --files-from {}",
        part.join("files").display(),
        copies.display()
    );
    restore(&file, &sent.path("records"), &flags).well();
    check(&part, "").well();
    let stray = contents(&data.join("files"))[0].with_file_name("strayABCDEFGHIJKLMNOPQRSTU");
    fs::write(stray, b"").expect("written");
    assert_eq!(check(&data, "--json").well().json()["contents_without_file"], 1);
}

#[test]
fn a_backup_of_a_running_server_has_the_files_of_its_directory() {
    let place = directory();
    let [data, file, moved] = ["data", "market.backup", "moved"].map(|name| place.path().join(name));
    let service = server(&data);
    let sent = Sent::at(&service, place, 2);
    let backup = |flags: &str, file: &Path| {
        let call = Call::from_line(&format!("backup {flags}")).at(&service);
        call.arg(&file.to_string_lossy()).run()
    };
    assert!(backup("", &file).well().out.contains("2 files"));
    backup("--without-files", &sent.path("records")).well();
    let elsewhere = backup(&format!("--files {}", sent.path("none").display()), &sent.path("more"));
    assert!(
        elsewhere.code == Some(0) && elsewhere.err.contains("2 files are not in the backup"),
        "{elsewhere:?}"
    );
    assert!(!sent.path("records.files").exists() && !sent.path("more.files").exists());
    service.stop();
    restore(&file, &moved, "--keep-credentials --files-required").well();
    sent.are_whole_at(&moved);
}

#[test]
fn a_rotating_backup_is_restored_with_its_files_and_its_key_only() {
    let place = directory();
    let [data, backups, key, moved, lost] =
        ["data", "backups", "key", "moved", "lost"].map(|name| place.path().join(name));
    Call::from_line("backup-key").arg(&key.to_string_lossy()).run().well();
    let launch = |files: &str| {
        let launch = Launch::on(&data).arg("--backup-dir").arg(&backups.to_string_lossy());
        let launch = launch.arg("--backup-every").arg("1s").arg("--backup-files").arg(files);
        launch.arg("--backup-key-file").arg(&key.to_string_lossy())
    };
    let service = launch("off").start();
    let sent = Sent::at(&service, place, 3);
    assert!(service.log.wait_for_number(2, "a backup was written").is_some());
    service.stop();
    assert!(!backups.join("files").exists());
    let service = launch("on").start();
    assert!(service.log.wait_for("files=3").is_some(), "{}", service.log.text());
    assert!(service.log.wait_for_number(2, "a backup was written").is_some());
    service.stop();
    let copies = contents(&backups.join("files"));
    assert_eq!(copies.len(), 3);
    for copy in &copies {
        assert!(
            fs::read(copy)
                .expect("a copy")
                .starts_with(b"hitode encrypted backup 1\n")
        );
    }
    let newest = fs::read_dir(&backups)
        .expect("a directory")
        .flatten()
        .map(|entry| entry.path());
    let newest = newest
        .filter(|path| path.extension().is_some_and(|end| end == "backup"))
        .max();
    let (newest, key) = (
        newest.expect("a backup"),
        format!("--keep-credentials --key-file {}", key.display()),
    );
    restore(&newest, &moved, &key).well();
    sent.are_whole_at(&moved);
    // A copy of the file alone.
    let alone = sent.path("alone.backup");
    fs::copy(&newest, &alone).expect("copied");
    let printed = restore(&alone, &lost, &key);
    assert!(
        printed.code == Some(0) && printed.err.contains("--files-from DIR"),
        "{printed:?}"
    );
    let from = format!(
        "{key} --files-required --files-from {}",
        backups.join("files").display()
    );
    restore(&alone, &sent.path("found"), &from).well();
}

#[test]
fn the_files_of_an_erased_worker_go_and_are_not_restored() {
    let sent = Sent::new(2);
    let [data, file, restored] = ["data", "market.backup", "restored"].map(|name| sent.path(name));
    backup(&file, &data).well();
    let service = server(&data);
    sent.people.agent.at(&service).upload("of the account").data();
    let erase = format!("worker erase {} --yes", sent.people.human);
    Call::from_line(&erase).at(&service).run().well();
    assert_eq!(contents(&data.join("files")).len(), 1);
    let agent = sent.people.agent.at(&service);
    assert_eq!(agent.get(&format!("/files/{}", sent.files[0].0)).status, 404);
    service.stop();
    check(&data, "").well();
    let flags = format!("--erased {}", data.join("erased.txt").display());
    restore(&file, &restored, &flags).well();
    assert_eq!(contents(&restored.join("files")), Vec::<PathBuf>::new());
}
