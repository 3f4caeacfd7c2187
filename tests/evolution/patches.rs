//! The patches of the benchmark `evolution`: they apply to the present files, and the counts in tests/README.md are right.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn patches() -> Vec<PathBuf> {
    let files = fs::read_dir(root().join("tests/benches/evolution")).expect("the patches are there");
    files.map(|file| file.expect("a file").path()).collect()
}

/// The output of `git apply` for a patch, which must apply.
#[track_caller]
fn apply(flag: &str, patch: &Path) -> String {
    let mut git = Command::new("git");
    let output = git.args(["apply", flag]).arg(patch).current_dir(root()).output();
    let output = output.expect("git is there");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "make this patch anew: {}: {complaint}",
        patch.display()
    );
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn each_edit_that_is_measured_fits_the_files_as_they_stand() {
    assert_eq!(patches().len(), 5);
    for patch in patches() {
        apply("--check", &patch);
    }
}

#[test]
fn the_readme_counts_the_files_and_the_lines_of_each_edit() {
    let readme = fs::read_to_string(root().join("tests/README.md")).expect("a README");
    for patch in patches() {
        let counted = apply("--numstat", &patch);
        let files: Vec<Vec<&str>> = counted.lines().map(|line| line.split('\t').collect()).collect();
        let lines = |column: usize| -> u32 {
            let numbers = files.iter().map(|file| file[column].parse::<u32>().expect("a number"));
            numbers.sum()
        };
        let name = patch.file_stem().expect("a name").to_string_lossy().replace('_', " ");
        let line = format!("| {name} | {} | +{} −{} |", files.len(), lines(0), lines(1));
        assert!(readme.contains(&line), "tests/README.md lacks {line}");
    }
}
