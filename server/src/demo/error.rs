//! Why entering the demo failed, and what to do.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::in_process::FailedCall;

/// Why the demo is missing or incomplete. Each text states what to do.
#[derive(Debug)]
pub enum DemoError {
    /// A call did not succeed: the demo's files do not fit the contract, or the store failed.
    Call {
        /// The operation.
        call: String,
        /// The answer's body.
        answer: String,
    },
    /// The process was stopped while it entered the demo into this directory.
    Stopped(PathBuf),
    /// An earlier start was interrupted while it entered the demo into this directory.
    CutShort(PathBuf),
    /// The file in this directory that marks an unfinished demo could not be written or removed.
    Marker(PathBuf, io::Error),
}

impl From<FailedCall> for DemoError {
    fn from(FailedCall { call, answer, .. }: FailedCall) -> Self {
        Self::Call { call, answer }
    }
}

impl fmt::Display for DemoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DemoError::Call { call, answer } => {
                write!(
                    f,
                    "cannot create the demo: {call} answered {answer}. The demo is incomplete: \
                     fix the cause, then start with an empty data directory"
                )
            }
            DemoError::Stopped(data) => {
                write!(
                    f,
                    "stopped while the demo was being created, so it is incomplete; {}",
                    way_out(data)
                )
            }
            DemoError::CutShort(data) => {
                write!(
                    f,
                    "the demo in {} is incomplete: the start that created it was interrupted; {}. \
                     Or start without --demo to continue with the present data",
                    data.display(),
                    way_out(data)
                )
            }
            DemoError::Marker(data, error) => {
                write!(
                    f,
                    "cannot mark in {} that a demo is being created: {error}",
                    data.display()
                )
            }
        }
    }
}

fn way_out(data: &Path) -> String {
    format!(
        "remove {} and start again, or choose another directory with --data DIR",
        data.display()
    )
}

impl std::error::Error for DemoError {}
