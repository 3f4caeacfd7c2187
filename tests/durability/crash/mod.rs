//! Acknowledged writes survive a kill, a power cut, a disk that fails and too little memory, at any moment.
//!
//! Many clients write at once (`writers`, whose acts `draw` chooses), and each notes its requests and their answers in one
//! `ledger`. Then the server is ended without warning and started again. One verifier (`gather` reads what the server shows,
//! `verify` compares it with the ledger) reports the number of acknowledged facts, the lost ones, and all other errors.
//!
//! - `kill`: SIGKILL under load, repeated on one directory. What the kernel holds survives that.
//! - `opening`: SIGKILL at chosen system calls of a first start, and of the start on a large store.
//! - `retries`: SIGKILL while requests with idempotency keys are in progress, which are then sent again.
//! - `backups`: SIGKILL of the server, of `hitode backup` and of `hitode restore` while a server under load is backed up.
//! - `files`: SIGKILL and power cuts while files are sent and named in messages.
//! - `power_cut`: what the kernel holds is lost. The system calls of a run are recorded (`recording`), and from them disks are
//!   rebuilt as a power cut may have left them (`replay`).
//! - `another_service`: kills and power cuts of a small service over the same store.
//! - `database`: SIGKILL of a server over PostgreSQL, and of PostgreSQL.
//! - `fleet`: servers over PostgreSQL with standbys, HAProxy and the network between them fail, one after the other.
//! - `faults`: single system calls fail, and memory runs out.
//!
//! Each test is shown to be able to fail: an older copy of the directory is restored, the sync is left out, and the data that a
//! server shows is falsified in one place after the other.
//!
//! `cargo test --workspace --test durability crash -- --nocapture` prints the sums. Variables make the tests larger:
//!
//! | variable | is | default |
//! |---|---|---|
//! | `HITODE_CRASHES` | kills under load | 6 |
//! | `HITODE_BACKUPS` | backups under load that are restored | 3 |
//! | `HITODE_FILE_KILLS` | kills while files are sent | 5 |
//! | `HITODE_FILE_CUTS` | disks rebuilt from the recording of files | 12 |
//! | `HITODE_EVENT_KILLS` | kills while a feed is followed | 6 |
//! | `HITODE_SERVER_KILLS` | kills of a server over PostgreSQL | 2 |
//! | `HITODE_DATABASE_KILLS` | kills of PostgreSQL | 2 |
//! | `HITODE_FLEET` | failures of each kind in a fleet; 0: some of the kinds once | 0 |
//! | `HITODE_POWER_CUTS` | disks rebuilt from the recording | 30 |
//! | `HITODE_FAULTS` | disks that fail in starts and under load | 6 |
//! | `HITODE_READS_EACH` | of the reads of a start, each how many-th fails | 23 |
//! | `HITODE_MEMORY_LIMITS` | limits of memory under load | 2 |
//! | `HITODE_RETRIES` | requests that are sent again after kills | 40 |
//! | `HITODE_LARGE_STORE` | workers in the store that is killed while it opens | 1000 |
//! | `HITODE_CRASH_SEED` | seed of all random choices | 1 |

mod another_service;
mod backups;
mod database;
mod draw;
mod faults;
mod feeds;
mod files;
mod fleet;
mod gather;
mod kill;
mod ledger;
mod opening;
mod power_cut;
mod recording;
mod replay;
mod retries;
mod verify;
mod writers;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::SeedableRng;
use rand::rngs::StdRng;

/// The number in an environment variable.
fn variable(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")),
        Err(_) => default,
    }
}

/// A random generator that is the same in every run: that of part `part` under `HITODE_CRASH_SEED`.
fn chance(part: u64) -> StdRng {
    StdRng::seed_from_u64(variable("HITODE_CRASH_SEED", 1) << 32 | part)
}

/// Disks that are opened at once.
const AT_ONCE: usize = 2;

/// Opens disks, some at once, by their numbers from 0.
fn open_all(disks: u64, open: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number as u64 >= disks {
                        return;
                    }
                    open(number);
                }
            });
        }
    });
}

/// Makes `to` the same as `from`.
fn copy_directory(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    std::fs::create_dir_all(to).expect("a directory");
    for entry in std::fs::read_dir(from).expect("readable") {
        let entry = entry.expect("readable");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy_directory(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("copied");
        }
    }
}
