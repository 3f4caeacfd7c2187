//! Why a data directory cannot be used, described for the operator.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::COPY;
use super::space::MIN_FREE_BYTES;
use crate::engine::EngineError;
use crate::findings::Findings;
use crate::schema::Program;
use crate::sled::reads::is_of_content;

/// Why a data directory cannot be used, in the words of a program. The text is one line that states what to do.
#[derive(Debug)]
pub struct OpenError {
    failure: Box<OpenFailure>,
    program: &'static Program,
}

/// Why a data directory cannot be used.
#[derive(Debug)]
pub enum OpenFailure {
    /// Another process uses it; with its description, if known.
    InUse(PathBuf, Option<String>),
    /// Another program has locked the log.
    Locked(PathBuf),
    /// The first path, or the second one above it, is not a directory.
    NotADirectory(PathBuf, PathBuf),
    /// There is no data directory to check.
    NoStore(PathBuf),
    /// It belongs to a server whose records are in a database.
    OfDatabase(PathBuf),
    /// The path is a dangling link.
    Dangling(PathBuf),
    /// An entry of it has the wrong type, such as a directory in place of a file.
    OtherKind(PathBuf, &'static str),
    /// Only this many bytes are free on its disk, which is too few.
    NoSpace(PathBuf, u64),
    /// Only this many bytes are free on its disk, and no other place has room for a copy, which needs so many.
    NoRoomToLook(PathBuf, u64, u64),
    /// The disk, a quota or a limit of file sizes is exhausted.
    Full(PathBuf, io::Error),
    /// This entry of it is not the store's.
    Foreign(PathBuf, OsString),
    /// Its file system is read-only.
    ReadOnly(PathBuf),
    /// The user of this process lacks permissions.
    Denied(PathBuf),
    /// It was written by a version with another layout: the first of these, and the second is needed.
    OtherLayout(PathBuf, i64, i64),
    /// The operating system reported an error.
    Io(PathBuf, io::Error),
    /// Its content cannot be read, or differs from what was written.
    Damaged(PathBuf, String),
    /// Its content was written under another contract.
    OtherContract(PathBuf, Findings),
    /// Its content is inconsistent.
    OutOfStep(PathBuf, Findings),
    /// Its log ends with the first of these commits, but the second was acknowledged.
    Lost(PathBuf, u64, u64),
}

impl OpenError {
    /// The cause.
    #[must_use]
    pub fn failure(&self) -> &OpenFailure {
        &self.failure
    }

    /// Whether the content is damaged, or was not written under this contract. Otherwise it could not be looked at.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        self.failure.is_damage()
    }

    /// The inconsistencies of the content, if it can be read.
    #[must_use]
    pub fn findings(&self) -> Option<&Findings> {
        match &*self.failure {
            OpenFailure::OtherContract(_, findings) | OpenFailure::OutOfStep(_, findings) => Some(findings),
            _ => None,
        }
    }
}

impl OpenFailure {
    /// The error, in the words of this program.
    #[must_use]
    pub fn in_words_of(self, program: &'static Program) -> OpenError {
        let failure = Box::new(self);
        OpenError { failure, program }
    }

    /// Whether the content is damaged, or was not written under this contract. Otherwise it could not be looked at.
    pub(super) fn is_damage(&self) -> bool {
        matches!(
            self,
            Self::Damaged(..) | Self::OtherContract(..) | Self::OutOfStep(..) | Self::Lost(..)
        )
    }

    /// An error of the operating system in the data directory `path`.
    #[must_use]
    pub fn io(path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => Self::Full(path, error),
            ErrorKind::ReadOnlyFilesystem => Self::ReadOnly(path),
            ErrorKind::PermissionDenied => Self::Denied(path),
            _ => Self::Io(path, error),
        }
    }

    /// The content of the data directory `path` is unusable because of `cause`.
    #[must_use]
    pub fn damaged(path: &Path, cause: impl Into<String>) -> Self {
        Self::Damaged(path.to_owned(), cause.into())
    }

    /// The log of the data directory `path` cannot be read.
    pub(super) fn damaged_log(path: &Path) -> Self {
        Self::damaged(path, "its file `db` is damaged")
    }

    /// sled or our code panicked, with this text, on the content of the data directory `path`. Everything else was
    /// verified before, or is not read.
    #[must_use]
    pub fn of_panic(path: &Path, panic: &str) -> Self {
        tracing::debug!(panic, "opening the store");
        Self::damaged_log(path)
    }

    /// The findings in the data directory `path`. The checksum tells whether the content is what was written.
    pub(super) fn out_of_step(path: &Path, findings: Findings, is_what_was_written: bool) -> Self {
        let unfit = findings.clone().of_another_contract();
        match is_what_was_written && !unfit.is_empty() {
            true => Self::OtherContract(path.to_owned(), unfit),
            false => Self::OutOfStep(path.to_owned(), findings),
        }
    }

    /// The same error of the data directory `path`, of which a copy was opened.
    pub(super) fn of_original(mut self, path: &Path) -> Self {
        match &mut self {
            Self::InUse(at, _)
            | Self::Locked(at)
            | Self::NotADirectory(at, _)
            | Self::NoStore(at)
            | Self::OfDatabase(at)
            | Self::Dangling(at)
            | Self::NoSpace(at, _)
            | Self::NoRoomToLook(at, ..)
            | Self::Foreign(at, _)
            | Self::OtherLayout(at, ..)
            | Self::Damaged(at, _)
            | Self::OtherContract(at, _)
            | Self::OutOfStep(at, _)
            | Self::Lost(at, ..) => path.clone_into(at),
            // They are about the place of the copy.
            Self::OtherKind(..) | Self::Full(..) | Self::ReadOnly(_) | Self::Denied(_) | Self::Io(..) => {}
        }
        self
    }

    /// Logs the findings that the text omits.
    pub(super) fn log_the_rest(&self) {
        if let Self::OtherContract(_, findings) | Self::OutOfStep(_, findings) = self {
            findings.log_the_rest();
        }
    }

    /// An error of the engine in the data directory `path`.
    pub(super) fn of_engine(path: &Path, error: EngineError) -> Self {
        match error {
            EngineError::Io(error) => Self::io(path, error),
            error => {
                tracing::debug!(%error, "opening the store");
                Self::damaged_log(path)
            }
        }
    }

    /// An error of sled in the data directory `path`.
    pub(super) fn of_sled(path: &Path, error: sled::Error) -> Self {
        match error {
            sled::Error::Io(error) if error.to_string().contains("could not acquire lock") => {
                Self::Locked(path.to_owned())
            }
            // sled itself reports unreadable content with these kinds. The system uses others.
            sled::Error::Io(error) if !is_of_content(error.kind()) => Self::io(path, error),
            sled::Error::Unsupported(cause) => {
                tracing::debug!(cause, "opening the store");
                Self::damaged(path, "its file `conf` is not the one that was written")
            }
            error => {
                tracing::debug!(%error, "opening the store");
                Self::damaged_log(path)
            }
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Program {
            name,
            data_option: data,
            database_option: database,
            contract,
        } = self.program;
        match &*self.failure {
            OpenFailure::InUse(path, holder) => {
                let path = path.display();
                let or = format_args!("stop it, or choose another directory with {data}");
                match holder {
                    Some(holder) => write!(out, "another {name} uses the data directory {path} ({holder}); {or}"),
                    None => write!(out, "another {name} uses the data directory {path}; {or}"),
                }
            }
            OpenFailure::Locked(path) => write!(
                out,
                "another program has locked {}; find it with `fuser` on this file, and stop it",
                path.join("db").display()
            ),
            OpenFailure::NotADirectory(path, other) if path == other => {
                let path = path.display();
                write!(
                    out,
                    "the data directory {path} is not a directory; choose another one with {data}"
                )
            }
            OpenFailure::NotADirectory(path, other) => {
                let (path, other) = (path.display(), other.display());
                write!(
                    out,
                    "cannot create the data directory {path}: {other} is not a directory; choose another one with \
                     {data}"
                )
            }
            OpenFailure::NoStore(path) => write!(
                out,
                "there is no data directory of {name} at {}; name one with {data}",
                path.display()
            ),
            OpenFailure::OfDatabase(path) => write!(
                out,
                "the records of the server with the data directory {0} are in a database: back it up with {database}; if it no \
                 longer uses one, remove {1}",
                path.display(),
                path.join(COPY).display()
            ),
            OpenFailure::Dangling(path) => {
                let path = path.display();
                write!(
                    out,
                    "the data directory {path} is a link to a missing directory; create that directory, or remove the link"
                )
            }
            OpenFailure::OtherKind(path, kind) => write!(
                out,
                "{} is {kind} that does not belong there; move it away and start again",
                path.display()
            ),
            OpenFailure::NoSpace(path, free) => write!(
                out,
                "only {:.1} MiB are free for the data directory {}, and {} MiB are needed; free some space and start again",
                *free as f64 / f64::from(1 << 20),
                path.display(),
                MIN_FREE_BYTES >> 20
            ),
            OpenFailure::NoRoomToLook(path, free, needed) => write!(
                out,
                "only {:.1} MiB are free for the data directory {}, and no other place has the {} MiB that a copy of it needs; \
                 set TMPDIR to a directory on a disk with more room",
                *free as f64 / f64::from(1 << 20),
                path.display(),
                needed.div_ceil(1 << 20)
            ),
            OpenFailure::Foreign(path, entry) => write!(
                out,
                "the directory {} holds other files than those of {name}, such as `{}`; choose an empty directory with {data}, \
                 or move them away",
                path.display(),
                entry.display()
            ),
            OpenFailure::Full(path, error) => write!(
                out,
                "there is no space for the data directory {} ({error}); free some space and start again",
                path.display()
            ),
            OpenFailure::ReadOnly(path) => write!(
                out,
                "the data directory {} is on a read-only file system; mount it for writing, or choose \
                 another directory with {data}",
                path.display()
            ),
            OpenFailure::Denied(path) => write!(
                out,
                "this user may not read and write the data directory {}; change its owner with `chown -R`, or choose \
                 another one with {data}",
                path.display()
            ),
            OpenFailure::OtherLayout(path, layout, needed) => write!(
                out,
                "the data directory {} has layout {layout}, this version of {name} needs {needed}; start the version that created it",
                path.display()
            ),
            OpenFailure::Io(path, error) => write!(
                out,
                "the data directory {} cannot be used ({error}); check the disk and start again",
                path.display()
            ),
            OpenFailure::Damaged(path, cause) => write!(
                out,
                "the data directory {} cannot be read ({cause}); move it away and restore a backup in its place",
                path.display()
            ),
            OpenFailure::OtherContract(path, findings) => write!(
                out,
                "the data directory {} was written under another contract: {findings}. Nothing was changed; start the \
                 version that wrote it, or correct {contract}: keep enum values that are stored, and make new fields \
                 optional or give them a default",
                path.display()
            ),
            OpenFailure::OutOfStep(path, findings) => write!(
                out,
                "the data directory {} is inconsistent: {findings}. Nothing was changed; move it away and restore a \
                 backup in its place",
                path.display()
            ),
            OpenFailure::Lost(path, there, acknowledged) => write!(
                out,
                "the data directory {} has lost writes (its file `db` ends with commit {there}, and commit {acknowledged} \
                 was acknowledged); move it away and restore a backup in its place",
                path.display()
            ),
        }
    }
}

impl std::error::Error for OpenError {}
