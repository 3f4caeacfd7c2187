//! Reconciles a batch without an answer: was it entered? A batch is entered as a whole or not at all, and ids
//! increase. So it was entered if its first worker exists with an id above all ids that were known when it was sent.

use std::time::{Duration, SystemTime};

use super::lines::{Line, named};
use super::report::Report;
use super::search::Search;
use crate::commands::client::Client;
use crate::commands::error::CommandError;

/// How long a server may still process a request whose sender has disconnected. Only after this time is it certain
/// that the batch was not entered.
const SETTLED_AFTER: Duration = Duration::from_secs(5);

/// The ids of the workers of a batch, if they are known.
pub(super) type Ids = Vec<Option<i64>>;

/// The ids of `lines`, which were sent at the Unix time `at` when `above` was the highest known id; `None` if they
/// were not entered.
///
/// # Errors
/// If this cannot be decided, or the server cannot be called.
pub(super) fn look_up(
    client: &Client,
    report: &Report,
    lines: &[Line],
    above: Option<i64>,
    at: u64,
) -> Result<Option<Ids>, CommandError> {
    let place = named(lines);
    report.say(&format!(
        "checking whether {place} were entered before the response was lost"
    ));
    // If the clock was set back, this waits once and not indefinitely.
    let settling = SETTLED_AFTER.saturating_sub(Duration::from_secs(now().saturating_sub(at)));
    if report.interrupt.wait(settling) {
        let text = "stopped before the check had ended; run the same command again";
        return Err(CommandError::new(text));
    }
    let search = Search::begin(client, report)?;
    let found = |line: &Line| {
        let worker = serde_json::from_str(line.json()).unwrap_or_default();
        search.find(&worker, above.unwrap_or(0))
    };
    let ends = match lines {
        [first, .., last] => found(first).and_then(|first| Ok((first, found(last)?))),
        [only] => found(only).map(|ids| (ids.clone(), ids)),
        [] => Ok((Vec::new(), Vec::new())),
    };
    search.end()?;
    let (first, last) = ends?;
    match first.first().copied() {
        None => Ok(None),
        Some(id) if above.is_none() => Err(undecidable(&place, id)),
        Some(id) => Ok(Some(between(id, last.last().copied(), lines.len()))),
    }
}

/// The Unix time in seconds.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}

/// The ids of a batch of `length` that ascend from `first` to `last`, if no other ids fit in between; otherwise none
/// is certain, since other workers may equal the first or the last one.
fn between(first: i64, last: Option<i64>, length: usize) -> Ids {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    match last {
        Some(last) if last - first == length - 1 => (first..=last).map(Some).collect(),
        _ => (0..length).map(|_| None).collect(),
    }
}

/// If the id before it is unknown, an earlier worker cannot be distinguished from an equal one of the batch.
fn undecidable(place: &str, id: i64) -> CommandError {
    CommandError::new(format!(
        "there was no response for {place}, and the id of the line before is unknown. The worker with the id {id} is equal, but \
         may be older than this import. Check this worker, then run the same command with --assume entered, or with \
         --assume missing to send the batch again"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_known_only_where_no_others_fit_between() {
        assert_eq!(between(7, Some(9), 3), [Some(7), Some(8), Some(9)]);
        assert_eq!(between(7, Some(7), 1), [Some(7)]);
        assert_eq!(between(7, Some(9), 1), [None]);
        assert_eq!(between(7, Some(10), 3), [None, None, None]);
        assert_eq!(between(7, None, 2), [None, None]);
    }
}
