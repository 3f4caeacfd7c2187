//! A disk with faults: system calls on the files of one data directory fail, made to by a library that is loaded before
//! the C library (`preload.c`).

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use tempfile::TempDir;

use test_support::process::{Launch, directory};

/// The errors of a bad and of a full disk: EIO and ENOSPC on Linux.
pub(super) const EIO: i32 = 5;
pub(super) const ENOSPC: i32 = 28;

/// Which calls fail.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    /// The names of the calls, which are counted together.
    pub(super) calls: &'static [&'static str],
    /// The error.
    pub(super) errno: i32,
    /// The first of these calls that fails, from 1.
    pub(super) from: u64,
    /// How many fail.
    pub(super) count: u64,
    /// Whether the write before that writes only a half.
    pub(super) is_short: bool,
}

/// A fault of one process, and what it has injected.
pub(super) struct Injected {
    fault: Fault,
    place: TempDir,
}

static LIBRARY: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let place = directory();
    let library = place.path().join("preload.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/crash/faults/preload.c");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .arg(source);
    let done = compiler.output().expect("cc, with which Rust links too");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    (place, library)
});

impl Fault {
    /// This fault for one process.
    pub(super) fn inject(&self) -> Injected {
        Injected {
            fault: self.clone(),
            place: directory(),
        }
    }
}

impl Injected {
    /// The process on the data directory `data`, with the fault.
    pub(super) fn start_of(&self, launch: Launch, data: &Path) -> Launch {
        let (_, library) = &*LIBRARY;
        let mut launch = launch
            .variable("LD_PRELOAD", text(library))
            .variable("FAULT_BELOW", text(data))
            .variable("FAULT_CALLS", &format!(",{},", self.fault.calls.join(",")))
            .variable("FAULT_ERRNO", &self.fault.errno.to_string())
            .variable("FAULT_FROM", &self.fault.from.to_string())
            .variable("FAULT_COUNT", &self.fault.count.to_string())
            .variable("FAULT_LOG", text(&self.log()));
        if self.fault.is_short {
            launch = launch.variable("FAULT_SHORT", "1");
        }
        launch
    }

    /// The calls that failed so far, in order.
    pub(super) fn failures(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.log()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn log(&self) -> PathBuf {
        self.place.path().join("log")
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of ASCII")
}
