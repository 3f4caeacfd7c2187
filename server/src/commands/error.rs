//! Why a command failed, as a sentence for the user.

use std::io;

use thiserror::Error;

use super::call_error::CallError;

/// A sentence that states the error and what to do.
#[derive(Debug, Error)]
#[error("{0}")]
pub(crate) struct CommandError(String);

impl CommandError {
    pub(crate) fn new(text: impl Into<String>) -> CommandError {
        CommandError(text.into())
    }

    /// The output was closed by its reader.
    pub(super) fn output(error: &io::Error) -> CommandError {
        CommandError(format!("cannot write to standard output: {error}"))
    }
}

impl From<CallError> for CommandError {
    fn from(error: CallError) -> CommandError {
        CommandError(error.to_string())
    }
}
