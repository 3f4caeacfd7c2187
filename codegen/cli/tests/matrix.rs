//! `tests/matrix.md`: how many probes cover which response of Hitode. It shows the published contract, so that an edit of
//! `api.yaml` does not change it. A response without a covering test is an error, as in the build of the lockers.
//!
//! `REWRITE=1 cargo test -p hitode-codegen-cli matrix` rewrites the page: read the difference before you commit it.
//! `PUBLISH=1`, which publishes the present contract, writes the page of that contract.

use super::published::{PUBLISHED, publish_on_demand, root};
use super::{BASE, command, run, text};
use std::fs;

const PAGE: &str = "tests/matrix.md";

#[test]
fn every_answer_is_shown_and_the_page_is_up_to_date() {
    publish_on_demand();
    let output = command(&["matrix", PUBLISHED]).current_dir(root()).output();
    let output = output.expect("it runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let (file, generated) = (root().join(PAGE), text(&output.stdout));
    if ["PUBLISH", "REWRITE"]
        .iter()
        .any(|variable| std::env::var_os(variable).is_some())
    {
        fs::write(&file, &generated).expect("it can be written");
    }
    let stored = fs::read_to_string(&file).unwrap_or_default();
    let mut lines = stored.lines().zip(generated.lines());
    let differs = lines.find(|(stored, generated)| stored != generated);
    assert!(
        stored == generated,
        "{PAGE} is not what `codegen matrix {PUBLISHED}` prints; REWRITE=1 writes it anew. First: {differs:#?}"
    );
}

#[test]
fn an_answer_without_a_probe_is_reported_with_its_positions() {
    let output = run(&["matrix", BASE]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains(" **none** |"));
    let message = text(&output.stderr);
    let first: Vec<&str> = message.lines().take(2).collect();
    let wanted = [
        "error: no probe can show `errors.slow` (../tests/ui/base.yaml:26:3): `reading::create_loan` \
         (../tests/ui/base.yaml:131:7) and 3 other operations can answer it, but no request can cause it",
        "  help: write a test that injects the cause, and name it there: `untestable: { reason: \"…\", test: NAME }`",
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
    assert!(page.starts_with("# What the probes of "), "{page}");
}
