//! A full disk, and a file with a size limit.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::volume::Volume;
use super::{Entries, files, is_of_unknown_outcome, is_unwritable, rejected};
use test_support::http::Connection;
use test_support::people::{Caller, People};
use test_support::process::{Launch, directory, program};

/// Enough for a start.
const ROOM_MIB: u64 = 80;
/// Enough for a start and for files beside what a start needs.
const FILES_MIB: u64 = 160;

#[test]
fn a_disk_that_fills_up_loses_nothing_and_is_well_again_with_more_room() {
    let volume = Volume::new(ROOM_MIB);
    let service = Launch::on(&volume.data()).start();
    let mut entries = Entries::at(&service);
    entries.enter_some();
    volume.resize_to(volume.used_kib() + 256);
    is_of_unknown_outcome(&fill(&mut entries));
    entries.are_only_readable_at(&service);
    volume.resize_to(ROOM_MIB * 1024);
    // The same process does not try a failed write again.
    entries.are_only_readable_at(&service);
    assert_eq!(service.stop().code, Some(0));

    let service = Launch::on(&volume.data()).start();
    entries.are_whole_at(&service);
}

#[test]
fn a_file_that_does_not_fit_is_rejected_and_nothing_acknowledged_is_lost() {
    let volume = Volume::new(FILES_MIB);
    let service = Launch::on(&volume.data()).start();
    let people = People::enter(&service, Caller::operator_of(&service));
    let begin = json!({ "human_id": people.human, "message": "Photos?" });
    let conversation = people.agent.post("/conversations", begin).data()["id"].as_i64();
    let path = format!("/conversations/{}/messages", conversation.expect("an id"));
    let texts = [7, 5_000, 200_000].map(|length| "x".repeat(length));
    let files = texts.each_ref().map(|text| people.worker.upload(text).id());
    people
        .worker
        .post(&path, json!({ "content": "Here", "files": files }))
        .data();
    let are_whole = |people: &People| {
        for (id, text) in files.iter().zip(&texts) {
            let answer = people.agent.get(&format!("/files/{id}"));
            assert_eq!((answer.status, answer.text() == *text), (200, true), "file {id}");
        }
    };
    // As much as a start needs stays free, and there is room for one of two that arrive at the same time.
    volume.resize_to(volume.used_kib() + 64 * 1_024 + 6 * 1_024);
    let large = "x".repeat(2 << 20);
    let mut arriving = half_of(&people, service.address, &large);
    is_unwritable(&people.worker.upload(&large));
    let said = service.log.wait_for("a file is rejected: free some MiB on the disk of");
    assert!(said.is_some(), "{}", service.log.text());
    are_whole(&people);
    // Something else fills the disk up meanwhile.
    volume.resize_to(volume.used_kib() + 512);
    is_unwritable(&arriving.send(&large.as_bytes()[1 << 20..]).expect("an answer"));
    is_unwritable(&people.worker.upload("small"));
    are_whole(&people);
    // It is deleted after the answer.
    let incoming = volume.data().join("files/incoming");
    let is_empty = || fs::read_dir(&incoming).expect("a directory").count() == 0;
    let waited = (0..100).any(|_| {
        is_empty() || {
            thread::sleep(Duration::from_millis(100));
            false
        }
    });
    assert!(waited, "what did not fit takes no room");
    // The store has failed at nothing: the same process goes on.
    volume.resize_to(FILES_MIB * 1024);
    let small = people.worker.upload("small").id();
    let later = people.worker.upload(&large).id();
    service.signal("KILL");
    drop(service);

    let service = Launch::on(&volume.data()).start();
    let people = people.at(&service);
    are_whole(&people);
    for (id, text) in [(small, "small"), (later, large.as_str())] {
        assert!(people.worker.get(&format!("/files/{id}")).text() == *text);
    }
}

/// Sends the first half of a file, and waits until the server has it.
fn half_of(people: &People, address: SocketAddr, text: &str) -> Connection {
    let whole = people.worker.upload_request(text);
    let mut connection = Connection::to(address).expect("it listens");
    connection
        .send_part(&whole[..whole.len() - text.len() / 2])
        .expect("it takes it");
    connection
}

#[test]
fn files_are_copied_beside_a_backup_only_as_long_as_its_disk_keeps_a_reserve() {
    // A backup of records needs 128 MiB.
    let volume = Volume::new(130);
    let service = Launch::anywhere()
        .arg("--backup-dir")
        .arg(&volume.data().to_string_lossy())
        .arg("--backup-every")
        .arg("1s")
        .start();
    let people = People::enter(&service, Caller::operator_of(&service));
    assert!(service.log.wait_for("a backup was written").is_some());
    people.worker.upload(&"x".repeat(3 << 20)).id();
    let failed = service.log.wait_for("but not all of its files were copied");
    assert!(failed.is_some(), "{}", service.log.text());
    let cause = service
        .log
        .wait_for("MiB are free in its directory, and 131 MiB are needed");
    assert!(cause.is_some(), "{}", service.log.text());
    volume.resize_to(140 * 1024);
    assert!(service.log.wait_for("files=1").is_some(), "{}", service.log.text());
}

#[test]
fn a_start_on_a_full_disk_is_rejected_and_harms_nothing() {
    let volume = Volume::new(ROOM_MIB);
    let service = Launch::on(&volume.data()).start();
    let mut entries = Entries::at(&service);
    entries.enter_some();
    volume.resize_to(volume.used_kib() + 64);
    is_of_unknown_outcome(&fill(&mut entries));
    service.signal("KILL");
    drop(service);

    let before = files(&volume.data());
    for _ in 0..2 {
        let line = rejected(Launch::on(&volume.data()));
        assert!(
            line.contains("only 0.") && line.contains(" MiB are free for the data directory"),
            "{line}"
        );
        assert!(
            line.contains("64 MiB are needed; free some space and start again"),
            "{line}"
        );
    }
    assert!(files(&volume.data()) == before);

    volume.resize_to(ROOM_MIB * 1024);
    let service = Launch::on(&volume.data()).start();
    entries.are_whole_at(&service);
}

#[test]
fn a_directory_on_a_full_disk_is_checked_and_backed_up() {
    let (volume, other) = (Volume::new(ROOM_MIB), directory());
    let mut entries = Entries::stored_at(&volume.data());
    let before = files(&volume.data());
    volume.resize_to(volume.used_kib());
    let backup = other.path().join("market.backup");
    for command in ["check", &format!("backup {}", backup.display())] {
        let ended = offline(command, &volume.data(), other.path());
        assert_eq!(ended.status.code(), Some(0), "{command}: {ended:?}");
        assert!(files(&volume.data()) == before, "{command} changes nothing");
        assert!(
            fs::read_dir(other.path()).expect("a directory").count() <= 1,
            "{command} leaves no copy"
        );
    }
    let restored = other.path().join("restored");
    let ended = offline(
        &format!("restore --keep-credentials --id-gap 0 {}", backup.display()),
        &restored,
        other.path(),
    );
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    // A backup has no operator's token.
    let token = |data: &Path| data.join("operator-token");
    fs::copy(token(&volume.data()), token(&restored)).expect("the token is copied");
    entries.are_whole_at(&Launch::on(&restored).start());
}

#[test]
fn what_is_wrong_with_a_directory_on_a_full_disk_is_said_of_the_directory() {
    let (volume, other) = (Volume::new(ROOM_MIB), directory());
    Entries::stored_at(&volume.data());
    fs::write(volume.data().join("db"), vec![0; 1 << 19]).expect("it is overwritten");
    volume.resize_to(volume.used_kib());
    let ended = offline("check", &volume.data(), other.path());
    let text = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    assert!(
        text.contains(&format!("the data directory {} ", volume.data().display())),
        "{text}"
    );
}

/// Runs a command without a server. Temporary files have their place in `temporary`.
fn offline(command: &str, data: &Path, temporary: &Path) -> std::process::Output {
    let mut hitode = Command::new(program());
    let hitode = hitode.args(command.split(' ')).arg("--data").arg(data);
    hitode.env("TMPDIR", temporary).output().expect("it runs")
}

#[test]
fn a_first_start_on_a_full_disk_leaves_nothing_that_stands_in_the_way() {
    let volume = Volume::new(1);
    let line = rejected(Launch::on(&volume.data()));
    assert!(line.contains("free some space and start again"), "{line}");
    volume.resize_to(ROOM_MIB * 1024);
    let service = Launch::on(&volume.data()).start();
    Entries::at(&service).enter_some();
}

#[test]
fn a_log_that_may_not_grow_is_like_a_full_disk() {
    let data = directory();
    let mut entries = Entries::stored_at(data.path());
    // sled's log grows by 512 KiB: the first segment fits, the second one does not.
    let limited = Launch::on(data.path()).started_by(&["prlimit", "--fsize=600000", "--"]);
    let service = limited.start();
    entries.operator = entries.operator.at(&service);
    is_of_unknown_outcome(&fill(&mut entries));
    entries.are_only_readable_at(&service);
    service.signal("KILL");
    drop(service);

    let service = Launch::on(data.path()).start();
    entries.are_whole_at(&service);
    service.stop();
    let line = rejected(Launch::on(data.path()).started_by(&["prlimit", "--fsize=100", "--"]));
    assert!(line.contains("there is no space for the data directory"), "{line}");
    entries.are_whole_at(&Launch::on(data.path()).start());
}

/// Enters workers until the disk is full.
#[track_caller]
fn fill(entries: &mut Entries) -> test_support::http::Answer {
    (0..2_000).find_map(|_| entries.enter()).expect("it is full some time")
}
