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

/// Commands with these parts are not for the mock: it needs no build, knows no rule of a handler, and words differently which
/// variants of a document there are.
const OF_THE_SERVER: [&str; 3] = ["cargo build", "Tea?", "surface=bord"];

#[test]
fn the_tutorial_gives_the_output_that_it_shows() {
    let steps = steps(README);
    assert!(steps.len() > 35, "the tutorial is read wrongly: {steps:#?}");
    let mut project = Project::beside_clone();
    for step in steps {
        match step {
            Step::File { path, text } => project.write(&path, &text),
            Step::Patch(text) => project.patch(&text),
            Step::Command { line, prints } => assert_eq!(project.run(&line), prints, "{line}"),
        }
    }
}

#[test]
fn the_mock_gives_the_same_output() {
    let mut project = Project::alone();
    let mut compared = 0;
    for step in steps(README) {
        match step {
            Step::File { path, text } => project.write(&path, &text),
            Step::Patch(text) => project.patch(&text),
            Step::Command { line, prints } if line.ends_with("cargo run") => {
                // What is no start shows how the server reads its disk.
                if prints.starts_with("http") {
                    project.mock();
                }
            }
            Step::Command { line, .. } if OF_THE_SERVER.iter().any(|part| line.contains(part)) => {}
            Step::Command { line, prints } => {
                compared += 1;
                assert_eq!(project.run(&line), prints, "{line}");
            }
        }
    }
    assert!(compared > 10, "{compared}");
}
