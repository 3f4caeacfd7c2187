//! A small file system for one test.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use test_support::process::directory;

/// A file system in memory, with a data directory in it that may not exist yet.
pub(super) struct Volume {
    place: TempDir,
}

impl Volume {
    /// A volume of this size in MiB.
    #[track_caller]
    pub(super) fn new(mib: u64) -> Volume {
        let place = directory();
        let size = format!("size={mib}m,mode=0777");
        run(&["mount", "-t", "tmpfs", "-o", &size, "tmpfs"], place.path());
        Volume { place }
    }

    pub(super) fn data(&self) -> PathBuf {
        self.place.path().join("data")
    }

    /// Changes its size, at least to its content.
    #[track_caller]
    pub(super) fn resize_to(&self, kib: u64) {
        run(&["mount", "-o", &format!("remount,size={kib}k")], self.place.path());
    }

    /// How much is in it.
    pub(super) fn used_kib(&self) -> u64 {
        let total = fs2::total_space(self.place.path()).expect("a file system");
        (total - fs2::free_space(self.place.path()).expect("a file system")) / 1024
    }

    #[track_caller]
    pub(super) fn can_be_written(&self, can: bool) {
        let how = if can { "remount,rw" } else { "remount,ro" };
        run(&["mount", "-o", how], self.place.path());
    }
}

impl Drop for Volume {
    fn drop(&mut self) {
        // A server left behind by a failed test may still use it.
        run(&["umount", "-l"], self.place.path());
    }
}

#[track_caller]
fn run(words: &[&str], place: &Path) {
    // As root, sudo changes nothing.
    let mut command = Command::new(if Path::new("/usr/bin/sudo").exists() {
        "sudo"
    } else {
        "env"
    });
    let done = command.args(words).arg(place).output().expect("a command");
    assert!(
        done.status.success(),
        "{words:?}: {}: these tests mount small file systems: run them as root, or where `sudo mount` asks for no password",
        String::from_utf8_lossy(&done.stderr).trim()
    );
}
