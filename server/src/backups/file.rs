//! One backup file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Seek};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use codegen_store::files::{parent_directory, sync_directory};
use rustix::fs::OFlags;

use super::format::{BackupOutput, UnreadableBackup, read_backup};
use super::key::Key;
use crate::store::backup::Entry;

/// What the name of a file ends with until it is complete.
pub(super) const UNFINISHED: &str = ".unfinished";

/// A backup file until it is complete, under a name of its own. Locked meanwhile, and removed unless it is finished.
pub(crate) struct UnfinishedBackup {
    file: File,
    path: PathBuf,
    key: Option<Key>,
    is_finished: bool,
}

/// A backup file that is complete.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FinishedBackup {
    /// How many lines of records it has.
    pub(crate) lines: u64,
    /// Its size.
    pub(crate) bytes: u64,
}

impl UnfinishedBackup {
    /// Creates the file, for its owner only: it holds digests of credentials and private messages. It is encrypted if there
    /// is a key.
    ///
    /// # Errors
    /// If it cannot be created, or is being written by another process.
    pub(crate) fn create(target: &Path, key: Option<Key>) -> io::Result<Self> {
        let path = unfinished(target);
        // Not written into, since others may be able to read it.
        remove_left(&path)?;
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create_new(true).mode(0o600);
        let file = options.open(&path)?;
        lock(&file, &path)?;
        Ok(Self {
            file,
            path,
            key,
            is_finished: false,
        })
    }

    /// Where to write it.
    ///
    /// # Errors
    /// If it cannot be written, or the operating system has no more handles.
    pub(crate) fn output(&self) -> io::Result<BackupOutput<File>> {
        BackupOutput::begin(self.file.try_clone()?, self.key.as_ref())
    }

    /// Ends the output, syncs the file, reads it back, passes each record to `each`, and gives the file its name.
    ///
    /// # Errors
    /// That of `each`, or if it cannot be written, is no complete backup, or the name is taken.
    pub(crate) fn finish(
        mut self,
        output: BackupOutput<File>,
        target: &Path,
        each: impl FnMut(&Entry) -> Result<(), UnreadableBackup>,
    ) -> Result<FinishedBackup, UnreadableBackup> {
        output.finish()?;
        self.file.sync_all()?;
        // Through the same handle: a file system of another machine may give others nothing of a locked file.
        self.file.rewind()?;
        let lines = verify(&self.file, self.key.as_ref(), each)?;
        if target.exists() {
            return Err(io::Error::from(ErrorKind::AlreadyExists).into());
        }
        fs::rename(&self.path, target)?;
        self.is_finished = true;
        sync_directory(parent_directory(target))?;
        let bytes = self.file.metadata()?.len();
        Ok(FinishedBackup { lines, bytes })
    }
}

impl Drop for UnfinishedBackup {
    fn drop(&mut self) {
        if !self.is_finished {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Reads a whole backup, and returns how many lines of records it has.
///
/// # Errors
/// That of `each`, or if it is damaged or incomplete.
fn verify(
    file: &File,
    key: Option<&Key>,
    mut each: impl FnMut(&Entry) -> Result<(), UnreadableBackup>,
) -> Result<u64, UnreadableBackup> {
    let mut backup = read_backup(file, key)?;
    let mut lines = 0;
    while let Some(entry) = backup.next_entry()? {
        each(&entry)?;
        lines = entry.number;
    }
    Ok(lines)
}

/// Removes what an interrupted backup has left under the name of an unfinished one.
///
/// # Errors
/// If it cannot be removed, or is being written ([`ErrorKind::ResourceBusy`]).
pub(super) fn remove_left(path: &Path) -> io::Result<()> {
    // NFS locks what can be written. A pipe is not waited for.
    let mut options = OpenOptions::new();
    let left = options
        .write(true)
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(path);
    match left {
        Ok(left) => lock(&left, path)?,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(_) => {}
    }
    fs::remove_file(path)
}

/// Locks a file or a directory, if its file system can. Only those who write backups lock them.
///
/// # Errors
/// If another process has locked it ([`ErrorKind::ResourceBusy`]).
pub(super) fn lock(file: &File, path: &Path) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let text = format!("another process writes {}", path.display());
            Err(io::Error::new(ErrorKind::ResourceBusy, text))
        }
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

fn unfinished(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(UNFINISHED);
    PathBuf::from(name)
}
