//! The journal of an import: a file beside the input that records the outcome of each line. Each step is appended and
//! synced before the next one, so that an interrupted import can continue. A batch is recorded before it is sent and
//! when its outcome is known; in between, its outcome is unknown.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use codegen_store::files::{parent_directory, sync_directory};
use fs2::FileExt;
use serde::{Deserialize, Serialize};

use super::lines::Checkpoint;
use crate::commands::error::CommandError;

/// One step, which is one line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum JournalStep {
    /// The first step: the server.
    Import { url: String },
    /// The lines up to `until` are sent next, with this idempotency key. Earlier versions of this program sent none.
    Sending {
        until: Checkpoint,
        #[serde(default)]
        key: Option<String>,
    },
    /// They were not entered and are sent again.
    NotEntered,
    /// These lines were entered, under these ids; all lines up to `until` are settled. Earlier versions of this program
    /// did not know all ids.
    Entered {
        lines: Vec<u64>,
        ids: Vec<Option<i64>>,
        until: Checkpoint,
    },
    /// This line was rejected.
    Refused { line: u64, error: String },
}

/// The result of all steps.
#[derive(Debug, Default)]
pub(super) struct JournalState {
    pub(super) url: Option<String>,
    /// Every line before it is entered or rejected.
    pub(super) settled: Option<Checkpoint>,
    /// The end of the batch whose outcome is unknown, and its key.
    pub(super) sending: Option<(Checkpoint, Option<String>)>,
    /// The rejected lines after those that are settled.
    pub(super) refused: BTreeSet<u64>,
    pub(super) entered: u64,
    pub(super) rejected: u64,
}

/// The file and its state.
pub(super) struct Journal {
    file: File,
    /// `None` for an input that cannot be read again, so that no file is needed.
    path: Option<PathBuf>,
    pub(super) state: JournalState,
}

impl Journal {
    /// Opens or creates the file at `path` and locks it for this process.
    ///
    /// # Errors
    /// If it cannot be used, belongs to another import, or is not a journal. The text states what to do.
    pub(super) fn open(path: &Path, url: &str) -> Result<Journal, CommandError> {
        let named = |error: io::Error| {
            let path = path.display();
            CommandError::new(format!(
                "cannot use the progress file {path}: {error}; name another one with --progress FILE"
            ))
        };
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(named)?;
        file.try_lock_exclusive().map_err(|error| {
            match error.raw_os_error() == fs2::lock_contended_error().raw_os_error() {
                true => CommandError::new(format!(
                    "another import uses {}: wait until it has ended",
                    path.display()
                )),
                false => named(error),
            }
        })?;
        let mut journal = Journal {
            file,
            path: Some(path.to_owned()),
            state: JournalState::default(),
        };
        journal.read()?;
        match &journal.state {
            JournalState { url: Some(known), .. } if known == url => {}
            JournalState {
                url: Some(other),
                settled,
                sending,
                ..
            } if settled.is_some() || sending.is_some() => {
                return Err(CommandError::new(format!(
                    "{} has the progress of an import into {other}, not {url}: use that --url, or another file with \
                     --progress FILE",
                    path.display()
                )));
            }
            // The journal is new, or has no outcome yet.
            JournalState { .. } => {
                journal.file.set_len(0).map_err(named)?;
                journal.add(JournalStep::Import { url: url.to_owned() })?;
                sync_directory(parent_directory(path)).map_err(named)?;
            }
        }
        Ok(journal)
    }

    /// A journal without a file, for an input that cannot be read again.
    pub(super) fn without_file() -> Result<Journal, CommandError> {
        Ok(Journal {
            file: tempfile::tempfile()
                .map_err(|error| CommandError::new(format!("cannot create a temporary file: {error}; set TMPDIR")))?,
            path: None,
            state: JournalState::default(),
        })
    }

    /// The path of the file, if there is one.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Appends a step. It is on disk when this returns.
    pub(super) fn add(&mut self, record: JournalStep) -> Result<(), CommandError> {
        let mut line = serde_json::to_string(&record).expect("records have text keys");
        line.push('\n');
        let synced = match self.path {
            Some(_) => self
                .file
                .write_all(line.as_bytes())
                .and_then(|()| self.file.sync_data()),
            None => self.file.write_all(line.as_bytes()),
        };
        synced.map_err(|error| self.failure(&error))?;
        self.state.apply(record);
        Ok(())
    }

    /// Passes every step to `show`, in order. An incompletely written step is ignored.
    pub(super) fn each(&self, show: impl FnMut(JournalStep) -> Result<(), CommandError>) -> Result<(), CommandError> {
        self.steps(show).map(|_| ())
    }

    /// Passes every complete step to `show`. Returns their length in bytes, and the bytes after them.
    fn steps(
        &self,
        mut show: impl FnMut(JournalStep) -> Result<(), CommandError>,
    ) -> Result<(u64, Vec<u8>), CommandError> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0)).map_err(|error| self.failure(&error))?;
        let mut input = BufReader::new(file);
        let (mut whole, mut line) = (0, Vec::new());
        loop {
            line.clear();
            let length = input
                .read_until(b'\n', &mut line)
                .map_err(|error| self.failure(&error))?;
            if line.last() != Some(&b'\n') {
                return Ok((whole, line));
            }
            show(serde_json::from_slice(&line).map_err(|_| self.unreadable())?)?;
            whole += length as u64;
        }
    }

    /// Reads the file. An incomplete end, left by a crash, is removed.
    fn read(&mut self) -> Result<(), CommandError> {
        let mut state = JournalState::default();
        let (whole, rest) = self.steps(|record| {
            state.apply(record);
            Ok(())
        })?;
        // A file with another beginning may be something else.
        let ours = b"{\"import\":";
        if whole == 0 && rest.iter().zip(ours).any(|(is, ought)| is != ought) {
            return Err(self.unreadable());
        }
        self.file.set_len(whole).map_err(|error| self.failure(&error))?;
        self.state = state;
        Ok(())
    }

    fn failure(&self, error: &io::Error) -> CommandError {
        CommandError::new(match &self.path {
            Some(path) => format!(
                "cannot write the progress file {}: {error}; fix the cause, and run the same command again",
                path.display()
            ),
            None => format!(
                "cannot write the progress to a temporary file: {error}; fix the cause or set TMPDIR, and check which workers \
                 were entered before you send lines again"
            ),
        })
    }

    fn unreadable(&self) -> CommandError {
        let place = self.path.as_deref().unwrap_or(Path::new("")).display();
        CommandError::new(format!(
            "{place} is not the progress file of an import: move it away, or name another file with --progress FILE"
        ))
    }
}

impl JournalState {
    fn apply(&mut self, record: JournalStep) {
        match record {
            JournalStep::Import { url } => self.url = Some(url),
            JournalStep::Sending { until, key } => self.sending = Some((until, key)),
            JournalStep::NotEntered => self.sending = None,
            JournalStep::Entered { lines, until, .. } => {
                self.entered += lines.len() as u64;
                self.settle(until);
            }
            JournalStep::Refused { line, .. } => {
                self.rejected += u64::from(self.refused.insert(line));
            }
        }
    }

    fn settle(&mut self, until: Checkpoint) {
        self.settled = Some(until);
        self.sending = None;
        self.refused.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint(line: u64) -> Checkpoint {
        Checkpoint {
            line,
            offset: line * 10,
            sha256: "00".to_owned(),
        }
    }

    fn entered(lines: Vec<u64>) -> JournalStep {
        let ids = lines.iter().map(|line| Some(*line as i64)).collect();
        let until = checkpoint(*lines.last().expect("lines"));
        JournalStep::Entered { lines, ids, until }
    }

    fn sending(line: u64, key: &str) -> JournalStep {
        let (until, key) = (checkpoint(line), Some(key.to_owned()));
        JournalStep::Sending { until, key }
    }

    fn refused(line: u64) -> JournalStep {
        let error = "no".to_owned();
        JournalStep::Refused { line, error }
    }

    fn rejected(path: &Path, url: &str) -> String {
        Journal::open(path, url).map(|_| ()).expect_err("refused").to_string()
    }

    #[test]
    fn what_was_added_is_there_when_it_is_opened_again() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("p");
        let mut journal = Journal::open(&path, "http://a").expect("made");
        for step in [
            sending(2, "a"),
            entered(vec![1, 2]),
            sending(9, "b"),
            refused(3),
            sending(9, "c"),
        ] {
            journal.add(step).expect("added");
        }
        assert!(rejected(&path, "http://a").contains("another import uses"));
        drop(journal);

        let state = Journal::open(&path, "http://a").expect("opened").state;
        assert_eq!(
            (state.entered, state.rejected, state.refused),
            (2, 1, BTreeSet::from([3]))
        );
        assert_eq!(
            (state.settled, state.sending),
            (Some(checkpoint(2)), Some((checkpoint(9), Some("c".to_owned()))))
        );
        assert!(rejected(&path, "http://b").contains("an import into http://a"));
    }

    #[test]
    fn a_file_of_which_nothing_came_may_become_another_servers() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("p");
        let mut journal = Journal::open(&path, "http://a").expect("made");
        journal.add(sending(2, "a")).expect("added");
        drop(journal);
        assert!(rejected(&path, "http://b").contains("an import into http://a"));
        let mut journal = Journal::open(&path, "http://a").expect("opened");
        journal.add(JournalStep::NotEntered).expect("added");
        drop(journal);
        let journal = Journal::open(&path, "http://b").expect("taken over");
        drop(journal);
        assert_eq!(
            Journal::open(&path, "http://b").expect("opened").state.url.as_deref(),
            Some("http://b")
        );
    }

    #[test]
    fn a_line_that_is_rejected_again_counts_once_and_what_is_settled_is_forgotten() {
        let directory = tempfile::tempdir().expect("a directory");
        let mut journal = Journal::open(&directory.path().join("p"), "u").expect("made");
        for step in [refused(1), refused(1), entered(vec![2]), refused(3)] {
            journal.add(step).expect("added");
        }
        assert_eq!(
            (journal.state.rejected, &journal.state.refused),
            (2, &BTreeSet::from([3]))
        );
    }

    #[test]
    fn the_steps_of_earlier_versions_are_read() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("p");
        let at = r#"{"line":1,"offset":10,"sha256":"00"}"#;
        let steps = format!(
            "{{\"import\":{{\"url\":\"u\"}}}}\n{{\"refused\":{{\"line\":1,\"error\":\"no\",\"until\":{at}}}}}\n\
             {{\"sending\":{{\"until\":{at},\"at\":5}}}}\n"
        );
        std::fs::write(&path, steps).expect("written");
        let state = Journal::open(&path, "u").expect("opened").state;
        assert_eq!((state.rejected, state.sending), (1, Some((checkpoint(1), None))));
    }

    #[test]
    fn a_step_that_was_cut_off_was_not_taken() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("p");
        let mut journal = Journal::open(&path, "u").expect("made");
        journal.add(entered(vec![1])).expect("added");
        let before = std::fs::read(&path).expect("there").len();
        journal.add(entered(vec![2])).expect("added");
        drop(journal);
        let whole = std::fs::read(&path).expect("there");
        for length in before..whole.len() {
            std::fs::write(&path, &whole[..length]).expect("written");
            let mut journal = Journal::open(&path, "u").expect("opened");
            assert_eq!(journal.state.entered, 1, "{length}");
            // Simulates a write that failed in the middle.
            std::fs::write(&path, &whole[..length]).expect("written");
            let mut visited = 0;
            let each = journal.each(|_| {
                visited += 1;
                Ok(())
            });
            assert_eq!((each.is_ok(), visited), (true, 2), "{length}");
            std::fs::write(&path, &whole[..before]).expect("written");
            journal.add(entered(vec![2])).expect("added");
            drop(journal);
            assert_eq!(Journal::open(&path, "u").expect("opened").state.entered, 2, "{length}");
        }
    }

    #[test]
    fn a_file_of_something_else_is_left_alone() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("p");
        for content in ["a letter\n", "a letter", "{\"import\":{\"url\":\"u\"}}\nand more\n"] {
            std::fs::write(&path, content).expect("written");
            assert!(
                rejected(&path, "u").contains("is not the progress file of an import"),
                "{content}"
            );
            assert_eq!(std::fs::read_to_string(&path).expect("there"), content);
        }
    }
}
