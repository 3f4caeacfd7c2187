//! Which copies of contents no kept backup names, so that they can be removed. The newest backup says which it names; each
//! other copy is noted with the time of the last backup that may name it, and goes once that backup and all before it have
//! gone. Records of files are deleted for good, so no later backup names it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use codegen_store::files::replace_private;
use contract::Timestamp;
use serde::{Deserialize, Serialize};

/// The name of the file in the directory of copies.
const NAME: &str = "unnamed.json";

/// The copies that the newest backup does not name.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Unnamed {
    /// When the last backup was begun whose contents were all copied.
    pub(super) copied: Option<Timestamp>,
    /// The name of each copy, and when the last backup was begun that may name it. `None`: no kept backup does.
    unnamed: BTreeMap<String, Option<Timestamp>>,
    #[serde(skip)]
    path: PathBuf,
}

impl Unnamed {
    /// Reads what was noted in a directory of copies. If nothing was, all is noted anew, and copies stay longer.
    pub(super) fn read(root: &Path) -> Self {
        let path = root.join(NAME);
        let noted: Self = fs::read(&path)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        Self { path, ..noted }
    }

    /// Notes that all contents of the backup of time `at` were copied, and which of all `copies` it does not name. `kept` are
    /// the times of all kept backups.
    ///
    /// # Errors
    /// If that cannot be written.
    pub(super) fn note(
        &mut self,
        at: Timestamp,
        kept: &[Timestamp],
        copies: Vec<String>,
        is_named: impl Fn(&str) -> bool,
    ) -> io::Result<()> {
        // Not those that are later by the clock: it may have been ahead.
        let last = kept.iter().copied().filter(|other| *other != at).max();
        let former = std::mem::take(&mut self.unnamed);
        for name in copies.into_iter().filter(|name| !is_named(name)) {
            let last = former.get(&name).copied().unwrap_or(last);
            self.unnamed.insert(name, last);
        }
        self.copied = Some(at);
        self.write()
    }

    /// Removes each copy that none of the kept backups names, with `remove`. Returns how many.
    ///
    /// # Errors
    /// If one cannot be removed, or what is left cannot be noted.
    pub(super) fn remove(
        &mut self,
        kept: &[Timestamp],
        mut remove: impl FnMut(&str) -> io::Result<()>,
    ) -> io::Result<usize> {
        let oldest = kept.iter().min();
        let is_old = |last: &Option<Timestamp>| last.is_none_or(|last| oldest.is_none_or(|oldest| last < *oldest));
        let old: Vec<_> = self.unnamed.iter().filter(|(_, last)| is_old(last)).collect();
        let old: Vec<_> = old.into_iter().map(|(name, _)| name.clone()).collect();
        for name in &old {
            match remove(name) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => self.unnamed.remove(name),
            };
        }
        if !old.is_empty() {
            self.write()?;
        }
        Ok(old.len())
    }

    fn write(&self) -> io::Result<()> {
        replace_private(&self.path, &serde_json::to_string(self)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(unix: i64) -> Timestamp {
        Timestamp::from_unix(unix)
    }

    fn times(kept: &[i64]) -> Vec<Timestamp> {
        kept.iter().copied().map(at).collect()
    }

    /// A directory with these copies.
    struct Place {
        root: tempfile::TempDir,
        copies: Vec<&'static str>,
    }

    impl Place {
        /// A backup of this time names these, then only these are kept. Returns the copies that are left.
        fn back_up(&mut self, unix: i64, names: &[&'static str], kept: &[i64]) -> Vec<&'static str> {
            self.copies.extend(
                names
                    .iter()
                    .filter(|name| !self.copies.contains(name))
                    .collect::<Vec<_>>(),
            );
            let mut unnamed = Unnamed::read(self.root.path());
            let copies = self.copies.iter().map(|name| (*name).to_owned()).collect();
            let noted = unnamed.note(at(unix), &times(kept), copies, |name| names.contains(&name));
            noted.expect("it is written");
            let mut unnamed = Unnamed::read(self.root.path());
            assert_eq!(unnamed.copied, Some(at(unix)));
            let removed = unnamed.remove(&times(kept), |name| {
                self.copies.retain(|copy| *copy != name);
                Ok(())
            });
            removed.expect("it is written");
            self.copies.clone()
        }
    }

    fn place() -> Place {
        let root = tempfile::tempdir().expect("a directory");
        Place { root, copies: vec![] }
    }

    #[test]
    fn a_copy_stays_as_long_as_a_kept_backup_may_name_it() {
        let mut place = place();
        assert_eq!(place.back_up(10, &["a", "b"], &[10]), ["a", "b"]);
        assert_eq!(place.back_up(20, &["b", "c"], &[10, 20]), ["a", "b", "c"]);
        assert_eq!(place.back_up(30, &["c"], &[20, 30]), ["b", "c"]);
        assert_eq!(place.back_up(40, &["c"], &[20, 30, 40]), ["b", "c"]);
        assert_eq!(place.back_up(50, &["c"], &[30, 40, 50]), ["c"]);
        // All were removed by hand, or the first one is of another server.
        assert_eq!(place.back_up(60, &[], &[60]), Vec::<&str>::new());
    }

    #[test]
    fn a_copy_that_is_named_again_after_a_restore_is_no_longer_noted() {
        let mut place = place();
        place.back_up(10, &["a"], &[10]);
        place.back_up(20, &[], &[10, 20]);
        place.back_up(30, &["a"], &[10, 20, 30]);
        assert_eq!(place.back_up(40, &[], &[20, 30, 40]), ["a"]);
        assert_eq!(place.back_up(50, &[], &[30, 40, 50]), ["a"]);
        assert_eq!(place.back_up(60, &[], &[40, 50, 60]), Vec::<&str>::new());
    }

    #[test]
    fn a_clock_that_was_ahead_removes_nothing_that_is_named() {
        let mut place = place();
        place.back_up(1_000, &["a"], &[1_000]);
        // The clock is right again.
        for (unix, kept) in [(10, &[10, 1_000][..]), (20, &[10, 20, 1_000]), (30, &[20, 30, 1_000])] {
            assert_eq!(place.back_up(unix, &[], kept), ["a"]);
        }
        // The backup goes, and the others are older than its time.
        assert_eq!(place.back_up(40, &[], &[20, 30, 40]), ["a"]);
        assert_eq!(place.back_up(2_000, &[], &[2_000]), Vec::<&str>::new());
    }
}
