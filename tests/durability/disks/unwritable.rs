//! Directories where writes fail, and paths that are not directories.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::volume::Volume;
use super::{Entries, files, rejected};
use test_support::process::{Launch, directory};

#[test]
fn a_file_system_that_can_only_be_read_is_named() {
    let volume = Volume::new(80);
    volume.can_be_written(false);
    let line = rejected(Launch::on(&volume.data()));
    assert!(
        line.contains("on a read-only file system; mount it for writing"),
        "{line}"
    );
    volume.can_be_written(true);

    let mut entries = Entries::stored_at(&volume.data());
    let before = files(&volume.data());
    volume.can_be_written(false);
    let line = rejected(Launch::on(&volume.data()));
    assert!(
        line.contains("on a read-only file system; mount it for writing"),
        "{line}"
    );
    assert!(files(&volume.data()) == before);
    volume.can_be_written(true);
    entries.are_whole_at(&Launch::on(&volume.data()).start());
}

/// Removes root's special rights, so that the permissions of files apply to it, too.
const WITHOUT_RIGHTS: &[&str] = &["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"];

#[test]
fn a_directory_without_rights_is_named_with_what_gives_them() {
    let place = directory();
    let data = place.path().join("data");
    let mut entries = Entries::stored_at(&data);
    let allow = |path: &std::path::Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
    };
    for (path, mode, before) in [
        (data.as_path(), 0o000, 0o700),
        (&data, 0o400, 0o700),
        (&data.join("db"), 0o400, 0o600),
        (&data.join("lock"), 0o000, 0o600),
        (&data.join("complete"), 0o000, 0o600),
        (&data.join("conf"), 0o000, 0o600),
    ] {
        allow(path, mode);
        let line = rejected(Launch::on(&data).started_by(without_rights()));
        assert!(
            line.contains("this user may not read and write the data directory"),
            "{path:?}: {line}"
        );
        assert!(line.contains("`chown -R`"), "{path:?}: {line}");
        allow(path, before);
    }
    entries.are_whole_at(&Launch::on(&data).start());
}

#[test]
fn a_place_where_no_directory_may_be_created_is_named() {
    let place = directory();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o500)).expect("it is ours");
    let line = rejected(Launch::on(&place.path().join("data")).started_by(without_rights()));
    assert!(
        line.contains("this user may not read and write the data directory"),
        "{line}"
    );
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o700)).expect("it is ours");
    Launch::on(&place.path().join("data")).start();
}

fn without_rights() -> &'static [&'static str] {
    let is_root = test_support::process::shell("id -u").trim() == "0";
    if is_root { WITHOUT_RIGHTS } else { &["env"] }
}

#[test]
fn what_is_no_directory_is_named() {
    let place = directory();
    let (file, link) = (place.path().join("file"), place.path().join("link"));
    fs::write(&file, "mine").expect("a file is written");
    symlink(place.path().join("gone"), &link).expect("a link is made");
    for (data, expected) in [
        (
            file.clone(),
            "file is not a directory; choose another one with --data DIR",
        ),
        (
            file.join("below"),
            "file is not a directory; choose another one with --data DIR",
        ),
        (
            link.clone(),
            "link is a link to a missing directory; create that directory, or remove the link",
        ),
        ("/proc/nothing".into(), "the data directory /proc/nothing"),
    ] {
        let line = rejected(Launch::on(&data));
        assert!(line.contains(expected), "{line}");
    }
    assert_eq!(fs::read_to_string(&file).expect("a file"), "mine");
    fs::create_dir(place.path().join("gone")).expect("a directory is made");
    Launch::on(&link).start();
}

#[test]
fn an_empty_path_is_no_path() {
    let ended = Launch::on("".as_ref()).run_to_its_end();
    assert_eq!(ended.code, Some(2), "{}", ended.log);
    assert!(ended.log.contains("--data <DIR>"), "{}", ended.log);
}

#[test]
fn a_new_data_directory_is_its_owners_only_and_a_wider_one_is_warned_of() {
    let place = directory();
    let data = place.path().join("data");
    let service = Launch::on(&data).start();
    assert_eq!(
        fs::metadata(&data).expect("a directory").permissions().mode() & 0o777,
        0o700
    );
    assert!(!service.stop().log.contains("chmod"));
    fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let service = Launch::on(&data).start();
    assert!(
        service
            .log
            .wait_for("other users can read")
            .is_some_and(|line| line.contains("chmod 700"))
    );
}
