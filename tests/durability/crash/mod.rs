//! What was acknowledged survives a kill and a power cut, whenever they come.
//!
//! Many clients write at once (`writers`, who `draw` what to do), and each notes what it asked and what it was answered
//! in one `ledger`. Then the server is ended without warning, started again, and one verifier (`gather` what it shows,
//! `verify` it against the ledger) says how many acknowledged facts there were, which of them are lost, and what else is
//! not as it must be.
//!
//! - `kill`: SIGKILL under load, again and again on one directory. What the kernel holds survives that.
//! - `opening`: SIGKILL at chosen system calls of a first start, and of the start on a large store.
//! - `power_cut`: what the kernel holds does not survive. The system calls of a run are recorded (`recording`), and from
//!   them disks are rebuilt as a power cut may have left them (`replay`).
//!
//! Each can fail, and is shown to: an older copy of the directory is put back, the sync is left out, and what a server
//! shows is made untrue in one place after the other.
//!
//! The printed sums show with `cargo test --workspace --test durability crash -- --nocapture`. Variables make the tests larger:
//!
//! | variable | is | default |
//! |---|---|---|
//! | `HITODE_CRASHES` | kills under load | 6 |
//! | `HITODE_POWER_CUTS` | disks rebuilt from the recording | 30 |
//! | `HITODE_LARGE_STORE` | workers in the store that is killed while it opens | 1000 |
//! | `HITODE_CRASH_SEED` | what chance is drawn from | 1 |

mod draw;
mod gather;
mod kill;
mod ledger;
mod opening;
mod power_cut;
mod recording;
mod replay;
mod verify;
mod writers;

use std::path::Path;

use rand::SeedableRng;
use rand::rngs::StdRng;

/// The number in an environment variable.
fn variable(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")),
        Err(_) => default,
    }
}

/// Chance that falls the same way in every run: that of the part `part` of what `HITODE_CRASH_SEED` begins.
fn chance(part: u64) -> StdRng {
    StdRng::seed_from_u64(variable("HITODE_CRASH_SEED", 1) << 32 | part)
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
