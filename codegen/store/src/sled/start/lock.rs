//! Our own lock: sled takes its lock only after it has begun to change files. The process that holds the lock
//! describes itself in the lock file, for the error message of other processes.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::Path;
use std::process;

use chrono::Utc;
use fs2::FileExt;

use super::OpenFailure;

/// The maximum number of characters of the file that an error displays.
const MAX_SHOWN: usize = 300;

/// Takes the lock. It is held while the file is open. The content of the file does not change.
pub(super) fn take(path: &Path) -> Result<File, OpenFailure> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    let mut file = options
        .open(path.join("lock"))
        .map_err(|error| OpenFailure::io(path, error))?;
    match file.try_lock_exclusive() {
        Ok(()) => Ok(file),
        Err(error) if error.kind() == ErrorKind::WouldBlock => {
            Err(OpenFailure::InUse(path.to_owned(), holder(&mut file)))
        }
        Err(error) => Err(OpenFailure::io(path, error)),
    }
}

/// This process, its start time and its command line.
fn situation() -> String {
    let now = Utc::now().format("%Y-%m-%dT%H:%M:%S");
    let command: Vec<_> = std::env::args_os()
        .map(|arg| arg.to_string_lossy().into_owned())
        .collect();
    format!("process {}, since {now} UTC, `{}`", process::id(), command.join(" "))
}

/// Writes the holder of the lock into the file. A failure, such as a full disk, is ignored.
pub(super) fn sign(mut file: &File) {
    let _ = file.set_len(0).and_then(|()| file.write_all(situation().as_bytes()));
}

/// The holder of the lock, or `None` if the file has no text that fits on one line. A process that has just taken the
/// lock may not have written yet; the text is then that of an earlier holder.
fn holder(file: &mut File) -> Option<String> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(MAX_SHOWN as u64 * 4).read_to_string(&mut text).ok()?;
    let is_printable = text.starts_with("process ") && !text.contains(char::is_control);
    is_printable.then(|| text.chars().take(MAX_SHOWN).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::HITODE;

    #[track_caller]
    fn rejected(path: &Path) -> String {
        take(path).expect_err("it is held").in_words_of(&HITODE).to_string()
    }

    #[test]
    fn a_rejected_process_learns_which_one_holds_the_lock() {
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
    fn garbage_in_the_file_is_not_displayed() {
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
