//! Entries that are not files: a start neither blocks on them nor follows them.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::sync::mpsc;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::*;

/// Far longer than a start takes.
const DEADLINE: Duration = Duration::from_secs(60);

fn pipe(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).expect("a pipe is made");
}

/// Opens the directory on a thread that is abandoned if it blocks on a pipe.
#[track_caller]
fn rejected(dir: &Path) -> OpenError {
    let (result, opened) = mpsc::channel();
    let path = dir.to_owned();
    std::thread::spawn(move || result.send(try_open(&path)));
    let opened = opened.recv_timeout(DEADLINE).expect("it does not wait");
    opened.expect_err("it is rejected")
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).expect("a directory");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn what_is_no_file_is_rejected_by_name() {
    let place = Place::new();
    place.put("a", b"1");
    let dir = place.closed();
    let (path, missing) = (dir.path(), dir.path().join("gone"));
    let (kept, to) = (path.join("kept"), |name: &str| path.join(name));
    type Make<'m> = &'m dyn Fn(&Path);
    let makes: [(Make<'_>, &str); 5] = [
        (&pipe, "a named pipe"),
        (&|at| symlink(&missing, at).expect("a link is made"), "a broken link"),
        (&|at| symlink("/dev/null", at).expect("a link is made"), "a device"),
        (
            &|at| drop(UnixListener::bind(at).expect("a socket is made")),
            "a socket",
        ),
        (&|at| fs::create_dir(at).expect("a directory is made"), "a directory"),
    ];
    for name in [
        Log::FILE,
        CommitMarker::FILE,
        CommitMarker::NOT_EMPTY,
        "conf",
        "lock",
        "snap.0000000000000001",
        "blobs",
    ] {
        let is_there = to(name).exists();
        if is_there {
            fs::rename(to(name), &kept).expect("moved away");
        }
        for (make, kind) in makes.iter().take(if name == "blobs" { 4 } else { 5 }) {
            make(&to(name));
            let before = names(path);
            let text = rejected(path).to_string();
            assert!(
                text.contains(&format!("/{name} is {kind} that does not belong there; move it away")),
                "{name}, {kind}: {text}"
            );
            assert_eq!(names(path), before, "{name}, {kind}");
            let _ = fs::remove_file(to(name)).or_else(|_| fs::remove_dir(to(name)));
        }
        if is_there {
            fs::rename(&kept, to(name)).expect("moved back");
        }
    }
    assert!(Place::of(dir).has("a"));
}

#[test]
fn a_link_to_a_file_is_as_good_as_the_file() {
    let place = Place::new();
    place.put("a", b"1");
    let dir = place.closed();
    let elsewhere = tempfile::tempdir().expect("a temporary directory");
    let (log, moved) = (dir.path().join(Log::FILE), elsewhere.path().join("moved"));
    fs::copy(&log, &moved).expect("copied");
    fs::remove_file(&log).expect("removed");
    symlink(&moved, &log).expect("a link is made");
    assert!(Place::of(dir).has("a"));
}

#[test]
fn the_log_of_another_program_is_rejected_and_stays_as_it_was() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let other = sled::open(dir.path()).expect("a log");
    other.insert("key", "value").expect("it is written");
    drop(other);
    let rejected = rejected(dir.path()).to_string();
    assert!(
        rejected.contains("other files than those of hitode, such as `db`"),
        "{rejected}"
    );
    let other = sled::open(dir.path()).expect("the log");
    assert_eq!(
        (other.get("key").expect("read").as_deref(), other.tree_names().len()),
        (Some(&b"value"[..]), 1)
    );
}
