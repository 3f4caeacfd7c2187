//! The standard output of commands: text for people, or with `--json` exactly one JSON document.

use std::io::{IsTerminal, Write};

use clap::Args;
use clap::builder::BoolishValueParser;
use serde_json::Value;
use visible::{visible, visible_json, visible_lines};

use super::error::CommandError;

/// The output format of a command.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Output {
    /// Print one JSON document, for scripts
    #[arg(long, env = "HITODE_JSON", value_parser = BoolishValueParser::new())]
    pub(crate) json: bool,
}

impl Output {
    /// Prints `document` as JSON, or the result of `text` for people.
    pub(crate) fn print(self, document: &Value, text: impl FnOnce(&Value) -> String) -> Result<(), CommandError> {
        match self.json {
            true => print_line(&visible_json(&document.to_string())),
            false => print(&text(document)),
        }
    }
}

/// Prints `text` as a line. Control characters from others are displayed, so that they do not affect the terminal.
pub(crate) fn print(text: &str) -> Result<(), CommandError> {
    print_line(&visible_lines(text))
}

/// Prints `text` unchanged, as a line.
pub(super) fn print_line(text: &str) -> Result<(), CommandError> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")
        .and_then(|()| out.flush())
        .map_err(|error| CommandError::output(&error))
}

/// Writes `text` as a line to standard error. Ignores a closed standard error.
pub(crate) fn remark(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", visible_lines(text));
}

/// Asks for confirmation on the terminal.
///
/// # Errors
/// `unasked` if there is no terminal, `declined` if the answer is no.
pub(super) fn must_confirm(question: &str, unasked: &str, declined: &str) -> Result<(), CommandError> {
    if !std::io::stdin().is_terminal() {
        return Err(CommandError::new(unasked));
    }
    match confirm(question)? {
        true => Ok(()),
        false => Err(CommandError::new(declined)),
    }
}

/// Asks on standard error and reads a line of standard input. Returns whether the answer is yes.
fn confirm(question: &str) -> Result<bool, CommandError> {
    let mut err = std::io::stderr();
    let _ = write!(err, "{}", visible_lines(question)).and_then(|()| err.flush());
    let mut answer = String::new();
    std::io::stdin()
        .read_line(&mut answer)
        .map_err(|error| CommandError::new(format!("cannot read from standard input: {error}")))?;
    Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
}

/// A value for people: texts on one line without quotes, and `yes` or `no`.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => visible(text),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// "1 line", or "2 lines".
pub(crate) fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
