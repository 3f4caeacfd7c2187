//! The key of encrypted backups, in a file: a line with 32 random bytes in base64.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use codegen_store::files::{self, parent_directory, sync_directory};
use ring::rand::{SecureRandom, SystemRandom};
use thiserror::Error;

/// What the line begins with.
const PREFIX: &str = "hitode-backup-key:";

/// Far more than a key file has.
const MAX_BYTES: u64 = 1 << 10;

/// The key of encrypted backups. Its `Debug` form hides it.
#[derive(Clone)]
pub struct Key([u8; 32]);

/// A key, and the file that it is from.
#[derive(Clone, Debug)]
pub(crate) struct KeyFile {
    /// The key.
    pub(crate) key: Key,
    /// The file.
    pub(crate) path: PathBuf,
}

/// Why there is no key.
#[derive(Debug, Error)]
pub enum KeyError {
    /// The file cannot be read.
    #[error("cannot read the key file {}: {}", .0.display(), .1)]
    Unreadable(PathBuf, io::Error),
    /// It holds no key.
    #[error(
        "{} is no key file: expected one line, {PREFIX} and 32 bytes in base64; `hitode backup-key FILE` creates one",
        .0.display()
    )]
    Content(PathBuf),
}

impl Key {
    /// A new key.
    ///
    /// # Panics
    /// If the operating system provides no randomness: a guessable key must never be used.
    pub fn generate() -> Self {
        let mut bytes = [0; 32];
        let filled = SystemRandom::new().fill(&mut bytes);
        filled.expect("the operating system gives randomness");
        Self(bytes)
    }

    pub(super) fn secret(&self) -> &[u8] {
        &self.0
    }

    fn parse(text: &str) -> Option<Self> {
        let encoded = text.trim().strip_prefix(PREFIX)?;
        STANDARD.decode(encoded).ok()?.try_into().ok().map(Self)
    }

    /// Creates a file for its owner only. Never overwrites one.
    ///
    /// # Errors
    /// If something exists at this path, or the file cannot be written.
    pub(crate) fn create_file(&self, path: &Path) -> io::Result<()> {
        files::create_private(path, &format!("{PREFIX}{}", STANDARD.encode(self.0)))?;
        sync_directory(parent_directory(path))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Key(..)")
    }
}

impl KeyFile {
    /// Reads a key file, which may be a pipe, as of `<(COMMAND)`.
    ///
    /// # Errors
    /// If it cannot be read, or holds no key.
    pub(crate) fn read(path: &Path) -> Result<Self, KeyError> {
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
        read.map_err(|error| KeyError::Unreadable(path.to_owned(), error))?;
        let key = str::from_utf8(&bytes).ok().and_then(Key::parse);
        Ok(Self {
            key: key.ok_or_else(|| KeyError::Content(path.to_owned()))?,
            path: path.to_owned(),
        })
    }

    /// A warning, if others than the owner may read the file.
    pub(crate) fn warning(&self) -> Option<String> {
        let path = self.path.display();
        let warning = || format!("other users can read the key file {path}: run `chmod 600` on it");
        files::is_open_to_others(&self.path).then(warning)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_key_file_is_private_read_again_and_never_overwritten() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("key");
        let key = Key::generate();
        key.create_file(&path).expect("created");
        let read = KeyFile::read(&path).expect("a key file");
        assert_eq!(read.key.secret(), key.secret());
        assert_eq!(
            fs::metadata(&path).expect("it exists").permissions().mode() & 0o777,
            0o600
        );
        assert_eq!(read.warning(), None);
        let error = Key::generate().create_file(&path).expect_err("it exists");
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(KeyFile::read(&path).expect("a key file").key.secret(), key.secret());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("set");
        assert!(read.warning().is_some_and(|text| text.contains("chmod 600")));
        assert!(!format!("{read:?}").contains(&STANDARD.encode(key.0)));
    }

    #[test]
    fn other_files_are_no_keys() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("key");
        let error = KeyFile::read(&path).expect_err("there is none");
        assert!(matches!(error, KeyError::Unreadable(..)), "{error}");
        let short = format!("{PREFIX}{}", STANDARD.encode([7; 31]));
        let bare = STANDARD.encode([7; 32]);
        for other in ["", PREFIX, &short, &bare, "AGE-SECRET-KEY-1"] {
            fs::write(&path, other).expect("written");
            let error = KeyFile::read(&path).expect_err(other);
            assert!(matches!(error, KeyError::Content(_)), "{error}");
        }
    }
}
