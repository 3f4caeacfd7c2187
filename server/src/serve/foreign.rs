//! Refuses a data directory that holds files of something else: a store among them, after a mistake in `--data`, would be
//! hard to take apart.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;

use codegen_store::{OpenError, OpenFailure};

use super::flags::Serve;
use super::greeting;
use crate::demo;
use crate::erased;
use crate::operator_token;
use crate::store::tables::rejected;

/// The directory for recovered files that many file systems have at their root.
const LOST_AND_FOUND: &str = "lost+found";

/// Fails if a store would be created beside files that are not its own. A directory that has a store already may hold
/// anything.
///
/// # Errors
/// The name of one such file.
pub(super) fn check(options: &Serve) -> Result<(), OpenError> {
    let data = &options.data;
    // Opening the store states why it cannot be read.
    let Ok(entries) = fs::read_dir(data) else {
        return Ok(());
    };
    // So it does if they can be listed and not read.
    let may_not_read = |error: io::Error| error.kind() == io::ErrorKind::PermissionDenied;
    if codegen_store::has_store(data) || fs::metadata(data.join(".")).is_err_and(may_not_read) {
        return Ok(());
    }
    let of_flags = [&options.backup_dir, &options.backup_key_file];
    let is_of_flags = |path: &Path| of_flags.into_iter().flatten().any(|own| is_same(own, path));
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    let foreign: Option<OsString> = names
        .filter(|name| !is_own(&name.to_string_lossy()) && !is_of_flags(&data.join(name)))
        .min();
    match foreign {
        Some(name) => Err(rejected(OpenFailure::Foreign(data.clone(), name))),
        None => Ok(()),
    }
}

fn is_own(name: &str) -> bool {
    let files = [
        operator_token::NAME,
        erased::NAME,
        greeting::CREDENTIALS,
        demo::UNFINISHED,
        LOST_AND_FOUND,
    ];
    codegen_store::is_entry(name) || files.contains(&name.strip_suffix(codegen_store::files::DRAFT).unwrap_or(name))
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        serve: Serve,
    }

    /// The entry that is named, of a directory with these; names that end with a slash are directories.
    #[track_caller]
    fn named(entries: &[&str], flags: &[&str]) -> Option<String> {
        let data = tempfile::tempdir().expect("a directory");
        for entry in entries {
            match entry.strip_suffix('/') {
                Some(name) => fs::create_dir(data.path().join(name)).expect("a directory"),
                None => fs::write(data.path().join(entry), "x").expect("a file"),
            }
        }
        let place = data.path().to_str().expect("text");
        let flags = flags.iter().map(|flag| flag.replace("DATA", place));
        let line = ["serve".to_owned(), format!("--data={place}")].into_iter().chain(flags);
        match check(&Line::parse_from(line).serve) {
            Err(error) => match error.failure() {
                OpenFailure::Foreign(_, name) => Some(name.to_string_lossy().into_owned()),
                other => panic!("{other:?}"),
            },
            other => other.map(|()| None).expect("no other error"),
        }
    }

    #[test]
    fn files_of_something_else_are_named() {
        assert_eq!(named(&["photo.jpg", "notes.txt"], &[]).as_deref(), Some("notes.txt"));
        assert_eq!(named(&["operator-token", ".ssh/"], &[]).as_deref(), Some(".ssh"));
        assert_eq!(named(&["backups/"], &[]).as_deref(), Some("backups"));
        assert_eq!(named(&["db", "conf", "PG_VERSION"], &[]).as_deref(), Some("PG_VERSION"));
    }

    #[test]
    fn what_belongs_there_is_not() {
        for entries in [
            &[][..],
            &["lost+found/"],
            &[
                "operator-token",
                "operator-token.new",
                "demo-credentials",
                "demo-unfinished",
            ],
            &["db", "conf", "lock", "snap.00000001", "blobs/"],
            &["db", "complete", "notes.txt"],
            &["not-empty", "notes.txt"],
            &["copy/", "notes.txt"],
        ] {
            assert_eq!(named(entries, &[]), None, "{entries:?}");
        }
        let flags = ["--backup-dir=DATA/backups", "--backup-key-file=DATA/key"];
        assert_eq!(named(&["backups/", "key"], &flags), None);
    }
}
