//! Why a command did not do its work, as a sentence for the person who called it.

use std::io;

use thiserror::Error;

use super::call_error::CallError;

/// A sentence that says what is wrong and what to do about it.
#[derive(Debug, Error)]
#[error("{0}")]
pub(crate) struct CommandError(String);

impl CommandError {
    pub(super) fn new(text: impl Into<String>) -> CommandError {
        CommandError(text.into())
    }

    /// Nobody reads what was to be printed.
    pub(super) fn output(fault: &io::Error) -> CommandError {
        CommandError(format!("cannot write to standard output: {fault}"))
    }
}

impl From<CallError> for CommandError {
    fn from(fault: CallError) -> CommandError {
        CommandError(fault.to_string())
    }
}
