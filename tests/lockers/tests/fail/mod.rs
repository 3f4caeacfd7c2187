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

use build::{Said, check};
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
fn differences(name: &str, expected: &[Expected], said: &[Said]) -> Vec<String> {
    let is_met = |one: &Expected| said.iter().filter(|said| one.is(said)).count() == 1;
    let is_expected = |said: &Said| expected.iter().any(|one| one.is(said));
    let missing = expected.iter().filter(|one| !is_met(one));
    let unexpected = said.iter().filter(|said| !is_expected(said));
    missing
        .map(|one| {
            format!(
                "{name}.rs:{}: this error does not come, or more than once: {one}",
                one.line
            )
        })
        .chain(unexpected.map(|said| format!("{name}.rs:{}: this error is not expected: {said}", said.line)))
        .collect()
}

#[test]
fn the_compiler_rejects_each_case_in_the_words_and_the_places_of_its_comments() {
    let cases = cases();
    let said = check(&cases);
    let differences: Vec<String> = cases
        .iter()
        .flat_map(|(name, path)| {
            let source = fs::read_to_string(path).expect("a case is text");
            let said = said.get(name).map_or(&[][..], Vec::as_slice);
            differences(name, &expected(&source), said)
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn what_does_not_come_and_what_nobody_expected_are_told() {
    let said = |line: usize, text: &str| Said {
        line,
        code: "E1".to_owned(),
        text: text.to_owned(),
    };
    let expected = expected("//~ E1: one\n//~ E1: two");
    let told = |said: &[Said]| differences("case", &expected, said);
    assert!(told(&[said(1, "one and only"), said(2, "two")]).is_empty());
    assert_eq!(
        told(&[said(1, "one")]),
        ["case.rs:2: this error does not come, or more than once: E1: two"]
    );
    let third = [said(1, "one"), said(2, "two"), said(2, "three")];
    assert_eq!(told(&third), ["case.rs:2: this error is not expected: E1: three"]);
}
