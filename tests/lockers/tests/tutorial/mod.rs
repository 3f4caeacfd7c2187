//! The tutorial of `codegen/README.md`, done as it stands there: its files are written, its patches applied, its commands
//! run in a shell, and what they print is what it says.
//!
//! ```text
//! README ─ steps ─▶ project: a package of its own, outside of this workspace ─▶ what was printed ─▶ compared
//! ```
//!
//! Only the address is another one: the server is given a port that is free.

mod project;
mod steps;

use project::Project;
use steps::{Step, steps};

const README: &str = include_str!("../../../../codegen/README.md");

#[test]
fn whoever_follows_the_tutorial_sees_what_it_says() {
    let steps = steps(README);
    assert!(steps.len() > 20, "the tutorial is read wrongly: {steps:#?}");
    let mut project = Project::new();
    for step in steps {
        match step {
            Step::File { path, text } => project.write(&path, &text),
            Step::Patch(text) => project.patch(&text),
            Step::Command { line, prints } => assert_eq!(project.run(&line), prints, "{line}"),
        }
    }
}
