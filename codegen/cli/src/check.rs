//! `codegen check`: reports all diagnostics of contracts.

use crate::input::{Input, first_rule, hint};
use crate::output::{ERROR, Output, RIGHT, Status, WARNING, counted, styled};
use codegen::Model;
use std::path::PathBuf;

pub(crate) fn run(files: &[PathBuf]) -> Output {
    let mut output = Output::default();
    let mut broken: Option<&str> = None;
    for file in files {
        match Input::read(file) {
            Err(message) => output.fail(&message),
            Ok(input) => broken = broken.or(check(&input, &mut output)),
        }
    }
    output.out.push_str(&hint(broken));
    output
}

/// Checks one contract; returns the first rule of its errors, or of its warnings.
fn check(input: &Input, output: &mut Output) -> Option<&'static str> {
    match codegen::compile_with_warnings(&input.text) {
        Ok((model, warnings)) => {
            let (name, contents, valid) = (&input.name, contents(&model), styled(RIGHT, "valid"));
            let counted = match warnings.len() {
                0 => String::new(),
                number => format!(", {}", styled(WARNING, &counted(number, "warning"))),
            };
            output.out.push_str(&input.draw(&warnings));
            output.out.push_str(&format!("{name}: {contents}; {valid}{counted}\n"));
            first_rule(&warnings)
        }
        Err(diagnostics) => {
            let verdict = styled(ERROR, &counted(diagnostics.len(), "error"));
            output.out.push_str(&input.draw(&diagnostics));
            output.out.push_str(&format!("{}: {verdict}\n", input.name));
            output.status = output.status.max(Status::Wrong);
            first_rule(&diagnostics)
        }
    }
}

fn contents(model: &Model) -> String {
    let operations = model.surfaces.iter().map(|surface| surface.operations.len()).sum();
    let counts = [
        counted(model.surfaces.len(), "surface"),
        counted(operations, "operation"),
        counted(model.resources.len(), "resource"),
        counted(model.errors.len(), "error response"),
    ];
    counts.join(", ")
}
