//! What a backup file is: a backup, encrypted if there is a key.

use std::fs::File;
use std::io::{self, Cursor, ErrorKind, Read, Write};
use std::path::Path;

use thiserror::Error;

use super::encryption::{BeginError, Decrypter, Encrypter, Encryption};
use super::key::Key;
use crate::store::backup::{BackupReadError, BackupReader};
use crate::store::tables::SCHEMA;

/// Why a backup file cannot be read.
#[derive(Debug, Error)]
pub enum UnreadableBackup {
    /// It is encrypted, and there is no key.
    #[error("it is encrypted; name the file that holds its key with --key-file FILE")]
    Encrypted,
    /// It is not encrypted, but there is a key.
    #[error("it is not encrypted, so anybody could have written it; if you trust it, leave out --key-file")]
    NotEncrypted,
    /// It was encrypted with another key.
    #[error("it was encrypted with another key; name the file that holds that one with --key-file FILE")]
    WrongKey,
    /// It was encrypted by a later version.
    #[error("it is encrypted in a way that this program does not know; use a newer program")]
    UnknownEncryption,
    /// It is no complete backup.
    #[error(transparent)]
    Backup(#[from] BackupReadError),
}

impl From<io::Error> for UnreadableBackup {
    fn from(error: io::Error) -> Self {
        Self::Backup(match error.kind() {
            ErrorKind::UnexpectedEof => BackupReadError::Incomplete(0),
            _ => BackupReadError::Io(error),
        })
    }
}

impl From<BeginError> for UnreadableBackup {
    fn from(error: BeginError) -> Self {
        match error {
            BeginError::WrongKey => Self::WrongKey,
            BeginError::Io(error) => error.into(),
        }
    }
}

/// Begins to read a backup, which has to be encrypted if there is a key.
///
/// # Errors
/// If it is no backup, or was not encrypted with this key.
pub fn read_backup<'i>(
    mut input: impl Read + 'i,
    key: Option<&Key>,
) -> Result<BackupReader<Box<dyn Read + 'i>>, UnreadableBackup> {
    let mut first = Vec::new();
    input.by_ref().take(Encryption::BYTES).read_to_end(&mut first)?;
    let encryption = Encryption::detect(&first);
    let content: Box<dyn Read> = match (encryption, key) {
        (Encryption::Known, Some(key)) => Box::new(Decrypter::begin(input, key)?),
        (Encryption::Known, None) => return Err(UnreadableBackup::Encrypted),
        (Encryption::Unknown, _) => return Err(UnreadableBackup::UnknownEncryption),
        (Encryption::None, _) => Box::new(Cursor::new(first).chain(input)),
    };
    let backup = BackupReader::begin(&SCHEMA.program, content)?;
    match (encryption, key) {
        (Encryption::None, Some(_)) => Err(UnreadableBackup::NotEncrypted),
        _ => Ok(backup),
    }
}

/// Reads what [`BackupOutput`] has written with this key.
///
/// # Errors
/// If it was not encrypted with this key.
pub(super) fn decrypted<'i>(mut input: impl Read + 'i, key: &Key) -> Result<Box<dyn Read + 'i>, UnreadableBackup> {
    let mut first = Vec::new();
    input.by_ref().take(Encryption::BYTES).read_to_end(&mut first)?;
    match Encryption::detect(&first) {
        Encryption::Known => Ok(Box::new(Decrypter::begin(input, key)?)),
        Encryption::Unknown => Err(UnreadableBackup::UnknownEncryption),
        Encryption::None => Err(UnreadableBackup::NotEncrypted),
    }
}

/// Whether a file is an encrypted backup; false if it cannot be read.
pub(crate) fn is_encrypted(path: &Path) -> bool {
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| file.take(Encryption::BYTES).read_to_end(&mut first));
    read.is_ok() && Encryption::detect(&first) != Encryption::None
}

/// The output of a backup, encrypted if there is a key.
pub enum BackupOutput<W> {
    /// It is written as it is.
    Plain(W),
    /// It is encrypted.
    Encrypted(Box<Encrypter<W>>),
}

impl<W: Write> BackupOutput<W> {
    /// Begins the output.
    ///
    /// # Errors
    /// If it fails. The same holds for the other methods.
    pub fn begin(out: W, key: Option<&Key>) -> io::Result<Self> {
        Ok(match key {
            Some(key) => Self::Encrypted(Box::new(Encrypter::begin(out, key)?)),
            None => Self::Plain(out),
        })
    }

    /// Ends the output. Without this, an encrypted backup is incomplete.
    pub fn finish(self) -> io::Result<W> {
        match self {
            Self::Encrypted(out) => out.finish(),
            Self::Plain(mut out) => out.flush().map(|()| out),
        }
    }
}

impl<W: Write> Write for BackupOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Encrypted(out) => out.write(bytes),
            Self::Plain(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Encrypted(out) => out.flush(),
            Self::Plain(out) => out.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use contract::Timestamp;

    use super::*;
    use crate::store::backup::BackupWriter;

    fn backup(records: usize, key: Option<&Key>) -> Vec<u8> {
        let out = BackupOutput::begin(Vec::new(), key).expect("memory");
        let mut out = BackupWriter::begin(&SCHEMA.program, out, Timestamp::from_unix(0)).expect("memory");
        for id in 0..records {
            // Random, so that it is not compressed.
            let record = format!(r#"{{"id":{id},"name":"{:032x}"}}"#, rand::random::<u128>());
            out.record("humans", record.as_bytes()).expect("memory");
        }
        out.end().and_then(BackupOutput::finish).expect("memory")
    }

    fn read(file: &[u8], key: Option<&Key>) -> Result<usize, UnreadableBackup> {
        let mut backup = read_backup(file, key)?;
        let mut records = 0;
        while backup.next_entry()?.is_some() {
            records += 1;
        }
        Ok(records)
    }

    #[test]
    fn a_backup_is_read_with_its_own_key_only() {
        let [key, other] = [(), ()].map(|()| Key::generate());
        let (encrypted, plain) = (backup(5_000, Some(&key)), backup(5_000, None));
        assert!(encrypted.len() > 3 << 16, "there are several parts");
        assert_eq!(read(&encrypted, Some(&key)).expect("whole"), 5_000);
        assert_eq!(read(&plain, None).expect("whole"), 5_000);
        for (file, key, expected) in [
            (&encrypted, None, "it is encrypted; name"),
            (&encrypted, Some(&other), "another key"),
            (&plain, Some(&key), "it is not encrypted"),
            (&b"hitode encrypted backup 2\n...".to_vec(), Some(&key), "newer program"),
            (&b"PK".to_vec(), Some(&key), "it is no backup"),
            (&b"hitode encrypted".to_vec(), Some(&key), "it is no backup"),
        ] {
            let error = read(file, key).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn an_encrypted_backup_that_was_cut_or_extended_is_never_read_as_whole() {
        let key = Key::generate();
        let whole = backup(40, Some(&key));
        for bytes in 0..whole.len() {
            let error = read(&whole[..bytes], Some(&key)).expect_err("a part");
            let UnreadableBackup::Backup(error) = error else {
                panic!("{bytes}: {error}");
            };
            assert!(!matches!(error, BackupReadError::Io(_)), "{bytes}: {error}");
        }
        let extended = [&whole[..], b"\0"].concat();
        assert!(read(&extended, Some(&key)).is_err());
    }

    #[test]
    fn what_follows_the_end_of_a_backup_is_noticed_also_if_it_was_encrypted() {
        let key = Key::generate();
        let mut out = BackupOutput::begin(Vec::new(), Some(&key)).expect("memory");
        out.write_all(&backup(1, None)).expect("memory");
        out.write_all(&[0; 100_000]).expect("memory");
        // The last part is missing, too.
        let BackupOutput::Encrypted(out) = out else {
            unreachable!()
        };
        let file = out.finish().expect("memory");
        assert!(read(&file, Some(&key)).is_err());
        assert!(read(&file[..file.len() - 40_000], Some(&key)).is_err());
    }
}
