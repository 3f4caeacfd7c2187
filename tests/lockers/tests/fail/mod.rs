//! The compiler's errors for a service that does not keep its contract: each file under `cases` is a program, and its comments
//! state the expected errors.
//!
//! ```text
//! cases/*.rs ─┬▶ expected: the comments
//!             └▶ build: one package of them all, one `cargo check` ─▶ what the compiler said ─▶ compared
//! ```
//!
//! `//~ CODE: text` expects an error with that code in its line and with `text` in its message, a label or a note; `//~|`
//! expects another one in the line of the comment before, `//~^` one in the line above. `{at SURFACE.OPERATION}` is replaced by
//! the position of an operation in the contract. Every error must be expected, and every expected one must occur.
//!
//! The comparison uses the compiler's JSON messages, because their rendering changes with its versions.

mod build;
mod expected;

use build::{CompileError, check};
use expected::{Expected, expected};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn cases() -> BTreeMap<String, PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fail/cases");
    let files = fs::read_dir(&folder).expect("the cases are there");
    let paths = files.map(|file| file.expect("a file").path());
    let rust = paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let named = rust.map(|path| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, path)
    });
    named.collect()
}

/// The differences between a case and its comments.
fn differences(name: &str, expected: &[Expected], errors: &[CompileError]) -> Vec<String> {
    let is_met = |one: &Expected| errors.iter().filter(|error| one.is(error)).count() == 1;
    let is_expected = |error: &CompileError| expected.iter().any(|one| one.is(error));
    let missing = expected.iter().filter(|one| !is_met(one));
    let unexpected = errors.iter().filter(|error| !is_expected(error));
    missing
        .map(|one| {
            format!(
                "{name}.rs:{}: this error does not come, or more than once: {one}",
                one.line
            )
        })
        .chain(unexpected.map(|error| format!("{name}.rs:{}: this error is not expected: {error}", error.line)))
        .collect()
}

#[test]
fn the_compiler_rejects_each_case_as_its_comments_say() {
    let cases = cases();
    let errors = check(&cases);
    let differences: Vec<String> = cases
        .iter()
        .flat_map(|(name, path)| {
            let source = fs::read_to_string(path).expect("a case is text");
            let errors = errors.get(name).map_or(&[][..], Vec::as_slice);
            differences(name, &expected(&source), errors)
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn missing_and_unexpected_errors_are_reported() {
    let error = |line: usize, text: &str| CompileError {
        line,
        code: "E1".to_owned(),
        text: text.to_owned(),
    };
    let expected = expected("//~ E1: one\n//~ E1: two");
    let found = |errors: &[CompileError]| differences("case", &expected, errors);
    assert!(found(&[error(1, "one and only"), error(2, "two")]).is_empty());
    assert_eq!(
        found(&[error(1, "one")]),
        ["case.rs:2: this error does not come, or more than once: E1: two"]
    );
    let third = [error(1, "one"), error(2, "two"), error(2, "three")];
    assert_eq!(found(&third), ["case.rs:2: this error is not expected: E1: three"]);
}
