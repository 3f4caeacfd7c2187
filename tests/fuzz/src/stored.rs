//! The backup file.

use std::io::Write as _;
use std::sync::LazyLock;

use codegen_support::Timestamp;
use hitode::backups::{BackupOutput, Key, UnreadableBackup, read_backup};
use hitode::store::SCHEMA;
use hitode::store::backup::BackupWriter;
use lz4_flex::frame::{FrameEncoder, FrameInfo};

type Records = Vec<(String, String)>;

/// The first byte selects what the others are: a file, the lines in it, or records. What is read is also written, and
/// read again. A file is also read encrypted.
pub(crate) fn backup(bytes: &[u8]) {
    let Some((kind, rest)) = bytes.split_first() else {
        return;
    };
    match kind % 3 {
        0 => {
            read_and_written(rest);
            encrypted(rest);
        }
        1 => read_and_written(&compressed(rest)),
        _ => {
            let lines = rest.split(|byte| *byte == b'\n');
            // `writer` takes JSON only.
            let texts = lines.filter_map(|line| str::from_utf8(line).ok());
            let records = texts
                .filter_map(|text| text.split_once(' '))
                .filter(|(_, json)| is_json(json));
            written_and_read(
                &records
                    .map(|(kind, json)| (kind.to_owned(), json.trim().to_owned()))
                    .collect(),
            );
        }
    }
}

/// A file that is encrypted is what it is, and a part of it is nothing. So is what others encrypted.
fn encrypted(file: &[u8]) {
    static KEY: LazyLock<Key> = LazyLock::new(Key::generate);
    let mut out = BackupOutput::begin(Vec::new(), Some(&KEY)).expect("memory");
    out.write_all(file).expect("memory");
    let sealed = out.finish().expect("memory");
    assert_eq!(read(&sealed, Some(&KEY)).ok(), read(file, None).ok());
    let length = file.iter().fold(file.len(), |sum, byte| sum + usize::from(*byte)) % sealed.len();
    assert!(read(&sealed[..length], Some(&KEY)).is_err());
    assert!(read(file, Some(&KEY)).is_err());
}

fn read_and_written(file: &[u8]) {
    if let Ok(records) = read(file, None) {
        written_and_read(&records);
    }
}

#[track_caller]
fn written_and_read(records: &Records) {
    let again = read(&write(records), None);
    assert!(
        again.as_ref().is_ok_and(|again| again == records),
        "{records:?}\n{again:?}"
    );
}

fn read(file: &[u8], key: Option<&Key>) -> Result<Records, UnreadableBackup> {
    let mut reader = read_backup(file, key)?;
    let mut records = Records::new();
    while let Some(entry) = reader.next_entry()? {
        assert_eq!(entry.number, records.len() as u64 + 1);
        records.push((entry.kind, entry.record.get().to_owned()));
    }
    Ok(records)
}

fn write(records: &Records) -> Vec<u8> {
    let mut writer = BackupWriter::begin(&SCHEMA.program, Vec::new(), Timestamp::from_unix(0)).expect("memory");
    for (kind, json) in records {
        writer.record(kind, json.as_bytes()).expect("JSON");
    }
    writer.end().expect("memory")
}

/// The lines in a frame that is whole, so that not every change of them is a wrong checksum.
fn compressed(lines: &[u8]) -> Vec<u8> {
    let mut frame = FrameEncoder::with_frame_info(FrameInfo::new().content_checksum(true), Vec::new());
    frame.write_all(lines).expect("memory");
    frame.finish().expect("memory")
}

fn is_json(text: &str) -> bool {
    // A line of its own has no line break, which a record could have between its members.
    serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok()
}
