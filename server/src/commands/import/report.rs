//! What a person sees while an import runs, and their request to stop it: on a terminal a progress bar, and everywhere a line
//! for each refused line and each odd one. All of it goes to standard error.

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
    /// Of an input of `bytes`, where that is known. From here on, signals no longer end the process by themselves.
    pub(super) fn of(bytes: Option<u64>) -> io::Result<Report> {
        let (bar, template) = match bytes {
            Some(bytes) => (ProgressBar::new(bytes), "{bar:40} {percent}% {msg}, {eta} to go"),
            None => (ProgressBar::new_spinner(), "{spinner} {msg}"),
        };
        bar.set_style(ProgressStyle::with_template(template).expect("the template is sound"));
        let shown = bar.clone();
        let tell = move || shown.suspend(|| remark("stopping after the batch under way; once more stops at once"));
        let interrupt = Interrupt::on_signals(tell)?;
        Ok(Report { bar, interrupt })
    }

    /// Tells how far it is: `offset` bytes.
    pub(super) fn progress(&self, offset: u64, entered: u64, refused: u64) {
        self.bar.set_message(format!("{entered} entered, {refused} refused"));
        self.bar.set_position(offset);
    }

    /// Tells why a line was refused.
    pub(super) fn refused(&self, line: u64, error: &str) {
        self.say(&format!("line {line}: {error}"));
    }

    /// Warns of what was entered as it is, and was probably meant otherwise.
    pub(super) fn warn(&self, line: u64, warning: &str) {
        self.say(&format!("line {line}: warning: {warning}"));
    }

    /// Says a sentence, above the bar.
    pub(super) fn say(&self, sentence: &str) {
        self.bar.suspend(|| remark(sentence));
    }

    /// Takes the bar away.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
