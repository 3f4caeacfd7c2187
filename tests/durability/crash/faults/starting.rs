//! A start on a disk whose reads fail.

use std::path::Path;

use super::{EIO, Fault};
use crate::crash::variable;
use crate::disks::{Entries, ended_with_a_message, files};
use test_support::process::{Launch, directory};

/// The calls by which a start reads.
const READS: &[&str] = &["pread64", "read"];

/// The same, and what comes before them.
const OPENINGS: &[&str] = &["open64", "pread64", "read"];

/// What a start says of a disk that fails for good.
const CAUSE: &str = "cannot be used (Input/output error (os error 5)); check the disk and start again";

/// What it says if the store is open, and the token cannot be read.
const TOKEN: &str = "cannot read or create the operator's token";

#[test]
fn a_start_whose_reads_fail_is_rejected_and_leaves_the_directory_as_it_is() {
    let data = directory();
    let mut entries = Entries::stored_at(data.path());
    let each = variable("HITODE_READS_EACH", 23);
    let mut sum = Sum::default();
    for (calls, count) in [(OPENINGS, 1), (READS, u64::from(u32::MAX))] {
        for from in (0..).map(|nth| 1 + nth * each) {
            match start(data.path(), calls, from, count, &mut sum) {
                Start::Rejected(line) => assert!(
                    count == 1 || line.contains(CAUSE) || line.contains(TOKEN),
                    "{from}: {line}"
                ),
                Start::Reached => {}
                Start::Without => break,
            }
        }
    }
    println!("{sum:?}");
    assert!(sum.rejected > 3, "{sum:?}");
    entries.are_whole_at(&Launch::on(data.path()).start());
}

#[derive(Debug, Default)]
struct Sum {
    injected: usize,
    rejected: usize,
    harmless: Vec<String>,
}

#[derive(Debug)]
enum Start {
    /// The fault came, and did no harm.
    Reached,
    /// With this message.
    Rejected(String),
    /// There are fewer reads.
    Without,
}

/// Starts on a disk on which `count` of these calls fail.
#[track_caller]
fn start(data: &Path, calls: &'static [&'static str], from: u64, count: u64, sum: &mut Sum) -> Start {
    let fault = Fault {
        calls,
        errno: EIO,
        from,
        count,
        is_short: false,
    };
    let (before, injected) = (files(data), fault.inject());
    let started = injected.start_of(Launch::on(data), data).try_start();
    let failures = injected.failures();
    sum.injected += failures.len();
    match started {
        Err(ended) => {
            let line = ended_with_a_message(&ended);
            // The token is read once the store is open.
            let was_open = failures.iter().any(|line| line.ends_with("/operator-token"));
            assert!(was_open || files(data) == before, "{failures:?}: {line}");
            sum.rejected += 1;
            Start::Rejected(line)
        }
        Ok(_) if failures.is_empty() => Start::Without,
        Ok(_) => {
            sum.harmless.extend(failures);
            Start::Reached
        }
    }
}
