//! Mistakes in a contract and what is said of them.
//!
//! A case is two files in `ui/`: the mistake and the reports that it makes. `NAME.diff` changes `base.yaml`: hunks,
//! with a blank line between, of lines that stay (` `), go (`-`) and come (`+`); what stays and goes stands in the base
//! exactly once. `NAME.yaml` is a whole contract. `NAME.txt` are the reports.
//! `REWRITE=1 cargo test -p hitode-codegen ui::` writes them anew: read the difference before you commit it.

use codegen::report::Style;
use std::fs;
use std::path::{Path, PathBuf};

const NONE: &str = "no mistake\n";

#[test]
fn every_mistake_is_reported_as_expected() {
    check(cases(), |case| Ok(reported(&contract(case))));
}

/// Compares what is said of each case with what is expected, or writes it there; an error is of a case that is none.
#[track_caller]
pub(crate) fn check(cases: Vec<PathBuf>, said: impl Fn(&Path) -> Result<String, String>) {
    let rewrite = std::env::var_os("REWRITE").is_some();
    let mut wrong = Vec::new();
    for case in cases {
        let expected = case.with_extension("txt");
        match said(&case) {
            Ok(said) if rewrite => fs::write(&expected, said).expect("the case can be written"),
            Ok(said) if fs::read_to_string(&expected).unwrap_or_default() == said => {}
            Ok(text) | Err(text) => wrong.push(format!("--- {}\n{text}", case.display())),
        }
    }
    assert!(wrong.is_empty(), "not as expected:\n{}", wrong.join("\n"));
}

#[test]
fn only_cases_without_a_mistake_are_silent() {
    for case in cases() {
        let is_meant = case
            .file_stem()
            .is_some_and(|name| name.to_string_lossy().starts_with("fine-"));
        let is_silent = reported(&contract(&case)) == NONE;
        let is_base = case.ends_with("base.yaml");
        assert_eq!(is_silent, is_meant || is_base, "{}", case.display());
    }
}

#[test]
fn colours_change_nothing_but_colours() {
    for case in cases() {
        let contract = contract(&case);
        let Err(reports) = codegen::read::understand(&contract) else {
            continue;
        };
        let drawn = |style| codegen::report::draw(&reports, "api.yaml", &contract, style).join("\n");
        let coloured = drawn(Style::Coloured);
        assert_ne!(coloured, drawn(Style::Plain));
        assert_eq!(without_colours(&coloured), drawn(Style::Plain), "{}", case.display());
    }
}

fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.split_once('m').map_or(part, |(_, rest)| rest)
    })
}

#[test]
fn every_expectation_has_a_case() {
    for file in files("ui", "txt") {
        let has_case = file.with_extension("diff").exists() || file.with_extension("yaml").exists();
        assert!(has_case, "{} belongs to no case", file.display());
    }
}

pub(crate) fn cases() -> Vec<PathBuf> {
    [files("ui", "diff"), files("ui", "yaml")].concat()
}

/// The files of an extension in a folder of cases, in order.
pub(crate) fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = fs::read_dir(folder).expect("the folder is there");
    let entries = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut files: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|own| own == extension))
        .collect();
    files.sort();
    files
}

pub(crate) fn contract(case: &Path) -> String {
    let text = fs::read_to_string(case).expect("the case can be read");
    if case.extension().is_some_and(|extension| extension == "yaml") {
        return text;
    }
    let base = fs::read_to_string(case.with_file_name("base.yaml")).expect("the base can be read");
    patched(&base, &text, case)
}

/// The contract with the hunks of a difference; `case` is who wrote it.
pub(crate) fn patched(contract: &str, hunks: &str, case: &Path) -> String {
    let hunks = hunks.split("\n\n");
    hunks.fold(contract.to_owned(), |contract, hunk| with_hunk(&contract, hunk, case))
}

fn with_hunk(contract: &str, hunk: &str, case: &Path) -> String {
    let side = |without: char| -> String {
        let lines = hunk.lines().filter(|line| !line.starts_with(without));
        lines.map(|line| format!("{}\n", &line[1..])).collect()
    };
    let (old, new) = (side('+'), side('-'));
    assert_eq!(
        contract.matches(&old).count(),
        1,
        "{}: not once in the base:\n{old}",
        case.display()
    );
    contract.replacen(&old, &new, 1)
}

fn reported(contract: &str) -> String {
    match codegen::read::understand(contract) {
        Ok(_) => NONE.to_owned(),
        Err(reports) => codegen::report::render(&reports, "api.yaml", contract).join("\n"),
    }
}
