//! Which test shows which answer: the page of each of our contracts is kept beside its tests, and an answer that nothing
//! shows is an error.
//!
//! `REWRITE=1 cargo test -p hitode-codegen-cli matrix` writes the pages anew: read the difference before you commit it.

use super::{BASE, command, run, text};
use std::fs;
use std::path::Path;

/// Contracts, and where their pages are kept.
const PAGES: [(&str, &str); 2] = [
    ("api.yaml", "tests/matrix.md"),
    ("tests/lockers/api.yaml", "tests/lockers/matrix.md"),
];

#[test]
fn every_answer_is_shown_and_the_pages_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (contract, page) in PAGES {
        let output = command(&["matrix", contract]).current_dir(&root).output();
        let output = output.expect("it runs");
        assert!(output.status.success(), "{}", text(&output.stderr));
        let (file, written) = (root.join(page), text(&output.stdout));
        if std::env::var_os("REWRITE").is_some() {
            fs::write(&file, &written).expect("it can be written");
        }
        let kept = fs::read_to_string(&file).unwrap_or_default();
        let mut lines = kept.lines().zip(written.lines());
        let differs = lines.find(|(kept, written)| kept != written);
        assert!(
            kept == written,
            "{page} is not what `codegen matrix {contract}` prints; REWRITE=1 writes it anew. First: {differs:#?}"
        );
    }
}

#[test]
fn an_answer_that_no_test_shows_is_told_with_its_places() {
    let output = run(&["matrix", BASE]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains(" **none** |"));
    let told = text(&output.stderr);
    let first: Vec<&str> = told.lines().take(2).collect();
    let wanted = [
        "error: no generated test can show `errors.slow` (../tests/mistakes/base.yaml:26:3): `reading::create_loan` \
         (../tests/mistakes/base.yaml:131:7) and 3 other operations can answer it, but no request brings it about",
        "  help: write a test that injects the fault, and name it there: `untestable: { reason: \"…\", test: NAME }`",
    ];
    assert_eq!(first, wanted);
}

#[test]
fn a_page_is_written_to_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("matrix.md");
    let output = run(&["matrix", BASE, "--output", &file.to_string_lossy()]);
    assert!(output.stdout.is_empty());
    let page = fs::read_to_string(&file).expect("it is written");
    assert!(page.starts_with("# What the conformance suite of "), "{page}");
}
