//! Enters batch after batch, so that each line is entered or rejected exactly once, despite crashes. A batch is
//! recorded in the journal before it is sent; an answer is recorded before the next batch; and a missing answer is
//! reconciled before anything else.

use std::io::{self, BufRead};

use clap::ValueEnum;
use contract::operator::import_humans;
use serde_json::Value;

use super::backoff::Backoff;
use super::batch::{self, Batches, Next};
use super::journal::{Journal, JournalStep};
use super::lines::{Checkpoint, Line, named};
use super::reconcile::{self, Ids, now};
use super::report::Report;
use super::warning;
use crate::commands::call_error::CallError;
use crate::commands::client::{Client, Operation};
use crate::commands::error::CommandError;
use crate::commands::output::counted;

/// A running import.
pub(super) struct Importer<'a> {
    pub(super) client: &'a Client,
    pub(super) journal: &'a mut Journal,
    pub(super) report: &'a Report,
    /// What the operator states about the batch that an earlier run left without an answer.
    pub(super) assumed: Option<Assumption>,
}

/// What the operator knows about a batch without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Assumption {
    /// Its workers were entered.
    Entered,
    /// They were not entered.
    Missing,
}

/// The outcome of sent lines.
enum Sent {
    /// Entered, under these ids if they are known.
    Entered(Ids),
    /// All rejected, for this reason.
    Rejected(String),
}

impl Importer<'_> {
    /// Enters the rest of the input, which is at the position up to which all lines are settled.
    pub(super) fn run<R: BufRead>(&mut self, input: &mut Batches<R>) -> Result<(), CommandError> {
        if let Some((until, at)) = self.journal.state.sending.clone() {
            self.settle(input, &until, at)?;
        }
        // The first line is sent alone, so that an id is known early. This also avoids long batches of invalid lines.
        let mut most = 1;
        while let Some(next) = input.next(most).map_err(|error| unreadable(&error))? {
            match next {
                Next::Bad(line, why) => self.reject(&line, why)?,
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
                self.journal.state.rejected,
            );
            if self.report.interrupt.is_requested() {
                return Err(self.interrupted());
            }
        }
        Ok(())
    }

    /// Enters all of these lines that the server accepts. Returns whether it accepted all of them in one request.
    fn enter(&mut self, lines: &[Line]) -> Result<bool, CommandError> {
        let mut as_they_were = true;
        let mut parts = vec![lines];
        while let Some(part) = parts.pop() {
            match (self.send(part)?, part) {
                (Sent::Entered(ids), _) => self.entered(part, ids)?,
                (Sent::Rejected(error), [line]) => {
                    as_they_were = false;
                    self.reject(line, batch::of_one_line(&error))?;
                }
                (Sent::Rejected(error), _) => {
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

    /// Sends lines until their outcome is known.
    fn send(&mut self, lines: &[Line]) -> Result<Sent, CommandError> {
        let operation = Operation::new(import_humans::METHOD, import_humans::PATH);
        let mut backoff = Backoff::new();
        loop {
            let (until, at) = (end_of(lines), now());
            self.journal.add(JournalStep::Sending { until, at })?;
            let error = match self.client.operator(&operation, batch::body(lines)) {
                Ok(answer) => return self.acknowledged(lines, &answer.content["ids"]),
                Err(error) if error.outcome.is_rejection() => return Ok(Sent::Rejected(error.to_string())),
                Err(error) => error,
            };
            let without_effect = error.outcome.is_without_effect();
            if let Err(error) = backoff.wait(error, self.report) {
                return Err(self.stop(lines, error)?);
            }
            // Reconciled even if the operator stated an assumption, which is about an earlier run.
            if !without_effect && let Some(ids) = self.look_up(lines, at)? {
                return Ok(Sent::Entered(ids));
            }
        }
    }

    fn acknowledged(&self, lines: &[Line], ids: &Value) -> Result<Sent, CommandError> {
        let ids: Ids = ids.as_array().into_iter().flatten().map(Value::as_i64).collect();
        match ids.len() == lines.len() {
            true => Ok(Sent::Entered(ids)),
            false => Err(CommandError::new(format!(
                "the server accepted {} workers and returned {} ids: its contract differs from the one of this program",
                lines.len(),
                ids.len()
            ))),
        }
    }

    /// The end after a requested interrupt: no outcome is unknown.
    fn interrupted(&self) -> CommandError {
        let line = self.journal.state.settled.as_ref().map_or(0, |settled| settled.line);
        CommandError::new(format!(
            "stopped after line {line}, {}; {}",
            self.so_far(),
            self.onward()
        ))
    }

    /// Ends the import with this error.
    fn stop(&mut self, lines: &[Line], error: CallError) -> Result<CommandError, CommandError> {
        let place = named(lines);
        if error.outcome.is_without_effect() {
            self.journal.add(JournalStep::NotEntered)?;
            let text = format!("{error}\nStopped at {place}, {}; {}", self.so_far(), self.onward());
            return Ok(CommandError::new(text));
        }
        let onward = match self.journal.path() {
            Some(_) => "run the same command again: it checks this and continues",
            None => "check whether they exist before you send them again",
        };
        Ok(CommandError::new(format!(
            "{error}\nStopped: it is unknown whether {place} were entered, {} before; {onward}",
            self.so_far()
        )))
    }

    fn so_far(&self) -> String {
        let state = &self.journal.state;
        format!(
            "{} entered, {} rejected",
            counted(state.entered, "worker"),
            counted(state.rejected, "line")
        )
    }

    fn onward(&self) -> &'static str {
        match self.journal.path() {
            Some(_) => "run the same command again: it continues there",
            None => "send the lines from there on again",
        }
    }

    /// Reconciles the batch that an earlier run had sent, and finishes it.
    fn settle<R: BufRead>(&mut self, input: &mut Batches<R>, until: &Checkpoint, at: u64) -> Result<(), CommandError> {
        let mut lines: Vec<Line> = Vec::new();
        while lines.last().is_none_or(|line| line.checkpoint().offset < until.offset) {
            match input.lines.next().map_err(|error| unreadable(&error))? {
                Some(line) => lines.push(line),
                None => break,
            }
        }
        if lines.last().is_none_or(|line| line.checkpoint() != *until) || lines.iter().any(|line| line.text.is_err()) {
            return Err(changed(until.line));
        }
        let found = match self.assumed {
            Some(Assumption::Entered) => Some(vec![None; lines.len()]),
            Some(Assumption::Missing) => None,
            None => self.look_up(&lines, at)?,
        };
        match found {
            Some(ids) => self.entered(&lines, ids),
            None => self.enter(&lines).map(|_| ()),
        }
    }

    /// The ids of `lines`, which were sent at the Unix time `at` without an answer; `None` if they were not entered.
    fn look_up(&self, lines: &[Line], at: u64) -> Result<Option<Ids>, CommandError> {
        reconcile::look_up(self.client, self.report, lines, self.journal.state.highest, at)
    }

    fn entered(&mut self, lines: &[Line], ids: Ids) -> Result<(), CommandError> {
        for line in lines {
            if let Some(warning) = warning::of(line) {
                self.report.warn(line.number, &warning);
            }
        }
        self.journal.add(JournalStep::Entered {
            lines: lines.iter().map(|line| line.number).collect(),
            ids,
            until: end_of(lines),
        })
    }

    fn reject(&mut self, line: &Line, error: String) -> Result<(), CommandError> {
        self.report.rejected(line.number, &error);
        self.journal.add(JournalStep::Refused {
            line: line.number,
            error,
            until: line.checkpoint(),
        })
    }
}

fn end_of(lines: &[Line]) -> Checkpoint {
    lines.last().expect("no batch is empty").checkpoint()
}

/// The input cannot be read.
pub(super) fn unreadable(error: &io::Error) -> CommandError {
    CommandError::new(format!("cannot read the lines: {error}"))
}

/// The input has changed since an earlier run read it.
pub(super) fn changed(line: u64) -> CommandError {
    CommandError::new(format!(
        "the file was changed at or before line {line}, the last line that an earlier run has entered: lines can only be added \
         at the end; restore the file, or put the new lines into another file"
    ))
}
