//! For build scripts: a contract's file in, generated code in `OUT_DIR`, mistakes as cargo errors.

mod covered;
mod documents;

use crate::diagnostic::{self, Style};
use crate::{Model, Options, compile, emit};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

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
    let made = understood(file, shown).map(|model| emit(&model).and_then(|code| write(output, &code)));
    if let Some(Err(messages)) = made {
        fail(&messages);
    }
}

/// What a server of the contract at `file`, a path from the package's folder, serves beside its surfaces: the table
/// `DOCUMENTS`, as `OUT_DIR/documents.rs`, with all that it needs beside it. The crate that includes it depends on
/// `codegen_support` under this name, with its feature `documents`, whose module of this name serves the table. A surface
/// that answers for the path of a document is told as a cargo warning.
pub fn documents(file: &str) {
    documents_of(Path::new(file), file);
}

/// [`documents`] of a contract that messages call `shown`.
pub fn documents_of(file: &Path, shown: &str) {
    let written = understood(file, shown).map(|model| {
        let files = crate::documents::files(&model);
        for warning in covered::warnings(&model, &files) {
            println!("cargo::warning={shown}: {warning}");
        }
        let table = documents::written(&files, shown, &folder()?)?;
        write("documents.rs", &table)
    });
    if let Some(Err(messages)) = written {
        fail(&messages);
    }
}

/// The contract at `file`; nothing where it has mistakes, which are then told.
fn understood(file: &Path, shown: &str) -> Option<Model> {
    println!("cargo::rerun-if-changed={}", file.display());
    let understood = match std::fs::read_to_string(file) {
        Err(error) => Err(vec![format!("cannot read the contract {}: {error}", file.display())]),
        // Cargo takes the colours out again where it does not write to a terminal, and knows what it was told of them.
        Ok(source) => {
            compile(&source).map_err(|diagnostics| diagnostic::draw(&diagnostics, shown, &source, Style::Coloured))
        }
    };
    if let Err(messages) = &understood
        && is_first_failure(file)
    {
        fail(messages);
    }
    understood.ok()
}

/// Whether nothing has been told of this file: a build script may make several things of it.
fn is_first_failure(file: &Path) -> bool {
    static TOLD: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    told.insert(file.to_owned())
}

fn folder() -> Result<PathBuf, Vec<String>> {
    let folder = std::env::var_os("OUT_DIR").map(PathBuf::from);
    folder.ok_or_else(|| vec!["OUT_DIR is not set: this is for build scripts".to_owned()])
}

fn write(output: &str, code: &str) -> Result<(), Vec<String>> {
    let path = folder()?.join(output);
    std::fs::write(&path, code).map_err(|error| vec![format!("cannot write {}: {error}", path.display())])
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
