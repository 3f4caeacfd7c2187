//! Files that were damaged while no server ran. The engine's own tests change hundreds of bits; these try a few of each
//! kind from outside.

use std::fs;
use std::path::Path;

use super::{Entries, files, rejected};
use test_support::process::{Launch, directory};

/// Changes a data directory.
type Damage = fn(&Path);

/// Flips a bit at this fraction of the written part of the file; sled leaves zeros behind it.
fn flip(file: &Path, part: f64) {
    let mut bytes = fs::read(file).expect("a file");
    let place = (data_length(&bytes) * part) as usize;
    bytes[place] ^= 1;
    fs::write(file, bytes).expect("a file is written");
}

/// Truncates the file to this fraction of its written part.
fn cut(file: &Path, part: f64) {
    let bytes = fs::read(file).expect("a file");
    fs::write(file, &bytes[..(data_length(&bytes) * part) as usize]).expect("a file is written");
}

fn data_length(bytes: &[u8]) -> f64 {
    let zeros = bytes.iter().rev().take_while(|byte| **byte == 0).count();
    (bytes.len() - zeros) as f64
}

fn snapshot(data: &Path) -> std::path::PathBuf {
    let names = fs::read_dir(data)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").path());
    let mut snapshots = names.filter(|path| path.to_string_lossy().contains("/snap."));
    snapshots.next().expect("a snapshot")
}

/// A stopped server's directory with a log, a snapshot and the rest.
fn left(data: &Path) -> Entries {
    let mut entries = Entries::stored_at(data);
    let service = Launch::on(data).start();
    entries.operator = entries.operator.at(&service);
    entries.enter_some();
    service.stop();
    entries
}

fn put(data: &Path, all: &std::collections::BTreeMap<String, Vec<u8>>) {
    for name in files(data).into_keys() {
        fs::remove_file(data.join(name)).expect("a file is removed");
    }
    for (name, bytes) in all {
        fs::write(data.join(name), bytes).expect("a file is written");
    }
}

#[test]
fn a_damaged_log_is_rejected_in_one_line_left_as_it_is_and_well_again_with_a_copy() {
    let place = directory();
    let mut entries = left(place.path());
    let copy = files(place.path());
    let damages: [(Damage, &str); 7] = [
        (|data| flip(&data.join("db"), 0.99), "was acknowledged)"),
        (|data| cut(&data.join("db"), 0.99), "was acknowledged)"),
        (|data| cut(&data.join("db"), 0.3), "its file `db` "),
        (|data| cut(&data.join("db"), 0.0), "its file `db` is empty"),
        (
            |data| fs::remove_file(data.join("db")).expect("removed"),
            "its file `db` is missing",
        ),
        (
            |data| fs::write(data.join("db"), [7; 4096]).expect("written"),
            "its file `db` ",
        ),
        (
            |data| fs::write(data.join("complete"), [7; 32]).expect("written"),
            "its file `complete`",
        ),
    ];
    for (place_in_list, (damage, expected)) in damages.into_iter().enumerate() {
        put(place.path(), &copy);
        damage(place.path());
        let damaged = files(place.path());
        for _ in 0..2 {
            let line = rejected(Launch::on(place.path()));
            assert!(line.contains(expected), "{place_in_list}: {line}");
            assert!(
                line.ends_with("; move it away and restore a backup in its place"),
                "{place_in_list}: {line}"
            );
            assert!(files(place.path()) == damaged, "{place_in_list}: {line}");
        }
    }
    put(place.path(), &copy);
    entries.are_whole_at(&Launch::on(place.path()).start());
}

#[test]
fn what_the_log_repeats_may_be_damaged_or_missing() {
    let place = directory();
    let mut entries = left(place.path());
    let harmless: [Damage; 8] = [
        |data| flip(&snapshot(data), 0.5),
        |data| cut(&snapshot(data), 0.5),
        |data| fs::remove_file(snapshot(data)).expect("removed"),
        |data| flip(&data.join("conf"), 0.5),
        |data| cut(&data.join("conf"), 0.0),
        |data| fs::remove_file(data.join("not-empty")).expect("removed"),
        |data| flip(&data.join("complete"), 0.4),
        |data| fs::remove_dir(data.join("blobs")).expect("removed"),
    ];
    for damage in harmless {
        damage(place.path());
        let service = Launch::on(place.path()).start();
        entries.are_whole_at(&service);
        assert_eq!(service.stop().code, Some(0));
    }
}
