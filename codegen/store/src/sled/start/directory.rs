//! The data directory: creates it and checks its path.

use std::fs::DirBuilder;
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use super::OpenFailure;
use crate::files::{is_open_to_others, sync_directory};

/// Finds the directory.
pub(super) fn find(path: &Path) -> Result<(), OpenFailure> {
    match path.metadata() {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(OpenFailure::NotADirectory(path.to_owned(), path.to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => {
            Err(OpenFailure::NoStore(path.to_owned()))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Err(OpenFailure::Dangling(path.to_owned())),
        Err(error) => Err(OpenFailure::io(path, error)),
    }
}

/// Finds or creates the directory. It is created for its owner only; missing parents are created for all.
pub(super) fn prepare(path: &Path) -> Result<(), OpenFailure> {
    if path.is_dir() {
        warn_if_readable_by_others(path);
        return Ok(());
    }
    if path.is_symlink() && !path.exists() {
        return Err(OpenFailure::Dangling(path.to_owned()));
    }
    // If a file is on the path, the system reports "not found" for one path and "not a directory" for the other.
    if let Some(other) = path.ancestors().find(|place| place.exists() && !place.is_dir()) {
        return Err(OpenFailure::NotADirectory(path.to_owned(), other.to_owned()));
    }
    create(path, 0o700, &mut |created| sync_directory(created)).map_err(|error| OpenFailure::io(path, error))
}

/// Creates the directory and its missing parents. Each is synced into its parent before the next is created, so that
/// an interrupted start leaves no directory that a later start wrongly takes for synced.
fn create(path: &Path, mode: u32, sync: &mut impl FnMut(&Path) -> io::Result<()>) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    create(parent, 0o777, sync)?;
    match DirBuilder::new().mode(mode).create(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => sync(parent),
    }
}

/// The permissions may be intended, so they stay as they are.
fn warn_if_readable_by_others(path: &Path) {
    if is_open_to_others(path) {
        let path = path.display();
        tracing::warn!("other users can read {path}: run `chmod 700` on it");
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::schema::HITODE;

    #[test]
    fn every_directory_that_is_made_is_synced_into_its_parent() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let mut synced = Vec::new();
        let mut sync = |path: &Path| {
            synced.push(path.to_owned());
            sync_directory(path)
        };
        create(&dir.path().join("a/b/c"), 0o700, &mut sync).expect("they are made");
        create(&dir.path().join("a/b/c"), 0o700, &mut sync).expect("they are there");
        assert_eq!(synced, ["", "a", "a/b"].map(|name| dir.path().join(name)));
    }

    #[test]
    fn only_the_data_directory_itself_is_private() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        prepare(&dir.path().join("a/b")).expect("they are made");
        let mode = |path: &str| fs::metadata(dir.path().join(path)).expect("there").permissions().mode() & 0o777;
        assert_eq!((mode("a/b"), mode("a") & 0o500), (0o700, 0o500));
        assert_ne!(mode("a"), 0o700);
    }

    #[test]
    fn a_relative_path_begins_here() {
        create(Path::new("."), 0o700, &mut |_| unreachable!("it is there")).expect("it is there");
        let file = Path::new("Cargo.toml/below");
        assert!(create(file, 0o700, &mut |_| Ok(())).is_err());
    }

    #[track_caller]
    fn rejected(path: &Path) -> String {
        let failure = prepare(path).expect_err("no directory");
        failure.in_words_of(&HITODE).to_string()
    }

    #[test]
    fn what_is_in_the_way_is_named() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        fs::write(&file, b"").expect("a file is written");
        std::os::unix::fs::symlink(dir.path().join("gone"), &link).expect("a link is made");
        assert!(rejected(&file).contains("file is not a directory;"));
        let below = rejected(&file.join("a/b"));
        assert!(
            below.contains("cannot create the data directory")
                && below.contains("a/b: ")
                && below.contains("file is not a directory;"),
            "{below}"
        );
        assert!(rejected(&link).contains("link is a link to a missing directory;"));
    }
}
