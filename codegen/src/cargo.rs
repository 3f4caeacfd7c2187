//! Functions for build scripts. They read a contract from a file, write generated code to `OUT_DIR`, and print errors
//! and warnings as those of cargo.

mod by_hand;
mod covered;
mod documents;

use crate::diagnostic::{self, Style};
use crate::{Diagnostic, Model, Options, compile_with_warnings, emit};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Writes the Rust code of the contract at `file`, a path relative to the package, to `OUT_DIR/contract.rs`. The crate
/// that includes it must depend on `codegen_support` under this name. Use [`generate`] for other output.
pub fn contract(file: &str) {
    let support = "codegen_support";
    generate(Path::new(file), file, "contract.rs", |model| {
        emit::rust(model, Options { file, support })
    });
}

/// The same with a store: the module `stored` has the records on disk, and a handler for each operation that the contract says
/// whole and that no source below `src` implements. The crate must also depend on `codegen_store` under this name.
pub fn stored_contract(file: &str) {
    let support = "codegen_support";
    stored_contract_of(Path::new(file), "contract.rs", Options { file, support });
}

/// Writes the handlers of the contract at `file` that follow from it, and the records that no source below `src` implements, to
/// `OUT_DIR/output`, for a service with a store of its own.
pub fn handlers_of(file: &Path, output: &str, options: Options<'_>, host: emit::Host<'_>) {
    let (store, by_hand, host) = ("codegen_store", &by_hand(), Some(host));
    // The build script of the crate of the contract prints its diagnostics.
    is_first(file);
    generate(file, options.file, output, |model| {
        emit::handlers_in_host(model, options, emit::Keeping { store, by_hand, host })
    });
}

/// Like [`stored_contract`], of the contract at `file`, written to `OUT_DIR/output`.
pub fn stored_contract_of(file: &Path, output: &str, options: Options<'_>) {
    let (store, by_hand) = ("codegen_store", &by_hand());
    generate(file, options.file, output, |model| {
        let host = None;
        emit::rust_with_store(model, options, emit::Keeping { store, by_hand, host })
    });
}

/// The traits that a source below `src` implements, if there is this folder.
fn by_hand() -> BTreeSet<String> {
    let sources = Path::new("src");
    if sources.exists() {
        println!("cargo::rerun-if-changed=src");
    }
    by_hand::traits(sources)
}

/// Reads the contract at `file`, and writes the output of `emit` to `OUT_DIR/output`. Prints each error
/// as a cargo error; cargo fails the build when the build script ends. `display_path` is the name of the file in messages.
pub fn generate(file: &Path, display_path: &str, output: &str, emit: impl FnOnce(&Model) -> String) {
    let result = understood(file, display_path).map(|model| write(output, &emit(&model)));
    if let Some(Err(messages)) = result {
        fail(&messages);
    }
}

/// Writes what a server of the contract at `file`, a path relative to the package, serves beside its surfaces: the
/// table `DOCUMENTS` as `OUT_DIR/documents.rs`, and the files that it includes. The crate that includes the table must
/// depend on `codegen_support` under this name, with its feature `documents`; the module of that name serves the table.
/// A surface whose base covers the path of a document causes a cargo warning.
pub fn documents(file: &str) {
    documents_of(Path::new(file), file);
}

/// Like [`documents`], with `display_path` as the name of the contract in messages.
pub fn documents_of(file: &Path, display_path: &str) {
    let result = understood(file, display_path).map(|model| {
        let files = crate::documents::files(&model);
        for warning in covered::warnings(&model, &files) {
            println!("cargo::warning={display_path}: {warning}");
        }
        let table = documents::write(
            &files,
            (display_path, "codegen_support", "pub static DOCUMENTS"),
            &folder()?,
        )?;
        write("documents.rs", &table)
    });
    if let Some(Err(messages)) = result {
        fail(&messages);
    }
}

/// Writes pages for people and the files that they load to `OUT_DIR/pages.rs`: the table `PAGES`, for
/// `codegen_support::documents::filter`. Each site is a folder, relative to the package, with a page `index.html`. It can
/// import `./contract.js`: the [facts](crate::documents::facts) of these surfaces of the contract at `file`.
pub fn sites(file: &Path, options: Options<'_>, sites: &[(&str, &[&str])]) {
    for (folder, _) in sites {
        println!("cargo::rerun-if-changed={folder}");
    }
    let result = understood(file, options.file).map(|model| {
        let mut files = Vec::new();
        for (folder, surfaces) in sites {
            let facts = crate::documents::facts(&model, surfaces);
            let site = crate::documents::site(Path::new(folder), facts);
            files.extend(site.map_err(|error| vec![format!("{folder}: {error}")])?);
        }
        let table = documents::write(
            &files,
            (options.file, options.support, "static PAGES"),
            &self::folder()?,
        )?;
        write("pages.rs", &table)
    });
    if let Some(Err(messages)) = result {
        fail(&messages);
    }
}

/// The contract at `file`. `None` if it has errors, which are then printed.
fn understood(file: &Path, display_path: &str) -> Option<Model> {
    println!("cargo::rerun-if-changed={}", file.display());
    let understood = match std::fs::read_to_string(file) {
        Err(error) => Err(vec![format!("cannot read the contract {}: {error}", file.display())]),
        Ok(source) => {
            // Cargo removes the colours if its output is not a terminal.
            let draw =
                |diagnostics: &[Diagnostic]| diagnostic::draw(diagnostics, display_path, &source, Style::Coloured);
            match compile_with_warnings(&source) {
                Ok((model, warnings)) => Ok((model, draw(&warnings))),
                Err(errors) => Err(draw(&errors)),
            }
        }
    };
    if is_first(file) {
        match &understood {
            Ok((_, warnings)) => print("warning", warnings),
            Err(errors) => print("error", errors),
        }
    }
    understood.ok().map(|(model, _)| model)
}

/// Whether no diagnostics of this file have been printed: a build script may generate several outputs from it.
fn is_first(file: &Path) -> bool {
    static ANNOUNCED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut announced = ANNOUNCED.lock().unwrap_or_else(PoisonError::into_inner);
    announced.insert(file.to_owned())
}

fn folder() -> Result<PathBuf, Vec<String>> {
    let folder = std::env::var_os("OUT_DIR").map(PathBuf::from);
    folder.ok_or_else(|| vec!["OUT_DIR is not set: this is for build scripts".to_owned()])
}

fn write(output: &str, code: &str) -> Result<(), Vec<String>> {
    let path = folder()?.join(output);
    std::fs::write(&path, code).map_err(|error| vec![format!("cannot write {}: {error}", path.display())])
}

/// Prints errors and lets the build script continue: if it failed, cargo would print them twice.
fn fail(messages: &[String]) {
    print("error", messages);
}

/// Prints messages in the form in which cargo takes them.
fn print(level: &str, messages: &[String]) {
    for message in messages {
        for line in message.lines() {
            println!("cargo::{level}={line}");
        }
        println!("cargo::{level}=");
    }
}
