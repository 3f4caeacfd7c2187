//! Power cuts while files are sent. A run of the server is recorded once, as in `power_cut`. Disks are rebuilt for random moments, and
//! for those just after an answer, and the real server is started on each.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;

use rand::RngExt as _;
use rand::rngs::StdRng;
use tempfile::TempDir;
use test_support::process::{Launch, directory};

use super::{Load, Message, Pair, Sent, checked};
use crate::crash::recording::{Deed, Event, Kind, Recording, STRACE};
use crate::crash::replay::{Disk, Policy, Replay};
use crate::crash::{chance, open_all, variable};
use crate::trace;

/// The files that each client sends in the recording.
const EACH: usize = 8;

/// The recording of a server to which files were sent.
struct Life {
    /// The folder of the recording. The server made the directory `data` in it.
    place: TempDir,
    recording: Recording,
    pair: Pair,
    load: Load,
}

/// The sums over the disks of a recording.
#[derive(Default)]
struct Totals {
    disks: u64,
    uploads: usize,
    named: usize,
    unanswered: usize,
    wrong: Vec<String>,
}

#[test]
fn every_acknowledged_file_is_whole_after_a_power_cut_and_none_is_read_half() {
    let life = Life::record();
    let sum = life.cut(variable("HITODE_FILE_CUTS", 12));
    println!(
        "{} disks after a power cut, {} files acknowledged, {} of them named in messages, {} wrong; uploads without an answer were \
         read {} times, all whole",
        sum.disks,
        sum.uploads,
        sum.named,
        sum.wrong.len(),
        sum.unanswered
    );
    assert!(sum.wrong.is_empty(), "{}", sum.wrong.join("\n"));
    assert!(sum.uploads > 0 && sum.named > 0);
}

/// The same recording, as if the server had not synced the files, or not the directories that have their names.
#[test]
fn files_that_are_not_synced_are_found_missing() {
    let mut life = Life::record();
    let events = std::mem::take(&mut life.recording.events);
    for part in ["files", "directories"] {
        life.recording.events = without_syncs(&events, &life.files(), part == "files");
        let sum = life.cut(12);
        println!(
            "{} disks without the sync of {part}, {} wrong",
            sum.disks,
            sum.wrong.len()
        );
        assert!(!sum.wrong.is_empty(), "the sync of {part} is not missed");
    }
}

/// The events without the syncs of the files below a directory, or without those of the directories there.
fn without_syncs(events: &[Event], below: &Path, of_files: bool) -> Vec<Event> {
    let names = events.iter().filter_map(|event| match &event.deed {
        Deed::Names { names, .. } => Some(names),
        _ => None,
    });
    let nodes: Vec<_> = names
        .flatten()
        .filter(|(path, _)| path.starts_with(below))
        .filter_map(|(_, kind)| match kind {
            Some(Kind::File(node)) => Some(*node),
            _ => None,
        })
        .collect();
    let is_kept = |event: &&Event| match &event.deed {
        Deed::Sync { node } => !of_files || !nodes.contains(node),
        Deed::SyncNames { directory } => of_files || !directory.starts_with(below),
        _ => true,
    };
    events.iter().filter(is_kept).cloned().collect()
}

impl Life {
    fn record() -> Self {
        let (place, traces) = (directory(), directory());
        let root = place.path().canonicalize().expect("it is there");
        let trace = traces.path().join("trace");
        let service = Launch::on(&root.join("data"))
            .arg("--rate-limits")
            .arg("off")
            .under_strace(STRACE, &trace)
            .start();
        let pair = Pair::enter(&service);
        let load = pair.send(&service, "cut", EACH, &mut chance(6 << 20), || {});
        assert_eq!((service.stop().code, load.unanswered), (Some(0), 0));
        let mut recording = Recording::read(&root);
        recording.add(&trace::read(&trace));
        let left = Replay::new(&recording).disk(usize::MAX, Policy::Everything, &mut chance(0));
        assert!(
            left == Disk::read(&root),
            "the recording does not lead to what the server left"
        );
        Self {
            place,
            recording,
            pair,
            load,
        }
    }

    fn root(&self) -> std::path::PathBuf {
        self.place.path().canonicalize().expect("it is there")
    }

    fn files(&self) -> std::path::PathBuf {
        self.root().join("data/files")
    }

    /// Opens this number of disks.
    fn cut(&self, disks: u64) -> Totals {
        let (replay, answers) = (Replay::new(&self.recording), self.recording.answers());
        let sum = Mutex::new(Totals {
            disks,
            ..Totals::default()
        });
        open_all(disks, |number| {
            let mut chance = chance(7 << 20 | number as u64);
            let moment = self.moment(number, &answers, &mut chance);
            let policy = Policy::ALL[number / 2 % Policy::ALL.len()];
            let state = directory();
            replay
                .disk(moment, policy, &mut chance)
                .write(&self.root(), state.path());
            let load = self.load.before(|request| answers[request] < moment);
            let opened = self.open(&state.path().join("data"), &load, &mut chance);
            let mut sum = sum.lock().expect("a lock");
            sum.uploads += load.files.len();
            sum.named += load.files.iter().filter(|sent| is_named(sent)).count();
            match opened {
                Ok(unanswered) => sum.unanswered += unanswered,
                Err(wrong) => sum
                    .wrong
                    .push(format!("disk {number}, before event {moment}, {policy:?}: {wrong}")),
            }
        });
        sum.into_inner().expect("a lock")
    }

    /// Just after an answer to an upload or to a message, or any moment after the first of them.
    fn moment(&self, number: usize, answers: &HashMap<&str, usize>, chance: &mut StdRng) -> usize {
        let uploads = self.load.files.iter().map(|sent| answers[sent.upload.as_str()]);
        let first = uploads.min().expect("there are files");
        let moments: Vec<usize> = match number % 2 {
            0 => answers.values().copied().filter(|begun| *begun >= first).collect(),
            _ => {
                let begun = self.recording.events.iter().map(|event| event.begun);
                begun.filter(|begun| *begun >= first).collect()
            }
        };
        moments[chance.random_range(0..moments.len())] + 1
    }

    /// Starts the server on a disk. Returns the uploads without an answer that it shows, or what is wrong.
    fn open(&self, data: &Path, load: &Load, chance: &mut StdRng) -> Result<usize, String> {
        let launch = Launch::on(data).arg("--rate-limits").arg("off");
        let service = launch
            .try_start()
            .map_err(|ended| format!("it does not start: {}", ended.log))?;
        let last = self
            .load
            .files
            .iter()
            .map(|sent| sent.id)
            .max()
            .expect("there are files");
        let seen = self.pair.look(&service, load, 1..=last);
        if !seen.wrong.is_empty() {
            return Err(seen.wrong.join("; "));
        }
        // A disk that looks right may be damaged for the following files.
        let more = self.pair.send(&service, "more", 1, chance, || {});
        let seen_then = self.pair.look(&service, &more, []);
        if !seen_then.wrong.is_empty() {
            return Err(format!("after the start: {}", seen_then.wrong.join("; ")));
        }
        if service.stop().code != Some(0) {
            return Err("it does not stop".to_owned());
        }
        checked(data)?;
        Ok(seen.unanswered)
    }
}

fn is_named(sent: &Sent) -> bool {
    matches!(sent.message, Message::Answered(_))
}

impl Load {
    /// What of it was answered by then.
    fn before(&self, is_answered: impl Fn(&str) -> bool) -> Load {
        let files = self.files.iter().filter(|sent| is_answered(&sent.upload));
        let as_then = |sent: &Sent| Sent {
            message: match &sent.message {
                Message::Answered(request) if !is_answered(request) => Message::Unanswered,
                message => message.clone(),
            },
            ..sent.clone()
        };
        Load {
            files: files.map(as_then).collect(),
            ..self.clone()
        }
    }
}
