//! Waiting for a server that cannot answer at the moment, and giving up in the end.

use std::time::Duration;

use super::report::Report;
use crate::commands::call_error::CallError;

/// For how long one request is tried again, all waiting together.
const AT_MOST: Duration = Duration::from_secs(300);

/// How long is waited where the answer does not say.
const UNTOLD: Duration = Duration::from_secs(5);

/// What is left of the patience with one request.
pub(super) struct Patience {
    left: Duration,
}

impl Patience {
    pub(super) fn new() -> Patience {
        Patience { left: AT_MOST }
    }

    /// Waits as long as the answer asks for and says so; gives the fault back when waiting is of no use, no longer, or no
    /// longer wished.
    pub(super) fn wait(&mut self, fault: CallError, report: &Report) -> Result<(), CallError> {
        let Some(seconds) = fault.fate.passes() else {
            return Err(fault);
        };
        let wait = seconds.map_or(UNTOLD, |seconds| Duration::from_secs(seconds.max(1)));
        self.left = match self.left.checked_sub(wait) {
            Some(left) => left,
            None => return Err(fault),
        };
        report.say(&format!("{fault}: trying again in {} s", wait.as_secs()));
        match report.interrupt.comes_within(wait) {
            true => Err(fault),
            false => Ok(()),
        }
    }
}

/// Makes a call, again and again while the server cannot answer at the moment. Only for calls that may be repeated.
pub(super) fn patiently<T>(report: &Report, mut call: impl FnMut() -> Result<T, CallError>) -> Result<T, CallError> {
    let mut patience = Patience::new();
    loop {
        match call() {
            Err(fault) => patience.wait(fault, report)?,
            done => return done,
        }
    }
}
