//! The format of a backup, which depends on no engine: a frame of LZ4 that holds lines of JSON. `lz4 -dc FILE` prints
//! them.
//!
//! ```text
//! {"format":"hitode backup","version":2,"created_at":"2026-11-23T10:00:00Z"}    the header
//! {"kind":"humans","record":{"id":1,…}}                                          a record, as it is stored
//! {"kind":"events","record":{"of":{"account":1},"number":7,…}}                   something else that is stored
//! {"kind":"last_ids","record":{"humans":12,…}}                                   the last id of each kind
//! {"lines":12345,"sha256":"…"}                                                   the end: how many lines of records
//!                                                                                there are, and the digest of all
//!                                                                                lines before
//! ```
//!
//! Version 1 had records only.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use codegen_support::{Digest, Timestamp};
use lz4_flex::frame::{BlockSize, FrameDecoder, FrameEncoder, FrameInfo};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::error::StoreError;
use crate::schema::Program;
use crate::sled::SnapshotError;

/// The kind of the last assigned ids, the last line of records: an object with a number for each kind.
pub const LAST_IDS: &str = "last_ids";

/// The version of the format.
const VERSION: u32 = 2;

/// The maximum bytes of a line: far more than any record has.
const MAX_LINE: u64 = 16 << 20;

/// Why a backup cannot be read.
#[derive(Debug, Error)]
pub enum BackupReadError {
    /// It is not the beginning of a backup.
    #[error("it is no backup of {0}")]
    Foreign(&'static str),
    /// Its version is not known.
    #[error("it has version {0} of the format, and this program reads versions 1 to {VERSION}; use a newer program")]
    Version(u32),
    /// It ends too early: its writer was interrupted, or it was cut.
    #[error("it is incomplete: it ends after {0} records; use another backup")]
    Incomplete(u64),
    /// Its content is not what was written.
    #[error("it is damaged ({0}); use another backup")]
    Damaged(String),
    /// The operating system reported an error.
    #[error("it cannot be read: {0}")]
    Io(io::Error),
}

/// Why a backup cannot be written.
#[derive(Debug, Error)]
pub enum BackupWriteError {
    /// Another one is being written.
    #[error("another backup is being written; wait until it is complete")]
    Busy,
    /// What changed while it was written does not fit into the memory for that.
    #[error("too much changed while the backup was written; receive it faster, or when there are fewer writes")]
    TooManyChanges,
    /// The server stops, or can write no more.
    #[error("the server stops, or can write no more; once it has ended, back up its data directory")]
    Interrupted,
    /// The output failed.
    #[error("{0}")]
    Output(io::Error),
    /// The store failed.
    #[error("{0}")]
    Store(#[from] StoreError),
}

impl From<SnapshotError> for BackupWriteError {
    fn from(error: SnapshotError) -> Self {
        match error {
            SnapshotError::TooManyChanges => Self::TooManyChanges,
            SnapshotError::Engine(error) => Self::Store(error.into()),
        }
    }
}

/// What the header names.
fn format_of(program: &Program) -> String {
    format!("{} backup", program.name)
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    created_at: String,
}

#[derive(Serialize)]
struct Line<'r> {
    kind: &'r str,
    record: &'r RawValue,
}

/// A record of a backup.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its place in the backup, from 1.
    #[serde(skip)]
    pub number: u64,
    /// Its kind, the name of its tree.
    pub kind: String,
    /// The record, as it was stored.
    pub record: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    lines: u64,
    sha256: String,
}

/// Writes a backup.
pub struct BackupWriter<W: Write> {
    out: FrameEncoder<BufWriter<W>>,
    digest: Sha256,
    lines: u64,
    line: Vec<u8>,
}

impl<W: Write> BackupWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// If the output fails. The same holds for the other methods.
    pub fn begin(program: &Program, out: W, created_at: Timestamp) -> io::Result<Self> {
        let frame = FrameInfo::new().content_checksum(true).block_size(BlockSize::Max256KB);
        let mut writer = Self {
            out: FrameEncoder::with_frame_info(frame, BufWriter::new(out)),
            digest: Sha256::new(),
            lines: 0,
            line: Vec::new(),
        };
        writer.write(&Header {
            format: format_of(program),
            version: VERSION,
            created_at: created_at.to_string(),
        })?;
        // In a block of its own, so that a backup that was cut is recognised.
        writer.out.flush()?;
        Ok(writer)
    }

    /// Writes a record, which must be JSON.
    pub fn record(&mut self, kind: &str, json: &[u8]) -> io::Result<()> {
        let record: &RawValue = serde_json::from_slice(json)?;
        self.lines += 1;
        self.write(&Line { kind, record })
    }

    /// How many records were written.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Writes the end, and returns the output.
    pub fn end(mut self) -> io::Result<W> {
        let (lines, sha256) = (self.lines, hex(&self.digest));
        self.write(&End { lines, sha256 })?;
        let out = self.out.finish().map_err(io::Error::other)?;
        let mut out = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        out.flush()?;
        Ok(out)
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, line)?;
        self.line.push(b'\n');
        self.digest.update(&self.line);
        self.out.write_all(&self.line)
    }
}

/// Reads a backup.
pub struct BackupReader<R: Read> {
    input: BufReader<FrameDecoder<R>>,
    digest: Sha256,
    lines: u64,
    line: Vec<u8>,
    has_ended: bool,
    /// When the backup was created, in UTC.
    pub created_at: String,
}

impl<R: Read> BackupReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If it is not the header of a backup that can be read.
    pub fn begin(program: &'static Program, input: R) -> Result<Self, BackupReadError> {
        let mut reader = Self {
            input: BufReader::new(FrameDecoder::new(input)),
            digest: Sha256::new(),
            lines: 0,
            line: Vec::new(),
            has_ended: false,
            created_at: String::new(),
        };
        let header = match reader.read_line() {
            Err(BackupReadError::Io(error)) => return Err(BackupReadError::Io(error)),
            Err(_) => return Err(BackupReadError::Foreign(program.name)),
            Ok(_) => serde_json::from_slice::<Header>(&reader.line),
        };
        let header = header.ok().filter(|header| header.format == format_of(program));
        let header = header.ok_or(BackupReadError::Foreign(program.name))?;
        if !(1..=VERSION).contains(&header.version) {
            return Err(BackupReadError::Version(header.version));
        }
        reader.created_at = header.created_at;
        reader.digest.update(&reader.line);
        Ok(reader)
    }

    /// The next record; `None` at the end of a backup that is whole.
    ///
    /// # Errors
    /// If the backup is damaged or incomplete.
    pub fn next_entry(&mut self) -> Result<Option<Entry>, BackupReadError> {
        if self.has_ended {
            return Ok(None);
        }
        self.read_line()?;
        if self.line.is_empty() {
            return Err(BackupReadError::Incomplete(self.lines));
        }
        if let Ok(end) = serde_json::from_slice::<End>(&self.line) {
            self.verify(&end)?;
            self.has_ended = true;
            return Ok(None);
        }
        let mut entry: Entry = serde_json::from_slice(&self.line)
            .map_err(|error| BackupReadError::Damaged(format!("record {}: {error}", self.lines + 1)))?;
        self.digest.update(&self.line);
        self.lines += 1;
        entry.number = self.lines;
        Ok(Some(entry))
    }

    fn verify(&mut self, end: &End) -> Result<(), BackupReadError> {
        if end.lines != self.lines || end.sha256 != hex(&self.digest) {
            let cause = format!("the digest of its {} records differs", self.lines);
            return Err(BackupReadError::Damaged(cause));
        }
        self.read_line()?;
        // Also what the frame does not read, such as the tag of a file that was encrypted.
        let rest = self.input.get_mut().get_mut().read(&mut [0]);
        let rest = rest.map_err(|error| BackupReadError::Damaged(error.to_string()))?;
        match self.line.is_empty() && rest == 0 {
            true => Ok(()),
            false => Err(BackupReadError::Damaged("something follows its end".to_owned())),
        }
    }

    /// Reads a line, empty at the end.
    fn read_line(&mut self) -> Result<(), BackupReadError> {
        self.line.clear();
        let input = &mut self.input;
        let read = input.take(MAX_LINE).read_until(b'\n', &mut self.line);
        read.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => BackupReadError::Incomplete(self.lines),
            // The decoder reports damaged frames with these kinds.
            io::ErrorKind::InvalidData | io::ErrorKind::Other => BackupReadError::Damaged(error.to_string()),
            _ => BackupReadError::Io(error),
        })?;
        match self.line.last() {
            None | Some(b'\n') => Ok(()),
            Some(_) if self.line.len() as u64 == MAX_LINE => {
                Err(BackupReadError::Damaged("a line is too long".to_owned()))
            }
            Some(_) => Err(BackupReadError::Incomplete(self.lines)),
        }
    }
}

fn hex(digest: &Sha256) -> String {
    Digest::from(<[u8; 32]>::from(digest.clone().finalize())).to_hex()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::HITODE;

    fn backup(records: usize) -> Vec<u8> {
        let mut writer = BackupWriter::begin(&HITODE, Vec::new(), Timestamp::from_unix(0)).expect("memory");
        for id in 0..records {
            let record = format!(r#"{{"id":{id},"name":"worker {id}"}}"#);
            writer.record("humans", record.as_bytes()).expect("memory");
        }
        writer.end().expect("memory")
    }

    fn read(bytes: &[u8]) -> Result<Vec<String>, BackupReadError> {
        let mut reader = BackupReader::begin(&HITODE, bytes)?;
        let mut records = Vec::new();
        while let Some(entry) = reader.next_entry()? {
            records.push(format!("{} {}", entry.kind, entry.record));
        }
        Ok(records)
    }

    #[test]
    fn what_was_written_is_read() {
        assert_eq!(read(&backup(0)).expect("whole"), Vec::<String>::new());
        let records = read(&backup(3)).expect("whole");
        assert_eq!(records[2], r#"humans {"id":2,"name":"worker 2"}"#);
    }

    #[test]
    fn a_part_of_a_backup_is_never_taken_for_a_whole_one() {
        let whole = backup(200);
        let records = read(&whole).expect("whole");
        for bytes in 0..whole.len() {
            match read(&whole[..bytes]) {
                // Only the end of the frame is missing.
                Ok(read) => assert!(read == records && bytes >= whole.len() - 8, "{bytes}"),
                Err(error) => assert!(
                    !matches!(error, BackupReadError::Io(_) | BackupReadError::Version(_)),
                    "{error}"
                ),
            }
        }
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let whole = backup(40);
        let records = read(&whole).expect("whole");
        for bit in (0..whole.len() * 8).step_by(5) {
            let mut damaged = whole.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            if let Ok(read) = read(&damaged) {
                assert_eq!(read, records, "bit {bit}");
            }
        }
    }

    #[test]
    fn other_files_are_no_backups() {
        for other in [
            &b""[..],
            b"PK\x03\x04",
            b"{\"format\":\"hitode backup\",\"version\":1}\n",
        ] {
            assert!(
                matches!(read(other), Err(BackupReadError::Foreign("hitode"))),
                "{other:?}"
            );
        }
    }
}
