//! Backups that one build wrote and a build of an edited contract restores.

use super::editions::{EDITED, Edition, UNEDITED};
use super::server::{Server, human};
use serde_json::json;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use test_support::people::bounty;

/// Backs a data directory up with one build, and restores it with another. Returns the directory, or the error.
pub(super) fn moved(from: (&Edition, &Path), to: &Edition) -> Result<TempDir, String> {
    let place = tempfile::tempdir().expect("a temporary directory");
    let [file, data] = ["backup", "data"].map(|name| place.path().join(name));
    let run = |edition: &Edition, command: &str, data: &Path, flags: &[&str]| {
        let mut call = Command::new(edition.program());
        call.arg(command).arg(&file).arg("--data").arg(data).args(flags);
        let output = call.output().expect("the program starts");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        output.status.success().then_some(()).ok_or(text)
    };
    run(from.0, "backup", from.1, &[]).expect("a consistent directory");
    run(to, "restore", &data, &["--keep-credentials", "--id-gap", "0"])?;
    Ok(place)
}

#[test]
fn a_backup_is_restored_under_another_contract_and_back() {
    let data = tempfile::tempdir().expect("a temporary directory");
    let server = Server::on(&UNEDITED, data.path());
    let agent = server.agent("free");
    let mut posted = bounty("Photo");
    posted["estimated_hours"] = json!(1.5);
    agent.post("/bounties", posted).id();
    let key = agent.secret.clone();
    drop(server);

    let edited = moved((&UNEDITED, data.path()), &EDITED).expect("it fits");
    let server = Server::on(&EDITED, &edited.path().join("data"));
    let read = server.known_agent(&key).get("/bounties/1").data();
    assert_eq!(read.get("estimated_hours"), None);
    assert_eq!((&read["dress_code"], &read["priority"]), (&json!(null), &json!(1)));
    drop(server);

    let back = moved((&EDITED, &edited.path().join("data")), &UNEDITED).expect("it fits");
    let server = Server::on(&UNEDITED, &back.path().join("data"));
    let read = server.known_agent(&key).get("/bounties/1").data();
    assert_eq!(read["estimated_hours"], 1.5);
}

#[test]
fn a_record_of_a_backup_that_another_contract_cannot_hold_is_named() {
    let data = tempfile::tempdir().expect("a temporary directory");
    let server = Server::on(&UNEDITED, data.path());
    server.operator().post("/humans", human("other")).id();
    drop(server);
    let error = moved((&UNEDITED, data.path()), &EDITED).expect_err("it has no such gender");
    for part in [
        "does not fit the contract: `humans`: `gender`: unknown variant `other`",
        "api.yaml",
    ] {
        assert!(error.contains(part), "{part} is missing: {error}");
    }
}
