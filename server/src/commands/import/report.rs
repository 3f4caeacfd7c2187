//! The progress of an import, and requests to stop it: a progress bar on a terminal, and a line for each rejected line
//! and each warning. All of it goes to standard error.

use std::io;

use indicatif::{ProgressBar, ProgressStyle};

use super::interrupt::Interrupt;
use crate::commands::output::remark;

/// The progress of one import.
pub(super) struct Report {
    bar: ProgressBar,
    pub(super) interrupt: Interrupt,
}

impl Report {
    /// Starts the progress of an input of `bytes`, if known. From now on, signals do not end the process directly.
    pub(super) fn for_input(bytes: Option<u64>) -> io::Result<Report> {
        let (bar, template) = match bytes {
            Some(bytes) => (ProgressBar::new(bytes), "{bar:40} {percent}% {msg}, {eta} left"),
            None => (ProgressBar::new_spinner(), "{spinner} {msg}"),
        };
        bar.set_style(ProgressStyle::with_template(template).expect("the template is sound"));
        let progress_bar = bar.clone();
        let interrupt =
            move || progress_bar.suspend(|| remark("stopping after the current batch; a second signal stops at once"));
        let interrupt = Interrupt::on_signals(interrupt)?;
        Ok(Report { bar, interrupt })
    }

    /// Displays the progress: `offset` bytes.
    pub(super) fn progress(&self, offset: u64, entered: u64, rejected: u64) {
        self.bar.set_message(format!("{entered} entered, {rejected} rejected"));
        self.bar.set_position(offset);
    }

    /// Reports why a line was rejected.
    pub(super) fn rejected(&self, line: u64, error: &str) {
        self.print(&format!("line {line}: {error}"));
    }

    /// Warns about a value that was entered but is probably a mistake.
    pub(super) fn warn(&self, line: u64, warning: &str) {
        self.print(&format!("line {line}: warning: {warning}"));
    }

    /// Prints a sentence above the bar.
    pub(super) fn print(&self, sentence: &str) {
        self.bar.suspend(|| remark(sentence));
    }

    /// Removes the bar.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
