//! Waits for a server that is temporarily unavailable, and finally gives up.

use std::time::Duration;

use super::report::Report;
use crate::commands::call_error::CallError;

/// The maximum time for retries of one request, all waits together.
const MAX_WAIT: Duration = Duration::from_secs(300);

/// The wait if the answer states none.
const DEFAULT_WAIT: Duration = Duration::from_secs(5);

/// The remaining waiting time of one request.
pub(super) struct Backoff {
    left: Duration,
}

impl Backoff {
    pub(super) fn new() -> Backoff {
        Backoff { left: MAX_WAIT }
    }

    /// Waits as long as the answer states, and reports it. Returns the error if waiting is useless or no longer
    /// allowed, or an interrupt was requested.
    pub(super) fn wait(&mut self, error: CallError, report: &Report) -> Result<(), CallError> {
        let Some(seconds) = error.outcome.retry_after() else {
            return Err(error);
        };
        let wait = seconds.map_or(DEFAULT_WAIT, |seconds| Duration::from_secs(seconds.max(1)));
        self.left = match self.left.checked_sub(wait) {
            Some(left) => left,
            None => return Err(error),
        };
        report.print(&format!("{error}: trying again in {} s", wait.as_secs()));
        match report.interrupt.wait(wait) {
            true => Err(error),
            false => Ok(()),
        }
    }
}
