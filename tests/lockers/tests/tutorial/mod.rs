//! Runs the tutorial of `codegen/README.md`: its files are written, its patches applied, its commands run in a shell, and their
//! output is compared with the text.
//!
//! ```text
//! README ─ steps ─▶ project: a package of its own, outside of this workspace ─▶ what was printed ─▶ compared
//! ```
//!
//! Only the address differs: the server gets a free port.

mod project;
mod steps;

use project::Project;
use steps::{Step, steps};

const README: &str = include_str!("../../../../codegen/README.md");

#[test]
fn the_tutorial_gives_the_output_that_it_shows() {
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
