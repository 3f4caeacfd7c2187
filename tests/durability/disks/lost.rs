//! Missing files of the data directory, at a start and under the running server. The engine's own tests try every
//! missing file; these show what an operator sees.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::{Entries, files, is_of_unknown_outcome, rejected};
use test_support::http::call;
use test_support::process::{Launch, directory, shell};

/// Changes a data directory.
type Change = fn(&Path);

fn gone(data: &Path, name: &str) {
    fs::remove_file(data.join(name)).expect("a file is removed");
}

fn empty(data: &Path, name: &str) {
    fs::write(data.join(name), "").expect("a file is written");
}

fn zeros(data: &Path, name: &str) {
    let bytes = fs::metadata(data.join(name)).expect("a file").len();
    fs::write(data.join(name), vec![0; bytes as usize]).expect("a file is written");
}

/// Half of the written part; sled leaves zeros behind it.
fn half(data: &Path) {
    let bytes = fs::read(data.join("db")).expect("a file");
    let end_of_data = bytes.iter().rposition(|byte| *byte != 0).expect("something");
    fs::write(data.join("db"), &bytes[..end_of_data / 2]).expect("a file is written");
}

#[test]
fn a_store_that_lost_its_log_or_its_number_or_both_is_rejected_and_left_as_it_is() {
    let place = directory();
    let service = Launch::on(place.path()).start();
    let mut entries = Entries::at(&service);
    for _ in 0..8 {
        entries.enter_some();
    }
    service.signal("KILL");
    drop(service);
    let whole = files(place.path());
    let losses: [(Change, &str); 10] = [
        (|data| gone(data, "complete"), "`complete` is missing"),
        (|data| empty(data, "complete"), "`complete` is empty"),
        (|data| zeros(data, "complete"), "`complete` is empty"),
        (|data| zeros(data, "db"), "`db` is not the one that was written"),
        (|data| (half(data), gone(data, "complete")).1, "`complete` is missing"),
        (|data| (half(data), empty(data, "complete")).1, "`complete` is empty"),
        (|data| (half(data), zeros(data, "complete")).1, "`complete` is empty"),
        (|data| (gone(data, "db"), gone(data, "complete")).1, "`db` is missing"),
        (|data| (empty(data, "db"), zeros(data, "complete")).1, "`db` is empty"),
        (
            |data| (zeros(data, "db"), gone(data, "complete")).1,
            "`complete` is missing",
        ),
    ];
    for (place_in_list, (lose, expected)) in losses.into_iter().enumerate() {
        lose(place.path());
        let before = files(place.path());
        let line = rejected(Launch::on(place.path()));
        assert!(
            line.contains(expected) && line.ends_with("; move it away and restore a backup in its place"),
            "{place_in_list}: {line}"
        );
        assert!(files(place.path()) == before, "{place_in_list}: {line}");
        for (name, bytes) in &whole {
            fs::write(place.path().join(name), bytes).expect("a file is written");
        }
    }
    entries.are_whole_at(&Launch::on(place.path()).start());
}

#[test]
fn what_is_no_file_is_neither_waited_for_nor_followed() {
    let place = directory();
    let mut entries = Entries::stored_at(place.path());
    for name in ["db", "complete", "lock", "operator-token"] {
        let (file, kept) = (place.path().join(name), place.path().join("kept"));
        fs::rename(&file, &kept).expect("moved away");
        shell(&format!("mkfifo '{}'", file.display()));
        let line = rejected(Launch::on(place.path()));
        assert!(line.contains(name) && line.contains("is a named pipe"), "{line}");
        fs::remove_file(&file).expect("removed");

        let nothing = place.path().join("nothing");
        symlink(&nothing, &file).expect("a link is made");
        let line = rejected(Launch::on(place.path()));
        assert!(line.contains(name) && line.contains("is a broken link"), "{line}");
        assert!(!nothing.exists());
        fs::rename(&kept, &file).expect("moved back");
    }
    entries.are_whole_at(&Launch::on(place.path()).start());
}

#[test]
fn a_directory_that_goes_away_ends_writing_and_reading_goes_on() {
    let removes: [(Change, bool); 4] = [
        (|data| fs::remove_dir_all(data).expect("removed"), false),
        (|data| gone(data, "db"), false),
        (
            |data| fs::rename(data, data.with_extension("aside")).expect("moved"),
            true,
        ),
        (
            |data| {
                fs::copy(data.join("db"), data.join("copy")).expect("copied");
                fs::rename(data.join("copy"), data.join("db")).expect("replaced");
            },
            true,
        ),
    ];
    for (place_in_list, (remove, can_go_on)) in removes.into_iter().enumerate() {
        let place = directory();
        let data = place.path().join("data");
        let service = Launch::on(&data).start();
        let mut entries = Entries::at(&service);
        entries.enter_some();
        remove(&data);
        // Before the first write.
        assert_eq!(call(service.address, "GET", "/healthz", &[], None).status, 503);
        is_of_unknown_outcome(&entries.enter().expect("a failure"));
        entries.are_only_readable_at(&service);
        let line = service.log.wait_for("a commit failed");
        assert!(
            line.is_some_and(|line| line.contains("db was removed or replaced while the server used it")),
            "{place_in_list}"
        );
        assert_eq!(service.stop().code, Some(0), "{place_in_list}");
        if can_go_on {
            let aside = data.with_extension("aside");
            let data = if aside.exists() { aside } else { data };
            entries.are_whole_at(&Launch::on(&data).start());
        }
    }
}
