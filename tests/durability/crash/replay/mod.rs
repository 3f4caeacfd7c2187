//! Disks as a power cut may have left them, rebuilt from a recording.
//!
//! An operation is on the disk if a sync of its file (of its directory, for names) began after it and ended before the cut. A
//! policy decides about all others that had begun: complete, missing, truncated, present in some sectors, or zeros. This is
//! worse than any disk that keeps the order of its writes.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rand::RngExt as _;
use rand::rngs::StdRng;

use crate::crash::recording::{Deed, Event, Kind, Node, Recording};

/// The unit that a disk writes at once, in bytes.
const SECTOR: usize = 512;

/// The fate of operations that no sync covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Policy {
    /// All are missing.
    Nothing,
    /// All are present.
    Everything,
    /// Each by itself: present, missing, truncated or partly present.
    Chance,
    /// The earlier ones are missing, the later ones are present.
    Reordered,
    /// The earlier ones are present, the last one in part.
    Torn,
    /// Names and lengths are present, and the bytes are zeros.
    Zeros,
}

/// The names and the content of files.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Disk {
    directories: BTreeSet<PathBuf>,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

/// The fate of one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    There,
    Missing,
    CutShort,
    Sectors,
    /// The file has the length, and zeros for the bytes.
    Zeros,
}

/// The possible fates, all equally likely.
const FATES: [Fate; 5] = [Fate::There, Fate::Missing, Fate::CutShort, Fate::Sectors, Fate::Zeros];

/// A recording, and for each of its operations the event from which it is on the disk for certain.
pub(super) struct Replay<'r> {
    deeds: Vec<(&'r Event, usize)>,
}

impl<'r> Replay<'r> {
    pub(super) fn new(recording: &'r Recording) -> Replay<'r> {
        let is_sync = |event: &&Event| matches!(event.deed, Deed::Sync { .. } | Deed::SyncNames { .. });
        let syncs: Vec<&Event> = recording.events.iter().filter(is_sync).collect();
        let safe_from = |event| {
            syncs
                .iter()
                .filter(|sync| covers(sync, event))
                .map(|sync| sync.ended)
                .min()
        };
        let deeds = recording.events.iter();
        let deeds = deeds.filter(|event| !is_sync(event) && !matches!(event.deed, Deed::Answer { .. }));
        Replay {
            deeds: deeds
                .map(|event| (event, safe_from(event).unwrap_or(usize::MAX)))
                .collect(),
        }
    }

    /// The disk after a cut before the event `moment`.
    pub(super) fn disk(&self, moment: usize, policy: Policy, chance: &mut StdRng) -> Disk {
        let begun = self.deeds.iter().filter(|(event, _)| event.begun < moment);
        let unsynced = begun.clone().filter(|(_, safe_from)| *safe_from >= moment).count();
        // In Reordered: the number of missing operations before the first present one.
        let missing = if unsynced == 0 {
            0
        } else {
            chance.random_range(1..=unsynced)
        };
        let mut place = 0;
        let mut builder = Builder::default();
        for (event, safe_from) in begun {
            let mut fate = Fate::There;
            if *safe_from >= moment {
                place += 1;
                fate = policy.fate(place, missing, unsynced, chance);
            }
            builder.apply(&event.deed, fate, chance);
        }
        builder.disk()
    }
}

impl Policy {
    pub(super) const ALL: [Policy; 6] = [
        Policy::Nothing,
        Policy::Everything,
        Policy::Chance,
        Policy::Reordered,
        Policy::Torn,
        Policy::Zeros,
    ];

    /// The fate of the unsynced operation number `place`, from 1 to `unsynced`.
    fn fate(self, place: usize, missing: usize, unsynced: usize, chance: &mut StdRng) -> Fate {
        match self {
            Policy::Nothing => Fate::Missing,
            Policy::Everything => Fate::There,
            Policy::Chance => FATES[chance.random_range(0..FATES.len())],
            Policy::Reordered if place <= missing => Fate::Missing,
            Policy::Torn if place == unsynced => [Fate::CutShort, Fate::Sectors][chance.random_range(0..2)],
            Policy::Zeros => Fate::Zeros,
            Policy::Reordered | Policy::Torn => Fate::There,
        }
    }
}

/// Whether this completed sync puts the operation on the disk.
fn covers(sync: &Event, event: &Event) -> bool {
    sync.begun > event.ended
        && match (&sync.deed, &event.deed) {
            (Deed::Sync { node }, Deed::Write { node: of, .. } | Deed::Length { node: of, .. }) => node == of,
            (Deed::SyncNames { directory }, Deed::Names { directory: of, .. }) => directory == of,
            _ => false,
        }
}

#[derive(Default)]
struct Builder {
    names: BTreeMap<PathBuf, Kind>,
    content: BTreeMap<Node, Vec<u8>>,
}

impl Builder {
    fn apply(&mut self, deed: &Deed, fate: Fate, chance: &mut StdRng) {
        match deed {
            Deed::Names { names, .. } => {
                // The entries of a directory change as a whole.
                if fate == Fate::Missing || fate == Fate::CutShort {
                    return;
                }
                for (path, kind) in names {
                    match kind {
                        Some(kind) => self.names.insert(path.clone(), *kind),
                        None => self.names.remove(path),
                    };
                }
            }
            Deed::Length { node, length } => {
                if fate != Fate::Missing {
                    self.content.entry(*node).or_default().resize(*length, 0);
                }
            }
            Deed::Write { node, offset, bytes } => {
                let content = self.content.entry(*node).or_default();
                match fate {
                    Fate::Missing => {}
                    Fate::There => put(content, *offset, bytes),
                    Fate::CutShort => put(content, *offset, &bytes[..chance.random_range(0..=bytes.len())]),
                    Fate::Sectors => {
                        for (from, sector) in sectors(*offset, bytes) {
                            if chance.random() {
                                put(content, from, sector);
                            }
                        }
                    }
                    Fate::Zeros => content.resize(content.len().max(offset + bytes.len()), 0),
                }
            }
            Deed::Sync { .. } | Deed::SyncNames { .. } | Deed::Answer { .. } => {}
        }
    }

    fn disk(self) -> Disk {
        let mut disk = Disk::default();
        for (path, kind) in self.names {
            match kind {
                Kind::Directory => {
                    disk.directories.insert(path);
                }
                Kind::File(node) => {
                    let content = self.content.get(&node).cloned().unwrap_or_default();
                    disk.files.insert(path, content);
                }
            }
        }
        disk
    }
}

fn put(content: &mut Vec<u8>, offset: usize, bytes: &[u8]) {
    if bytes.is_empty() {
        return;
    }
    let end = offset + bytes.len();
    if content.len() < end {
        content.resize(end, 0);
    }
    content[offset..end].copy_from_slice(bytes);
}

/// The parts of a write in one sector each, with their offsets.
fn sectors(offset: usize, bytes: &[u8]) -> Vec<(usize, &[u8])> {
    let mut parts = Vec::new();
    let (mut from, mut rest) = (offset, bytes);
    while !rest.is_empty() {
        let length = rest.len().min(SECTOR - from % SECTOR);
        let (part, others) = rest.split_at(length);
        parts.push((from, part));
        (from, rest) = (from + length, others);
    }
    parts
}

impl Disk {
    /// The present content of `root`.
    pub(super) fn read(root: &Path) -> Disk {
        let mut disk = Disk::default();
        disk.read_into(root);
        disk
    }

    fn read_into(&mut self, directory: &Path) {
        for entry in fs::read_dir(directory).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                self.read_into(&path);
                self.directories.insert(path);
            } else {
                let content = fs::read(&path).expect("readable");
                self.files.insert(path, content);
            }
        }
    }

    /// Writes the disk of a recording at `from` to the existing directory `to`.
    pub(super) fn write(&self, from: &Path, to: &Path) {
        let there = |path: &Path| to.join(path.strip_prefix(from).expect("under the root"));
        for directory in &self.directories {
            // Sorted paths have parents first. Without its parents a file has no place.
            let _ = fs::DirBuilder::new().mode(0o700).create(there(directory));
        }
        for (path, content) in &self.files {
            let mut file = fs::OpenOptions::new();
            let file = file.write(true).create_new(true).mode(0o600).open(there(path));
            if let Ok(mut file) = file {
                file.write_all(content).expect("written");
            }
        }
    }
}
