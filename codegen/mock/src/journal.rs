//! The state in a file: a line of JSON for each change, written before the change is acknowledged. A line that was not
//! written to its end is cut off when the file is opened.

use crate::store::{Changes, Record, Store};
use crate::value::{Value, parse};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// An open file.
#[derive(Debug)]
pub struct Journal {
    file: File,
    /// The changes that were in the file, until they are in the store.
    former: Vec<Value>,
    /// The bytes of whole lines.
    length: u64,
}

impl Journal {
    /// Opens or creates the file of this contract.
    ///
    /// # Errors
    /// It cannot be read or written, another process has it, or it is something else.
    pub fn open(path: &Path, contract: &str) -> io::Result<Self> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("it is no file"));
        }
        fs2::FileExt::try_lock_exclusive(&file).map_err(|_| io::Error::other("another process uses it"))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let lines = bytes[..whole]
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty());
        let mut former = Vec::new();
        for (line, number) in lines.zip(1..) {
            let wrong = |reason: &str| io::Error::other(format!("line {number} {reason}"));
            let change = parse(line).map_err(|error| wrong(&format!("is not JSON: {error}")))?;
            match (number, change.member("contract")) {
                (1, Some(Value::Text(known))) if known == contract => {}
                (1, Some(Value::Text(known))) => {
                    return Err(wrong(&format!(
                        "says that it is of the contract `{known}`, not `{contract}`"
                    )));
                }
                (1, _) => return Err(wrong("does not begin the state of a mock")),
                _ => former.push(change),
            }
        }
        if whole == 0 && !bytes.is_empty() && !bytes.starts_with(b"{\"contract\":") {
            return Err(io::Error::other("it is not the state of a mock"));
        }
        let mut journal = Self {
            file,
            former,
            length: whole as u64,
        };
        journal.file.set_len(journal.length)?;
        if whole == 0 {
            let first = Value::Object(vec![("contract".to_owned(), Value::text(contract))]);
            journal.write(&first, true)?;
        }
        Ok(journal)
    }

    /// Puts what was in the file into the store.
    pub(crate) fn fill(&mut self, store: &mut Store) {
        for change in std::mem::take(&mut self.former) {
            for (table, last) in members(&change, "last") {
                store.set_last(table, last.as_integer().unwrap_or_default());
            }
            for record in change.member("records").map(Value::items).unwrap_or_default() {
                let [Value::Text(table), id, record] = record.items() else {
                    continue;
                };
                let record = match record {
                    Value::Object(fields) => Some(fields.iter().cloned().collect::<Record>()),
                    _ => None,
                };
                if let Some(id) = id.as_id() {
                    store.set(table, id, record);
                }
            }
        }
        store.keep();
    }

    /// Adds changes. With `is_write` they are on the disk when this returns.
    pub(crate) fn append(&mut self, changes: &Changes<'_>, is_write: bool) -> io::Result<()> {
        if changes.is_empty() {
            return Ok(());
        }
        let last = changes
            .last
            .iter()
            .map(|(table, last)| ((*table).clone(), Value::integer(*last)));
        let records = changes.records.iter().map(|((table, id), record)| {
            let fields = |record: &Record| {
                record
                    .iter()
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect()
            };
            let record = record.map_or(Value::Null, |record| Value::Object(fields(record)));
            Value::List(vec![Value::text(table), Value::id(*id), record])
        });
        let (last, records) = (Value::Object(last.collect()), Value::List(records.collect()));
        let line = Value::Object(vec![("last".to_owned(), last), ("records".to_owned(), records)]);
        self.write(&line, is_write)
    }

    fn write(&mut self, line: &Value, is_synced: bool) -> io::Result<()> {
        let line = format!("{line}\n");
        // What an earlier failure has left is overwritten, or cut off with the next line.
        self.file.seek(SeekFrom::Start(self.length))?;
        let written = self.file.write_all(line.as_bytes()).and_then(|()| match is_synced {
            true => self.file.sync_data(),
            false => Ok(()),
        });
        if written.is_err() {
            let _ = self.file.set_len(self.length);
            return written;
        }
        self.length += line.len() as u64;
        Ok(())
    }
}

fn members<'v>(value: &'v Value, name: &str) -> &'v [(String, Value)] {
    match value.member(name) {
        Some(Value::Object(members)) => members,
        _ => &[],
    }
}
