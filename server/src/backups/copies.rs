//! A directory of copies of contents, beside backups. A content has one copy there, however many backups name it, under its
//! name in the directory of files. With a key the copy is encrypted as a backup is, and its name ends with the id of the key
//! and `.encrypted`.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use codegen_store::files::{parent_directory, sync_directory};
use contract::support::FileDirectory;

use super::contents::{Content, Found};
use super::encryption::key_id;
use super::format::{BackupOutput, UnreadableBackup, decrypted};
use super::key::Key;

/// What the name of an encrypted copy ends with.
const ENCRYPTED: &str = ".encrypted";

/// A directory of copies.
pub(crate) struct Copies {
    directory: FileDirectory,
    key: Option<Key>,
    /// What the names of its copies end with.
    ending: String,
}

/// What became of a content that was to be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// It was copied.
    Copied,
    /// It has a copy.
    Known,
    /// It is not there.
    Gone,
    /// Something else is there.
    Differs,
}

impl Copies {
    /// Opens a directory of copies, which is made if it is missing.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(crate) fn open(root: &Path, key: Option<Key>) -> io::Result<Self> {
        let is_new = !root.exists();
        let directory = FileDirectory::open(root)?;
        if is_new {
            sync_directory(parent_directory(root))?;
        }
        Ok(Self::over(directory, key))
    }

    /// Opens one to read it.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn existing(root: &Path, key: Option<Key>) -> io::Result<Self> {
        Ok(Self::over(FileDirectory::existing(root)?, key))
    }

    fn over(directory: FileDirectory, key: Option<Key>) -> Self {
        let ending = key.as_ref().map(|key| format!(".{}{ENCRYPTED}", key_id(key)));
        let ending = ending.unwrap_or_default();
        Self { directory, key, ending }
    }

    fn path_of(&self, name: &str, ending: &str) -> io::Result<PathBuf> {
        let mut path = self.directory.path_of(name)?.into_os_string();
        path.push(ending);
        Ok(path.into())
    }

    /// Whether there is a copy of a content.
    ///
    /// # Errors
    /// If the name of the content is none.
    pub(super) fn has(&self, content: &Content) -> io::Result<bool> {
        Ok(self.path_of(&content.place, &self.ending)?.is_file())
    }

    /// Copies a content from a directory of files, if it is there and has no copy.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub(crate) fn take(&self, content: &Content, from: &FileDirectory) -> io::Result<Taken> {
        if self.has(content)? {
            return Ok(Taken::Known);
        }
        let original = match File::open(from.path_of(&content.place)?) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Taken::Gone),
            original => original?,
        };
        let (temporary, file) = self.directory.create()?;
        let mut out = BackupOutput::begin(file, self.key.as_ref())?;
        if !content.pass(original, &mut out)? {
            return Ok(Taken::Differs);
        }
        out.finish()?.sync_all()?;
        self.directory.keep_as(&temporary, &content.place, &self.ending)?;
        Ok(Taken::Copied)
    }

    /// Puts a content into a directory of files, unless it is there. A copy that is not encrypted is taken also if there is a
    /// key: the record states the digest.
    ///
    /// # Errors
    /// If it cannot be written. A copy that cannot be read is not the content.
    pub(crate) fn give(&self, content: &Content, to: &FileDirectory) -> io::Result<Found> {
        if content.look(to).is_ok_and(|found| found == Found::Whole) {
            return Ok(Found::Whole);
        }
        let sealed = self.key.as_ref().map(|key| (self.ending.as_str(), Some(key)));
        let mut found = Found::Nothing;
        for (ending, key) in sealed.into_iter().chain([("", None)]) {
            let Ok(copy) = File::open(self.path_of(&content.place, ending)?) else {
                continue;
            };
            if give(content, copy, key, to)? {
                return Ok(Found::Whole);
            }
            found = Found::Other;
        }
        Ok(found)
    }

    /// The names of all contents that have a copy.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub(super) fn names(&self) -> io::Result<Vec<String>> {
        let mut names = self.directory.names()?;
        for name in &mut names {
            let end = name.find('.').unwrap_or(name.len());
            name.truncate(end);
        }
        names.retain(|name| self.directory.path_of(name).is_ok());
        Ok(names)
    }

    /// Removes all copies of a content: with each key, and without.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        let path = self.directory.path_of(name)?;
        let of_content = |entry: &fs::DirEntry| {
            let found = entry.file_name();
            found.to_str().and_then(|found| found.split('.').next()) == Some(name)
        };
        let entries = fs::read_dir(path.parent().unwrap_or(&path))?;
        for entry in entries.flatten().filter(of_content) {
            fs::remove_file(entry.path())?;
        }
        Ok(())
    }

    /// Removes what interrupted copies have left, once it is an hour old.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub(super) fn sweep(&self) -> io::Result<()> {
        self.directory.sweep(0, |_| true).map(drop)
    }
}

/// Puts a content into a directory of files, if this copy has it. Returns whether it does.
fn give(content: &Content, copy: File, key: Option<&Key>, to: &FileDirectory) -> io::Result<bool> {
    let (temporary, mut file) = to.create()?;
    let mut out = Watched {
        out: &mut file,
        failed: None,
    };
    let passed = match key {
        None => content.pass(copy, &mut out),
        Some(key) => match decrypted(copy, key) {
            Ok(copy) => content.pass(copy, &mut out),
            Err(UnreadableBackup::WrongKey | UnreadableBackup::NotEncrypted) => Ok(false),
            Err(error) => Err(io::Error::new(ErrorKind::InvalidData, error)),
        },
    };
    if let Some(error) = out.failed {
        return Err(error);
    }
    if !passed.unwrap_or(false) {
        return Ok(false);
    }
    file.sync_all()?;
    to.keep_as(&temporary, &content.place, "")?;
    Ok(true)
}

/// Tells an error of the output from one of the input.
struct Watched<'o> {
    out: &'o mut File,
    failed: Option<io::Error>,
}

impl io::Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).map_err(|error| {
            let kind = error.kind();
            if kind != ErrorKind::Interrupted {
                self.failed = Some(error);
            }
            kind.into()
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use contract::FileId;

    use super::*;
    use crate::digest::Digest;

    /// A directory of files with one content, and a place for copies.
    struct Place {
        dir: tempfile::TempDir,
        files: FileDirectory,
        content: Content,
    }

    const TEXT: &str = "a photo of the shop";

    impl Place {
        fn new() -> Self {
            let dir = tempfile::tempdir().expect("a directory");
            let files = FileDirectory::open(&dir.path().join("files")).expect("a directory");
            let (temporary, _) = files.create().expect("a file");
            fs::write(temporary.path(), TEXT).expect("written");
            let content = serde_json::json!({
                "id": FileId::new(7), "place": files.keep(&temporary).expect("a name"), "bytes": TEXT.len(),
                "sha256": Digest::from_secret(TEXT).to_hex(),
            });
            let content = serde_json::from_value(content).expect("a content");
            Self { dir, files, content }
        }

        fn copies(&self, key: Option<&Key>) -> Copies {
            Copies::open(&self.dir.path().join("copies"), key.cloned()).expect("a directory")
        }

        /// The paths of all copies.
        fn paths(&self) -> Vec<PathBuf> {
            let copies = self.dir.path().join("copies").join(&self.content.place[..2]);
            let entries = fs::read_dir(copies).into_iter().flatten();
            entries.map(|entry| entry.expect("an entry").path()).collect()
        }

        /// What these copies give into an empty directory of files.
        fn given(&self, copies: &Copies) -> Found {
            let to = tempfile::tempdir().expect("a directory");
            let to = FileDirectory::open(&to.path().join("files")).expect("a directory");
            let found = copies.give(&self.content, &to).expect("it can be written");
            let is_there = to.path_of(&self.content.place).expect("a name").exists();
            assert_eq!(is_there, found == Found::Whole);
            assert_eq!(
                fs::read_dir(to.path().join("incoming")).expect("a directory").count(),
                0
            );
            found
        }
    }

    #[test]
    fn an_encrypted_copy_is_given_back_with_its_key_only() {
        let place = Place::new();
        let [key, other] = [(), ()].map(|()| Key::generate());
        let take = |key| {
            place
                .copies(key)
                .take(&place.content, &place.files)
                .expect("it can be written")
        };
        assert_eq!([take(Some(&key)), take(Some(&key))], [Taken::Copied, Taken::Known]);
        assert_eq!(place.given(&place.copies(Some(&key))), Found::Whole);
        let paths = place.paths();
        assert!(paths[0].to_string_lossy().ends_with(ENCRYPTED));
        assert!(!String::from_utf8_lossy(&fs::read(&paths[0]).expect("a copy")).contains("photo"));
        for without in [None, Some(&other)] {
            assert_eq!(place.given(&place.copies(without)), Found::Nothing);
        }
        // Backups with another key do not take the copies from those with this one.
        assert_eq!(take(Some(&other)), Taken::Copied);
        assert_eq!(place.given(&place.copies(Some(&key))), Found::Whole);
        assert_eq!(place.paths().len(), 2);
        assert_eq!(place.copies(None).names().expect("names").len(), 2);
        place.copies(None).remove(&place.content.place).expect("removed");
        assert_eq!(place.paths(), Vec::<PathBuf>::new());
        // The record states the digest, so a copy need not be encrypted.
        assert_eq!(take(None), Taken::Copied);
        assert_eq!(place.given(&place.copies(Some(&key))), Found::Whole);
    }

    #[test]
    fn a_damaged_copy_is_never_given_back() {
        for key in [None, Some(Key::generate())] {
            let place = Place::new();
            let copies = place.copies(key.as_ref());
            copies.take(&place.content, &place.files).expect("copied");
            let path = place.paths().remove(0);
            let whole = fs::read(&path).expect("a copy");
            for length in 0..whole.len() {
                fs::write(&path, &whole[..length]).expect("written");
                assert_eq!(place.given(&copies), Found::Other, "{length}");
            }
            fs::write(&path, [&whole[..], b"x"].concat()).expect("written");
            assert_eq!(place.given(&copies), Found::Other);
            fs::write(&path, &whole).expect("written");
            assert_eq!(place.given(&copies), Found::Whole);
        }
    }

    #[test]
    fn what_is_there_is_not_written_again_and_what_differs_is_replaced() {
        let place = Place::new();
        let copies = place.copies(None);
        copies.take(&place.content, &place.files).expect("copied");
        let path = place.files.path_of(&place.content.place).expect("a name");
        let inode = || fs::metadata(&path).expect("it is there").ino();
        let before = inode();
        assert_eq!(copies.give(&place.content, &place.files).expect("given"), Found::Whole);
        assert_eq!(inode(), before);
        fs::write(&path, b"half").expect("written");
        assert_eq!(copies.give(&place.content, &place.files).expect("given"), Found::Whole);
        assert_eq!(fs::read(&path).expect("it is there"), TEXT.as_bytes());
    }

    #[test]
    fn a_content_that_is_gone_or_differs_is_not_copied() {
        let place = Place::new();
        let take = || {
            place
                .copies(None)
                .take(&place.content, &place.files)
                .expect("it can be written")
        };
        let path = place.files.path_of(&place.content.place).expect("a name");
        fs::write(&path, b"another").expect("written");
        assert_eq!(take(), Taken::Differs);
        fs::remove_file(&path).expect("removed");
        assert_eq!(take(), Taken::Gone);
        assert_eq!(place.paths(), Vec::<PathBuf>::new());
    }
}
