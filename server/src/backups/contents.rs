//! The contents of files that the records of a backup name.

use std::io::{self, Read, Write};

use codegen_store::Record;
use contract::support::FileDirectory;
use contract::{File, FileId};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::format::UnreadableBackup;
use crate::digest::Digest;
use crate::store::Market;
use crate::store::backup::{BackupReadError, BackupReader, Entry};

/// The content of a file, as its record states it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Content {
    /// The file.
    pub(crate) id: FileId,
    /// Its name in a directory of files.
    pub(crate) place: String,
    /// Its length.
    pub(crate) bytes: u64,
    /// Its digest, in hexadecimal digits.
    sha256: String,
}

impl From<File> for Content {
    fn from(file: File) -> Self {
        Self {
            id: file.id,
            place: file.place.unwrap_or_default(),
            bytes: file.bytes.unsigned_abs(),
            sha256: file.sha256,
        }
    }
}

/// What is at the place of a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The content.
    Whole,
    /// Nothing.
    Nothing,
    /// Something else.
    Other,
}

impl Content {
    /// The content that this record of a backup names. `None`: it is no record of a file.
    ///
    /// # Errors
    /// If the record is damaged.
    pub(crate) fn of_entry(entry: &Entry) -> Result<Option<Self>, UnreadableBackup> {
        if entry.kind != <File as Record<Market>>::TREE.name() {
            return Ok(None);
        }
        let content = serde_json::from_str(entry.record.get());
        let damaged = |error| BackupReadError::Damaged(format!("record {}: {error}", entry.number));
        Ok(content.map(Some).map_err(damaged)?)
    }

    /// Passes on what is read, and returns whether it was this content.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub(super) fn pass(&self, from: impl Read, to: &mut impl Write) -> io::Result<bool> {
        let mut from = Measured {
            input: from,
            sha256: Sha256::new(),
        };
        let bytes = io::copy(&mut from, to)?;
        let digest: [u8; 32] = from.sha256.finalize().into();
        Ok(bytes == self.bytes && Digest::from(digest).to_hex() == self.sha256)
    }

    /// Compares it with what is in a directory of files.
    ///
    /// # Errors
    /// If that cannot be read.
    pub(crate) fn look(&self, files: &FileDirectory) -> io::Result<Found> {
        match std::fs::File::open(files.path_of(&self.place)?) {
            Ok(file) => Ok(match self.pass(file, &mut io::sink())? {
                true => Found::Whole,
                false => Found::Other,
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Nothing),
            Err(error) => Err(error),
        }
    }
}

/// Passes all contents that a backup names to `each`.
///
/// # Errors
/// That of `each`, or if the backup cannot be read.
pub(super) fn each_content<R: Read, E: From<UnreadableBackup>>(
    backup: &mut BackupReader<R>,
    mut each: impl FnMut(Content) -> Result<(), E>,
) -> Result<(), E> {
    while let Some(entry) = backup.next_entry().map_err(UnreadableBackup::from)? {
        if let Some(content) = Content::of_entry(&entry)? {
            each(content)?;
        }
    }
    Ok(())
}

/// Computes the digest of what is read.
struct Measured<R> {
    input: R,
    sha256: Sha256,
}

impl<R: Read> Read for Measured<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(bytes)?;
        self.sha256.update(&bytes[..read]);
        Ok(read)
    }
}
