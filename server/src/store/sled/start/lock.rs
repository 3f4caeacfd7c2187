//! A lock of our own: sled's is taken only after it has begun to change files.
//!
//! Whoever holds it and works in the directory says so in the file, for whoever is rejected.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::Path;
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use contract::Timestamp;
use fs2::FileExt;

use super::OpenError;

/// The most characters of the file that are shown.
const MAX_SHOWN: usize = 300;

/// Takes the lock; it is held for as long as the file is open. What the file says stays as it is.
pub(super) fn take(path: &Path) -> Result<File, OpenError> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    let mut file = options
        .open(path.join("lock"))
        .map_err(|error| OpenError::io(path, error))?;
    match file.try_lock_exclusive() {
        Ok(()) => Ok(file),
        Err(error) if error.kind() == ErrorKind::WouldBlock => {
            Err(OpenError::InUse(path.to_owned(), holder(&mut file)))
        }
        Err(error) => Err(OpenError::io(path, error)),
    }
}

/// This process, since when, and how it was started.
fn situation() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = Timestamp::from_unix(i64::try_from(now.as_secs()).unwrap_or(i64::MAX));
    let command: Vec<_> = std::env::args_os()
        .map(|arg| arg.to_string_lossy().into_owned())
        .collect();
    format!("process {}, since {now} UTC, `{}`", process::id(), command.join(" "))
}

/// Says in the file who holds the lock. That nothing could be written, on a full disk perhaps, is no reason not to work.
pub(super) fn sign(mut file: &File) {
    let _ = file.set_len(0).and_then(|()| file.write_all(situation().as_bytes()));
}

/// Who holds the lock; nobody knows, if the file says nothing that can be shown on one line. One that took it this
/// moment may not have written yet, and what stands there is then of one before.
fn holder(file: &mut File) -> Option<String> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(MAX_SHOWN as u64 * 4).read_to_string(&mut text).ok()?;
    let shown = text.starts_with("process ") && !text.contains(char::is_control);
    shown.then(|| text.chars().take(MAX_SHOWN).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn rejected(path: &Path) -> String {
        take(path).expect_err("it is held").to_string()
    }

    #[test]
    fn who_is_rejected_learns_who_holds_it() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        std::fs::write(
            dir.path().join("lock"),
            "process 1, long ago and with a longer text than the next one",
        )
        .expect("written");
        let held = take(dir.path()).expect("a lock that nobody holds");
        sign(&held);
        let text = rejected(dir.path());
        assert!(text.contains(&format!("(process {}, since 2", process::id())), "{text}");
        assert!(!text.contains("long ago"), "{text}");
        drop(held);
        take(dir.path()).expect("nobody holds it any more");
    }

    #[test]
    fn garbage_in_the_file_is_not_shown() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let _held = take(dir.path()).expect("a lock that nobody holds");
        for garbage in [
            &b""[..],
            b"\xff\xfe",
            b"nobody",
            b"process 1\nhitode: all is well",
            b"process \x1b[2J",
        ] {
            std::fs::write(dir.path().join("lock"), garbage).expect("written");
            let text = rejected(dir.path());
            assert!(text.starts_with("another hitode uses") && !text.contains('('), "{text}");
        }
    }
}
