//! Enters batch after batch, so that each line is entered or refused exactly once, whatever happens in between.
//!
//! The order of things is what this rests on. A batch is noted before it is sent. An answer is noted before the next batch
//! is. Where no answer came, it is looked up whether the batch was entered, among the workers whose ids are above those
//! that were known when it was sent: ids count up, and a batch is entered whole or not at all.

use std::io::BufRead;
use std::time::{Duration, SystemTime};

use contract::operator::import_humans;
use serde_json::Value;

use super::batch::{self, Batches, Next};
use super::journal::{Journal, Record};
use super::lines::{Line, Mark};
use super::patience::Patience;
use super::report::Report;
use super::search::Search;
use super::{Assumption, unreadable};
use crate::commands::CommandError;
use crate::commands::call_error::CallError;
use crate::commands::client::{Client, Operation};

/// How long after it was sent a request may still be at work in a server although its sender is gone. Only then can be
/// told that it was not entered.
const SETTLED_AFTER: Duration = Duration::from_secs(5);

/// One import at work.
pub(super) struct Entering<'a> {
    pub(super) client: &'a Client,
    pub(super) journal: &'a mut Journal,
    pub(super) report: &'a Report,
    /// What the operator says of a batch whose outcome cannot be looked up.
    pub(super) assumed: Option<Assumption>,
}

/// What became of lines that were sent.
enum Sent {
    /// Under these ids, where they are known.
    Entered(Vec<Option<i64>>),
    /// None of them, for this reason.
    Refused(String),
}

impl Entering<'_> {
    /// Enters everything that is left of the input, which stands at the place up to which all is settled.
    pub(super) fn run<R: BufRead>(&mut self, input: &mut Batches<R>) -> Result<(), CommandError> {
        if let Some((until, at)) = self.journal.state.sending.clone() {
            self.settle(input, &until, at)?;
        }
        // The first line goes alone, so that an id is known early; and a file of wrong lines is not sent in long batches.
        let mut most = 1;
        while let Some(next) = input.next(most).map_err(|fault| unreadable(&fault))? {
            match next {
                Next::Bad(line, why) => self.refuse(&line, why)?,
                Next::Batch(lines) => {
                    most = match self.enter(&lines)? {
                        true => (most * 2).min(batch::MOST_LINES),
                        false => (most / 2).max(1),
                    };
                }
            }
            self.report.progress(
                input.lines.offset(),
                self.journal.state.entered,
                self.journal.state.refused,
            );
            if self.report.interrupt.is_wished() {
                return Err(self.interrupted());
            }
        }
        Ok(())
    }

    /// Enters all of these lines that the server takes; gives whether it took them as they were.
    fn enter(&mut self, lines: &[Line]) -> Result<bool, CommandError> {
        let mut as_they_were = true;
        let mut parts = vec![lines];
        while let Some(part) = parts.pop() {
            match (self.send(part)?, part) {
                (Sent::Entered(ids), _) => self.entered(part, ids)?,
                (Sent::Refused(error), [line]) => self.refuse(line, batch::of_one_line(&error))?,
                (Sent::Refused(error), _) => {
                    as_they_were = false;
                    let mut rest = part;
                    let cut = batch::cut(part.len(), &error).into_iter().map(|length| {
                        let (first, others) = rest.split_at(length);
                        rest = others;
                        first
                    });
                    let cut: Vec<_> = cut.collect();
                    parts.extend(cut.into_iter().rev());
                }
            }
        }
        Ok(as_they_were)
    }

    /// Sends lines until the server has said what becomes of them.
    fn send(&mut self, lines: &[Line]) -> Result<Sent, CommandError> {
        let operation = Operation::new(import_humans::METHOD, import_humans::PATH);
        let mut patience = Patience::new();
        loop {
            let (until, at) = (end_of(lines), now());
            self.journal.add(Record::Sending { until, at })?;
            let fault = match self.client.operator(&operation, batch::body(lines)) {
                Ok(answer) => return self.acknowledged(lines, &answer.content["ids"]),
                Err(fault) if fault.fate.is_refusal() => return Ok(Sent::Refused(fault.to_string())),
                Err(fault) => fault,
            };
            let without_effect = fault.fate.is_without_effect();
            if let Err(fault) = patience.wait(fault, self.report) {
                return Err(self.stop(lines, fault)?);
            }
            if !without_effect && let Some(ids) = self.look_up(lines, at)? {
                return Ok(Sent::Entered(ids));
            }
        }
    }

    fn acknowledged(&self, lines: &[Line], ids: &Value) -> Result<Sent, CommandError> {
        let ids: Vec<Option<i64>> = ids.as_array().into_iter().flatten().map(Value::as_i64).collect();
        match ids.len() == lines.len() {
            true => Ok(Sent::Entered(ids)),
            false => Err(CommandError::new(format!(
                "the server took {} workers and gave {} ids: this is not a hitode of the same contract",
                lines.len(),
                ids.len()
            ))),
        }
    }

    /// The end that was wished for: nothing is in doubt.
    fn interrupted(&self) -> CommandError {
        let state = &self.journal.state;
        let line = state.settled.as_ref().map_or(0, |settled| settled.line);
        let known = format!("{} workers entered, {} lines refused", state.entered, state.refused);
        let again = match self.journal.path() {
            Some(_) => "run the same command again: it goes on there",
            None => "give the lines from there on once more",
        };
        CommandError::new(format!("stopped after line {line}, {known}; {again}"))
    }

    /// Why the import ends here.
    fn stop(&mut self, lines: &[Line], fault: CallError) -> Result<CommandError, CommandError> {
        let state = &self.journal.state;
        let known = format!(
            "{} workers were entered before, {} lines refused",
            state.entered, state.refused
        );
        let again = self
            .journal
            .path()
            .map(|_| "run the same command again: it goes on there");
        if fault.fate.is_without_effect() {
            self.journal.add(Record::NotEntered)?;
            let again = again.unwrap_or("give the lines from there on once more");
            return Ok(CommandError::new(format!(
                "{fault}\nStopped at {}, {known}; {again}",
                named(lines)
            )));
        }
        let again = match again {
            Some(again) => format!("{again}, after looking whether they were entered"),
            None => "look for them before you give them once more".to_owned(),
        };
        Ok(CommandError::new(format!(
            "{fault}\nStopped: whether {} were entered is not known, {known}; {again}",
            named(lines)
        )))
    }

    /// Finds out what became of the batch that an earlier run had sent, and finishes it.
    fn settle<R: BufRead>(&mut self, input: &mut Batches<R>, until: &Mark, at: u64) -> Result<(), CommandError> {
        let mut lines: Vec<Line> = Vec::new();
        while lines.last().is_none_or(|line| line.mark().offset < until.offset) {
            match input.lines.next().map_err(|fault| unreadable(&fault))? {
                Some(line) => lines.push(line),
                None => break,
            }
        }
        if lines.last().is_none_or(|line| line.mark() != *until) || lines.iter().any(|line| line.text.is_err()) {
            return Err(super::changed(until.line));
        }
        match self.look_up(&lines, at)? {
            Some(ids) => self.entered(&lines, ids),
            None => self.enter(&lines).map(|_| ()),
        }
    }

    /// The ids of `lines`, which were sent at the Unix time `at` without an answer; none when they were not entered.
    fn look_up(&mut self, lines: &[Line], at: u64) -> Result<Option<Vec<Option<i64>>>, CommandError> {
        let unknown = || Some(vec![None; lines.len()]);
        match self.assumed.take() {
            Some(Assumption::Entered) => return Ok(unknown()),
            Some(Assumption::Missing) => return Ok(None),
            None => {}
        }
        self.report.say(&format!(
            "looking whether {} were entered before the answer was lost",
            named(lines)
        ));
        // A clock that was set back makes this wait once, and not for ever.
        let settling = SETTLED_AFTER.saturating_sub(Duration::from_secs(now().saturating_sub(at)));
        if self.report.interrupt.comes_within(settling) {
            return Err(CommandError::new(
                "stopped before that was found out; run the same command again",
            ));
        }
        let above = self.journal.state.highest;
        let search = Search::begin(self.client, self.report)?;
        let found = |line: &Line| {
            let worker = serde_json::from_str(line.json()).unwrap_or_default();
            search.find(&worker, above.unwrap_or(0))
        };
        let ends = match lines {
            [first, .., last] => found(first).and_then(|first| Ok((first, found(last)?))),
            [only] => found(only).map(|ids| (ids.clone(), ids)),
            [] => return Ok(unknown()),
        };
        search.end()?;
        let (first, last) = ends?;
        match first.first().copied() {
            None => Ok(None),
            Some(first) if above.is_none() => Err(undecidable(lines, first)),
            Some(first) => Ok(Some(between(first, last.last().copied(), lines.len()))),
        }
    }

    fn entered(&mut self, lines: &[Line], ids: Vec<Option<i64>>) -> Result<(), CommandError> {
        self.journal.add(Record::Entered {
            lines: lines.iter().map(|line| line.number).collect(),
            ids,
            until: end_of(lines),
        })
    }

    fn refuse(&mut self, line: &Line, error: String) -> Result<(), CommandError> {
        self.report.refused(line.number, &error);
        self.journal.add(Record::Refused {
            line: line.number,
            error,
            until: line.mark(),
        })
    }
}

/// The ids of a batch of `length`, which ascend from `first` to `last`: all of them if there is no room for others.
fn between(first: i64, last: Option<i64>, length: usize) -> Vec<Option<i64>> {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    match last {
        Some(last) if last - first == length - 1 => (first..=last).map(Some).collect(),
        _ => (0..length).map(|nth| (nth == 0).then_some(first)).collect(),
    }
}

/// Before any id is known, a worker of an earlier import who is like the first one cannot be told from it.
fn undecidable(lines: &[Line], id: i64) -> CommandError {
    CommandError::new(format!(
        "{}, the first that was sent, had no answer; there is such a worker, with the id {id}, who may also have been there \
         before: look, and then run the same command with --assume entered, or with --assume missing to enter it again",
        named(lines)
    ))
}

fn end_of(lines: &[Line]) -> Mark {
    lines.last().expect("no batch is empty").mark()
}

/// "line 7", or "lines 7 to 9".
fn named(lines: &[Line]) -> String {
    match lines {
        [first, .., last] => format!("lines {} to {}", first.number, last.number),
        [only] => format!("line {}", only.number),
        [] => "no line".to_owned(),
    }
}

/// The Unix time in seconds.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_told_only_where_there_is_no_doubt() {
        assert_eq!(between(7, Some(9), 3), [Some(7), Some(8), Some(9)]);
        assert_eq!(between(7, Some(7), 1), [Some(7)]);
        assert_eq!(between(7, Some(10), 3), [Some(7), None, None]);
        assert_eq!(between(7, None, 2), [Some(7), None]);
    }
}
