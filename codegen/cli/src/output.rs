//! The result of a command: text for both streams and an exit status. Only this module writes.

use anstyle::Style;
use codegen::rules::Severity;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;
use visible::visible;

/// The exit status of a command. The greatest counts if there are several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Success.
    #[default]
    Well,
    /// A contract has errors, or breaks another one.
    Wrong,
    /// Something could not be read, written or found.
    Failed,
}

/// The output of a command. Styles are escape sequences, removed if the stream is no terminal.
#[derive(Debug, Default)]
pub(crate) struct Output {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) status: Status,
}

impl Output {
    /// Only this text on standard output.
    pub(crate) fn from_text(out: String) -> Self {
        Output {
            out,
            ..Output::default()
        }
    }

    /// This text, written to `file` if given.
    pub(crate) fn into_file(text: String, file: Option<&Path>) -> Self {
        let Some(file) = file else {
            return Output::from_text(text);
        };
        match std::fs::write(file, text) {
            Ok(()) => Output::default(),
            Err(error) => Output::failed(&format!("cannot write {}: {error}", file.display())),
        }
    }

    /// One line about a failure.
    pub(crate) fn failed(message: &str) -> Self {
        let mut output = Output::default();
        output.fail(message);
        output
    }

    /// Adds one line about a failure.
    pub(crate) fn fail(&mut self, message: &str) {
        let message = visible(message);
        self.err.push_str(&format!("{}: {message}\n", styled(ERROR, "error")));
        self.status = Status::Failed;
    }

    /// The output of both commands.
    pub(crate) fn and(mut self, other: Output) -> Self {
        self.out.push_str(&other.out);
        self.err.push_str(&other.err);
        self.status = self.status.max(other.status);
        self
    }

    /// Writes the output and returns the exit status. A closed pipe (`| head`) is no failure.
    pub(crate) fn write(&self) -> ExitCode {
        let result = write_to(&mut anstream::stdout().lock(), &self.out)
            .and_then(|()| write_to(&mut anstream::stderr().lock(), &self.err));
        let status = match result {
            Ok(()) => self.status,
            Err(error) => {
                // A failure here cannot be reported anywhere.
                let _ = writeln!(std::io::stderr(), "error: cannot write the output: {error}");
                Status::Failed
            }
        };
        ExitCode::from(status as u8)
    }
}

fn write_to(stream: &mut impl Write, text: &str) -> std::io::Result<()> {
    let result = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
    result.or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
}

pub(crate) const ERROR: Style = anstyle::AnsiColor::BrightRed.on_default().bold();
pub(crate) const WARNING: Style = anstyle::AnsiColor::Yellow.on_default().bold();
pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const WRONG: Style = anstyle::AnsiColor::Red.on_default();
pub(crate) const RIGHT: Style = anstyle::AnsiColor::Green.on_default();

/// The style of a severity.
pub(crate) fn style(severity: Severity) -> Style {
    match severity {
        Severity::Mistake | Severity::Breaking => ERROR,
        Severity::Warning | Severity::Risky => WARNING,
        Severity::Compatible => RIGHT,
    }
}

/// The text in a style.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// `1 rule`, `2 rules`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{ending}")
}
