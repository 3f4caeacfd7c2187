//! Reads contracts from files and from standard input.

use crate::output::{Output, STRONG, Status, styled};
use codegen::{Diagnostic, MAX_BYTES, Model, diagnostic};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The text of a contract.
pub(crate) struct Input {
    /// Its name in diagnostics.
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Input {
    /// Reads a file, or standard input for the name `-`.
    ///
    /// # Errors
    /// One line: why the input cannot be read, and what to do.
    pub(crate) fn read(file: &Path) -> Result<Self, String> {
        let is_standard = file == Path::new("-");
        let name = if is_standard {
            "<stdin>".to_owned()
        } else {
            file.display().to_string()
        };
        let bytes = if is_standard {
            bytes_of(io::stdin())
        } else {
            File::open(file).and_then(bytes_of)
        };
        let bytes = bytes.map_err(|error| format!("cannot read {name}: {}", reason(file, &error)))?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Input { name, text }),
            Err(error) => {
                let place = error.utf8_error().valid_up_to() + 1;
                Err(format!("cannot read {name}: byte {place} is not valid UTF-8"))
            }
        }
    }

    /// Compiles the contract.
    ///
    /// # Errors
    /// The rendered diagnostics, for standard error.
    pub(crate) fn compile(&self) -> Result<Model, Output> {
        self.compile_with_warnings().map(|(model, _)| model)
    }

    /// Like [`Self::compile`], with the rendered warnings.
    ///
    /// # Errors
    /// As [`Self::compile`].
    pub(crate) fn compile_with_warnings(&self) -> Result<(Model, String), Output> {
        let compiled = codegen::compile_with_warnings(&self.text);
        let compiled = compiled.map(|(model, warnings)| (model, self.draw(&warnings)));
        compiled.map_err(|diagnostics| Output {
            out: String::new(),
            err: format!("{}{}", self.draw(&diagnostics), hint(first_rule(&diagnostics))),
            status: Status::Wrong,
        })
    }

    /// The rendered diagnostics, each followed by a blank line.
    pub(crate) fn draw(&self, diagnostics: &[Diagnostic]) -> String {
        let drawn = diagnostic::draw(diagnostics, &self.name, &self.text, diagnostic::Style::Coloured);
        drawn.iter().map(|diagnostic| format!("{diagnostic}\n")).collect()
    }
}

fn bytes_of(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // An unintended input, such as a device, may be endless.
    source.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_BYTES {
        let message = format!("it has more than {MAX_BYTES} bytes, the maximum for a contract");
        return Err(io::Error::other(message));
    }
    Ok(bytes)
}

fn reason(file: &Path, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "file not found".to_owned(),
        ErrorKind::IsADirectory => {
            format!(
                "it is a directory: name a file, such as {}",
                file.join("api.yaml").display()
            )
        }
        _ => error.to_string(),
    }
}

/// The first broken rule in the file.
pub(crate) fn first_rule(diagnostics: &[Diagnostic]) -> Option<&'static str> {
    let first = diagnostics.iter().min_by_key(|diagnostic| diagnostic.at);
    first.map(|diagnostic| diagnostic.rule.name())
}

/// A hint where to read more about a rule: the last line of a run.
pub(crate) fn hint(rule: Option<&str>) -> String {
    let command = |rule| styled(STRONG, &format!("codegen explain {rule}"));
    rule.map_or_else(String::new, |rule| {
        format!("To learn more about a rule, run for example `{}`.\n", command(rule))
    })
}
