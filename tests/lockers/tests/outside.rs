//! Packages outside of this workspace, like those of users with a contract of their own. They share its build.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// This repository, with one name in all packages: cargo takes a crate under two paths for two crates.
pub(crate) const CLONE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The empty folder of such a package. A workspace around them has the versions and the profile of this one and is shared by
/// all of them, so that dependencies are built once.
pub(crate) fn package(name: &str) -> PathBuf {
    static WORKSPACE: OnceLock<PathBuf> = OnceLock::new();
    let package = WORKSPACE.get_or_init(workspace).join(name);
    fs::create_dir(&package).expect("the target directory can be written");
    package
}

fn workspace() -> PathBuf {
    let workspace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside");
    let _ = fs::remove_dir_all(&workspace);
    fs::create_dir_all(&workspace).expect("the target directory can be written");
    let clone = Path::new(CLONE);
    let ours = fs::read_to_string(clone.join("Cargo.toml")).expect("the workspace has a manifest");
    let mut profiles = ours.split("\n\n").filter(|section| section.starts_with("[profile.dev"));
    let first = profiles
        .next()
        .expect("the manifest has the profile in a section of its own");
    let profiles = profiles.fold(first.to_owned(), |all, one| format!("{all}\n\n{one}"));
    let manifest = format!("[workspace]\nmembers = [\"*\"]\nresolver = \"3\"\n\n{profiles}\n");
    fs::write(workspace.join("Cargo.toml"), manifest).expect("the target directory can be written");
    fs::copy(clone.join("Cargo.lock"), workspace.join("Cargo.lock")).expect("the workspace is locked");
    workspace
}

/// The target directory of this workspace. Cargo does not lock it while tests run.
pub(crate) fn target() -> &'static Path {
    let parent = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    parent.expect("it lies in the target directory")
}
