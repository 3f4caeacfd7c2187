//! `hitode check`: its output and exit status.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use test_support::process::{Launch, directory, program};

use super::{Call, Printed};

fn check(data: &Path, flags: &str) -> Printed {
    Call::from_line(&format!("check {flags}"))
        .arg("--data")
        .arg(&data.to_string_lossy())
        .run()
}

#[track_caller]
fn cannot_look(printed: &Printed, reason: &str) {
    assert_eq!((printed.code, printed.out.as_str()), (Some(2), ""), "{printed:?}");
    assert!(printed.err.contains(reason), "{printed:?}");
}

#[test]
fn a_data_directory_is_checked_after_the_server_has_stopped() {
    let dir = directory();
    let data = dir.path().join("data");
    cannot_look(&check(&data, ""), "there is no data directory");
    assert!(!data.exists());

    let service = Launch::on(&data).start();
    let created = Call::from_line("account create --name Ada --plan free")
        .at(&service)
        .run();
    assert_eq!(created.code, Some(0), "{created:?}");
    cannot_look(&check(&data, ""), "another hitode uses the data directory");
    service.stop();

    let printed = check(&data, "");
    assert_eq!((printed.code, printed.err.as_str()), (Some(0), ""), "{printed:?}");
    assert!(
        printed
            .out
            .contains("is consistent: 1 account, 1 active key, 0 workers, 0 open bounties"),
        "{printed:?}"
    );
    let document = check(&data, "--json").json();
    assert_eq!(
        (&document["is_consistent"], &document["accounts"]),
        (&true.into(), &1.into())
    );

    let full = File::create("/dev/full").expect("a device");
    let mut unprinted = Command::new(program());
    let unprinted = unprinted.arg("check").arg("--data").arg(&data).stdout(full);
    assert_eq!(unprinted.status().expect("it runs").code(), Some(2));
    fs::create_dir(data.join("copy")).expect("a directory");
    cannot_look(&check(&data, ""), "are in a database: back it up with --url URL");
    fs::remove_dir(data.join("copy")).expect("removed");

    let log = data.join("db");
    let bytes = fs::read(&log).expect("a log");
    fs::write(&log, &bytes[..bytes.len() / 2]).expect("written");
    let printed = check(&data, "");
    assert_eq!((printed.code, printed.err.as_str()), (Some(1), ""), "{printed:?}");
    assert!(printed.out.contains("restore a backup"), "{printed:?}");
    assert_eq!(fs::read(&log).expect("a log").len(), bytes.len() / 2);
}
