//! `codegen new`: what it makes, and what it rejects. That the service works is shown by the tutorial.

use super::{run, text};
use std::fs;
use std::path::{Path, PathBuf};

/// The output on standard error of a rejected call, which has made nothing.
#[track_caller]
fn rejected(folder: &Path, more: &[&str]) -> String {
    let path = folder.to_string_lossy();
    let output = run(&[&["new", &path], more].concat());
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    text(&output.stderr)
}

/// A new service in a folder of its own.
fn made(name: &str, more: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join(name);
    let path = folder.to_string_lossy().into_owned();
    let output = run(&[&["new", path.as_str()], more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains(&format!("cd {path} && cargo run")));
    (place, folder)
}

/// What looks like a clone.
fn clone_at(place: &Path, name: &str) -> String {
    let clone = place.join(name);
    fs::create_dir_all(clone.join("codegen/store")).expect("a folder");
    fs::write(clone.join("codegen/store/Cargo.toml"), "").expect("a file");
    clone.to_string_lossy().into_owned()
}

#[test]
fn a_new_service_has_a_valid_contract_of_its_name_and_finds_the_crates() {
    let (_place, folder) = made("deep/job-board", &[]);
    let contract = folder.join("api.yaml");
    let checked = run(&["check", &contract.to_string_lossy()]);
    assert!(
        text(&checked.stdout).ends_with("; valid\n"),
        "{}",
        text(&checked.stdout)
    );
    let written = fs::read_to_string(&contract).expect("a contract");
    assert!(written.contains("  name: job-board\n  title: Job board\n"), "{written}");
    let handlers = run(&["list", &contract.to_string_lossy(), "--handlers"]);
    assert!(
        !text(&handlers.stdout).contains("by hand"),
        "{}",
        text(&handlers.stdout)
    );
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    assert!(manifest.contains("name = \"job-board\""), "{manifest}");
    let paths = manifest
        .lines()
        .filter_map(|line| line.split_once("path = \"")?.1.split_once('"'));
    let paths: Vec<&str> = paths.map(|(path, _)| path).collect();
    assert_eq!(paths.len(), 3);
    for path in paths {
        assert!(folder.join(path).join("Cargo.toml").is_file(), "{path}");
    }
}

#[test]
fn crates_beside_the_service_are_found_by_a_relative_path_and_others_by_their_address() {
    let place = tempfile::tempdir().expect("a folder");
    let clone = clone_at(place.path(), "clone");
    let folder = place.path().join("notes");
    let path = folder.to_string_lossy();
    assert_eq!(run(&["new", &path, "--codegen", &clone]).status.code(), Some(0));
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    assert!(
        manifest.contains("{ path = \"../clone/codegen/store\", package"),
        "{manifest}"
    );

    let (_place, folder) = made("notes", &["--codegen", "https://example.com/hitode.git"]);
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    assert_eq!(
        manifest
            .matches("{ git = \"https://example.com/hitode.git\", package")
            .count(),
        3,
        "{manifest}"
    );
}

#[test]
fn a_folder_with_something_in_it_a_name_of_no_package_and_no_clone_are_rejected() {
    let place = tempfile::tempdir().expect("a folder");
    let of = |name: &str| place.path().join(name);
    for name in ["Notes", "9notes", "no tes", "nötes", "match", "test", "tokio"] {
        let error = rejected(&of(name), &[]);
        assert!(
            error.contains(&format!("`{name}` cannot be the name of a package")),
            "{error}"
        );
    }
    assert!(rejected(&of(".."), &[]).contains("/..` cannot be"));
    for nowhere in ["/nowhere", "git@example.com:hitode.git"] {
        let error = rejected(&of("notes"), &["--codegen", nowhere]);
        assert!(error.contains("has no codegen/store/Cargo.toml"), "{error}");
        assert!(error.contains("https:// or ssh://, with --codegen"), "{error}");
    }
    assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 0);

    fs::create_dir(of("notes")).expect("a folder");
    fs::write(of("notes").join("kept"), "mine").expect("a file");
    let error = rejected(&of("notes"), &[]);
    assert!(error.contains("is there and not empty: choose another name"), "{error}");
    assert_eq!(fs::read_dir(of("notes")).expect("a folder").count(), 1);
}

#[test]
fn a_copy_of_cargo_is_not_taken_for_a_clone() {
    let place = tempfile::tempdir().expect("a folder");
    let clone = clone_at(place.path(), "clone");
    fs::write(place.path().join("clone/.cargo-ok"), "").expect("a file");
    let error = rejected(&place.path().join("notes"), &["--codegen", &clone]);
    assert!(error.contains("is a copy of cargo's"), "{error}");
}

#[test]
fn a_quote_in_a_path_is_escaped() {
    let place = tempfile::tempdir().expect("a folder");
    let clone = clone_at(place.path(), "a\"b");
    let folder = place.path().join("notes");
    let path = folder.to_string_lossy();
    assert_eq!(run(&["new", &path, "--codegen", &clone]).status.code(), Some(0));
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    assert!(manifest.contains(r#"path = "../a\"b/codegen/store""#), "{manifest}");
}

#[test]
fn below_a_workspace_a_service_is_a_member_or_has_a_workspace_of_its_own() {
    let place = tempfile::tempdir().expect("a folder");
    let has_table = |name: &str, members: &str| {
        let workspace = place.path().join(name);
        fs::create_dir_all(&workspace).expect("a folder");
        fs::write(
            workspace.join("Cargo.toml"),
            format!("[workspace]\nmembers = [{members}]\n"),
        )
        .expect("a file");
        let folder = workspace.join("notes");
        let path = folder.to_string_lossy();
        assert_eq!(run(&["new", &path]).status.code(), Some(0));
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        manifest.ends_with("\n[workspace]\n")
    };
    assert!(has_table("without", ""));
    assert!(!has_table("with", "\"*\""));
    let (_place, folder) = made("notes", &[]);
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    assert!(!manifest.contains("[workspace]"), "{manifest}");
}
