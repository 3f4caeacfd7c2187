//! Packages that are none of this workspace, as those who have a contract of their own have one: built by cargo beside
//! what looks like a clone of this repository, and sharing what is built of it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// What the repository is called there.
pub(crate) const CLONE: &str = "hitode";

/// The folder of such a package, empty at first; the repository is its neighbour, under the name of [`CLONE`]. Around them
/// is a workspace, which has the versions and the profile of this one: one for all of them, so that what they need of the
/// repository is built once.
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
    let clone = workspace.join(CLONE);
    symlink(REPOSITORY, &clone).expect("the target directory can be written");
    let ours = fs::read_to_string(clone.join("Cargo.toml")).expect("the workspace has a manifest");
    let mut profiles = ours.split("\n\n").filter(|section| section.starts_with("[profile.dev"));
    let first = profiles
        .next()
        .expect("the manifest has the profile in a section of its own");
    let profiles = profiles.fold(first.to_owned(), |all, one| format!("{all}\n\n{one}"));
    let manifest = format!("[workspace]\nmembers = [\"*\"]\nexclude = [{CLONE:?}]\nresolver = \"3\"\n\n{profiles}\n");
    fs::write(workspace.join("Cargo.toml"), manifest).expect("the target directory can be written");
    fs::copy(clone.join("Cargo.lock"), workspace.join("Cargo.lock")).expect("the workspace is locked");
    workspace
}

/// The target directory of this workspace. Cargo does not hold it while tests run.
pub(crate) fn target() -> &'static Path {
    let parent = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    parent.expect("it lies in the target directory")
}
