//! For build scripts: a contract's file in, generated code in `OUT_DIR`, mistakes as cargo errors.

use crate::report::{self, Style};
use crate::{Model, Options, emit, understand};
use std::path::Path;

/// All that most build scripts need: the Rust of the contract at `file`, a path from the package's folder, as
/// `OUT_DIR/contract.rs`. The crate that includes it depends on `codegen_support` under this name. [`generate`] leaves
/// all of this to the caller.
pub fn contract(file: &str) {
    let support = "codegen_support";
    generate(Path::new(file), file, "contract.rs", |model| {
        Ok(emit::rust(model, Options { file, support }))
    });
}

/// Reads the contract at `file` and writes what `emit` makes of it to `OUT_DIR/output`. Prints every mistake, and all that
/// `emit` finds wrong, as a cargo error, of which cargo ends the build when the build script has ended. `shown` is what the
/// file is called in messages.
pub fn generate(file: &Path, shown: &str, output: &str, emit: impl FnOnce(&Model) -> Result<String, Vec<String>>) {
    println!("cargo::rerun-if-changed={}", file.display());
    match std::fs::read_to_string(file) {
        Err(error) => fail(&[format!("cannot read the contract {}: {error}", file.display())]),
        Ok(source) => match understand(&source) {
            // Cargo takes the colours out again where it does not write to a terminal, and knows what it was told of them.
            Err(reports) => fail(&report::draw(&reports, shown, &source, Style::Coloured)),
            Ok(model) => match emit(&model) {
                Ok(code) => write(output, &code),
                Err(messages) => fail(&messages),
            },
        },
    }
}

fn write(output: &str, code: &str) {
    let Some(folder) = std::env::var_os("OUT_DIR") else {
        return fail(&["OUT_DIR is not set: this is for build scripts".to_owned()]);
    };
    let path = Path::new(&folder).join(output);
    if let Err(error) = std::fs::write(&path, code) {
        fail(&[format!("cannot write {}: {error}", path.display())]);
    }
}

/// The build script goes on: if it ended with a failure, cargo would show all of this twice.
fn fail(messages: &[String]) {
    for message in messages {
        for line in message.lines() {
            println!("cargo::error={line}");
        }
        println!("cargo::error=");
    }
}
