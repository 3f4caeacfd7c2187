//! Enters batch after batch, so that each line is entered or rejected exactly once, despite crashes. A batch is
//! recorded in the journal, with an idempotency key, before it is sent; an answer is recorded before the next batch. A
//! batch without an answer is sent again with its key: the server enters it once.

use std::io::{self, BufRead};
use std::slice;

use contract::operator::{import_humans, list_humans, update_human};
use serde_json::Value;

use super::backoff::Backoff;
use super::batch::{self, Batches, Next};
use super::journal::{Journal, JournalStep};
use super::lines::{Checkpoint, Line, named};
use super::rejects::Rejects;
use super::report::Report;
use super::warning;
use crate::commands::call_error::CallError;
use crate::commands::client::{Client, Operation};
use crate::commands::error::CommandError;
use crate::commands::output::counted;

/// A running import.
pub(super) struct Importer<'a> {
    /// `None` in a dry run.
    pub(super) client: Option<&'a Client>,
    pub(super) journal: &'a mut Journal,
    pub(super) report: &'a Report,
    pub(super) rejects: Rejects,
    /// Whether a line changes the worker who has its `external_id`.
    pub(super) is_update: bool,
}

/// The outcome of sent lines.
enum Sent {
    /// Entered, under these ids.
    Entered(Vec<Option<i64>>),
    /// None of them, for this reason.
    Rejected(String),
    /// None of them, for this reason: another worker has an `external_id` of theirs.
    Taken(String),
}

impl Importer<'_> {
    /// Enters the rest of the input, which is at the position up to which all lines are settled.
    pub(super) fn run<R: BufRead>(&mut self, input: &mut Batches<R>) -> Result<(), CommandError> {
        if let Some((until, key)) = self.journal.state.sending.clone() {
            self.enter_in_doubt(input, until, key)?;
        }
        while let Some(next) = input.next().map_err(|error| unreadable(&error))? {
            match next {
                Next::Bad(line, why) => self.reject(&line, why, line.checkpoint())?,
                Next::Batch(lines) => {
                    let until = lines.last().expect("no batch is empty").checkpoint();
                    self.enter(input, lines, until, &new_key())?;
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

    /// Sends the lines up to `until`. If they are rejected, one line is settled by that; several go back to the input, to be
    /// sent in smaller batches.
    fn enter<R: BufRead>(
        &mut self,
        input: &mut Batches<R>,
        lines: Vec<Line>,
        until: Checkpoint,
        key: &str,
    ) -> Result<(), CommandError> {
        match (self.send(&lines, &until, key)?, lines.as_slice()) {
            (Sent::Entered(ids), _) => {
                input.grow();
                self.entered(&lines, ids, until)
            }
            (Sent::Taken(_), [line]) if self.is_update => match self.update(line)? {
                Ok(id) => self.entered(&lines, vec![Some(id)], until),
                Err(error) => self.reject(line, error, until),
            },
            (Sent::Rejected(error) | Sent::Taken(error), [line]) => {
                self.reject(line, batch::error_of_line(&error), until)
            }
            (Sent::Rejected(_) | Sent::Taken(_), _) => {
                input.put_back(lines);
                self.journal.add(JournalStep::NotEntered)
            }
        }
    }

    /// Sends lines until their outcome is known. The key makes it safe to send them again.
    fn send(&mut self, lines: &[Line], until: &Checkpoint, key: &str) -> Result<Sent, CommandError> {
        let Some(client) = self.client else {
            return Ok(match lines.iter().try_for_each(batch::validate) {
                Ok(()) => Sent::Entered(vec![None; lines.len()]),
                Err(error) => Sent::Rejected(error),
            });
        };
        // An earlier run may have entered them already: then only an answer of the server settles that.
        let mut is_in_doubt = self.journal.state.sending.is_some();
        let operation = Operation::new(import_humans::METHOD, import_humans::PATH).keyed(key);
        let (until, key) = (until.clone(), Some(key.to_owned()));
        self.journal.add(JournalStep::Sending { until, key })?;
        let mut backoff = Backoff::new();
        loop {
            let error = match client.operator(&operation, batch::body(lines)) {
                Ok(answer) => return self.acknowledged(lines, &answer.content["ids"]),
                Err(error) if error.outcome.is_rejection() && !(is_in_doubt && error.outcome.is_foreign()) => {
                    return Ok(match error.outcome.is_conflict() {
                        true => Sent::Taken(error.to_string()),
                        false => Sent::Rejected(error.to_string()),
                    });
                }
                Err(error) => error,
            };
            is_in_doubt |= !error.outcome.is_without_effect();
            if let Err(error) = backoff.wait(error, self.report) {
                return Err(self.stop(lines, error, is_in_doubt)?);
            }
        }
    }

    /// Changes the worker who has the `external_id` of a line, and returns its id, or why the server does not.
    fn update(&mut self, line: &Line) -> Result<Result<i64, String>, CommandError> {
        let client = self.client.expect("a dry run meets no other worker");
        let wanted: Value = serde_json::from_str(line.json()).unwrap_or_default();
        let wanted = wanted["external_id"].as_str().unwrap_or_default();
        let find = Operation::new(list_humans::METHOD, list_humans::PATH).with("external_id", wanted);
        let id = match client.operator(&find, Vec::new()) {
            Ok(found) => found.content[0]["id"].as_i64(),
            Err(error) => return Err(self.stop(slice::from_ref(line), error, false)?),
        };
        let Some(id) = id else {
            return Ok(Err(
                "no worker has this `external_id` any more: import the line again".to_owned()
            ));
        };
        let change = Operation::new(update_human::METHOD, update_human::PATH).on(id);
        match client.operator(&change, line.json().as_bytes().to_vec()) {
            Ok(_) => Ok(Ok(id)),
            Err(error) if error.outcome.is_rejection() => Ok(Err(error.to_string())),
            // The line can be sent again, whether or not it has changed the worker.
            Err(error) => Err(self.stop(slice::from_ref(line), error, false)?),
        }
    }

    fn acknowledged(&self, lines: &[Line], ids: &Value) -> Result<Sent, CommandError> {
        let ids: Vec<_> = ids.as_array().into_iter().flatten().map(Value::as_i64).collect();
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
    fn stop(&mut self, lines: &[Line], error: CallError, is_in_doubt: bool) -> Result<CommandError, CommandError> {
        let place = named(lines);
        if !is_in_doubt {
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

    /// Sends the batch again that an earlier run had sent, with its key: the server enters it once.
    fn enter_in_doubt<R: BufRead>(
        &mut self,
        input: &mut Batches<R>,
        until: Checkpoint,
        key: Option<String>,
    ) -> Result<(), CommandError> {
        let mut lines: Vec<Line> = Vec::new();
        while lines.last().is_none_or(|line| line.checkpoint().offset < until.offset) {
            match input.lines.next().map_err(|error| unreadable(&error))? {
                Some(line) => lines.push(line),
                None => break,
            }
        }
        if lines.last().is_none_or(|line| line.checkpoint() != until) || lines.iter().any(|line| line.text.is_err()) {
            return Err(changed(until.line));
        }
        let place = named(&lines);
        let key = key.ok_or_else(|| sent_without_key(&place))?;
        lines.retain(|line| !self.journal.state.refused.contains(&line.number));
        if lines.is_empty() {
            return self.entered(&[], Vec::new(), until);
        }
        self.report.print(&format!("sending {place} again, with the same key"));
        self.enter(input, lines, until, &key)
    }

    fn entered(&mut self, lines: &[Line], ids: Vec<Option<i64>>, until: Checkpoint) -> Result<(), CommandError> {
        for line in lines {
            if let Some(warning) = warning::for_line(line) {
                self.report.warn(line.number, &warning);
            }
        }
        let lines = lines.iter().map(|line| line.number).collect();
        self.journal.add(JournalStep::Entered { lines, ids, until })
    }

    /// Rejects the only line up to `until` that is not settled.
    fn reject(&mut self, line: &Line, error: String, until: Checkpoint) -> Result<(), CommandError> {
        self.report.rejected(line.number, &error);
        // First in this file: after a crash in between, the line is rejected again, and not lost.
        self.rejects.add(line)?;
        let number = line.number;
        self.journal.add(JournalStep::Refused { line: number, error })?;
        self.entered(&[], Vec::new(), until)
    }
}

/// A key that no other batch has.
fn new_key() -> String {
    format!("import-{:032x}", rand::random::<u128>())
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

/// A version of this program that sent no keys did not get the answer.
fn sent_without_key(place: &str) -> CommandError {
    CommandError::new(format!(
        "an earlier version of this program sent {place} without a key and got no response: check whether these workers \
         exist, and import what is missing and the lines after it from another file"
    ))
}
