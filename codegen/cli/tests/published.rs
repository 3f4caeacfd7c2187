//! Compares `api.yaml` with the published contract, so that no promise to clients is broken by accident.
//!
//! An intended breaking change is a line in `published/allowed`. When clients know of all changes, `PUBLISH=1 cargo
//! test -p hitode-codegen-cli` publishes the present contract and removes the allowances that are no longer needed.

use super::{command, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

const CONTRACT: &str = "api.yaml";
pub(crate) const PUBLISHED: &str = "codegen/tests/published/api.yaml";
const ALLOWED: &str = "codegen/tests/published/allowed";

/// The comment above the published contract.
const HEADER: &str = "\
# What clients were last promised: api.yaml as it was then. A change of api.yaml that breaks it fails the tests, unless a line
# in `allowed`, beside this file, allows it. Do not edit it. When clients have been told of all changes, make the present
# api.yaml the published one: PUBLISH=1 cargo test -p hitode-codegen-cli

";

#[test]
fn what_was_published_is_kept_or_broken_on_purpose() {
    publish_on_demand();
    let output = command(&["diff", PUBLISHED, CONTRACT, "--allow-file", ALLOWED])
        .current_dir(root())
        .output()
        .expect("it runs");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    let todo = format!("allow intended changes in {ALLOWED}, as `RULE@PATH: REASON`");
    assert!(output.status.success(), "\n{out}{err}\n{todo}\n");
}

/// Publishes the present contract if `PUBLISH` is set, once for all tests.
pub(crate) fn publish_on_demand() {
    static PUBLISHED_NOW: Once = Once::new();
    if std::env::var_os("PUBLISH").is_some() {
        PUBLISHED_NOW.call_once(publish);
    }
}

fn publish() {
    let contract = fs::read_to_string(root().join(CONTRACT)).expect("it is there");
    fs::write(root().join(PUBLISHED), format!("{HEADER}{contract}")).expect("it can be written");
    let allowed = fs::read_to_string(root().join(ALLOWED)).expect("it is there");
    let comments = allowed.lines().filter(|line| line.starts_with('#'));
    let comments: String = comments.map(|line| format!("{line}\n")).collect();
    fs::write(root().join(ALLOWED), comments).expect("it can be written");
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
