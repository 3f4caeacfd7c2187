//! The file operations of a run on one directory, as strace saw them: exact bytes, offsets, names and syncs.
//!
//! An operation that could change the directory and is unknown is a panic: an incomplete recording would prove nothing.

mod args;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use self::args::{descriptor, path, path_of_descriptor, strings};
use crate::trace::Call;

/// The arguments of strace that [`Recording::add`] needs: whole strings in hexadecimal, descriptors with their paths,
/// and every call that can change a file or send an answer.
pub(super) const STRACE: &[&str] = &["--seccomp-bpf", "-tt", "-y", "-xx", "-s", "67108864", "-e", CALLS];

const CALLS: &str = "trace=open,openat,creat,close,lseek,write,writev,pwrite64,pwritev,pwritev2,truncate,ftruncate,\
                     fallocate,copy_file_range,sendfile,splice,rename,renameat,renameat2,unlink,unlinkat,link,linkat,\
                     symlink,symlinkat,mkdir,mkdirat,rmdir,mknod,mknodat,fsync,fdatasync,sync,syncfs,sync_file_range,\
                     sendto,sendmsg";

/// A file, independent of its name.
pub(super) type Node = usize;

/// The effect of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Deed {
    /// The bytes of a file from `offset` on.
    Write { node: Node, offset: usize, bytes: Vec<u8> },
    /// The file has this length.
    Length { node: Node, length: usize },
    /// Names of a directory: each now refers to another file, or to none.
    Names {
        directory: PathBuf,
        names: Vec<(PathBuf, Option<Kind>)>,
    },
    /// Earlier operations on a file are on the disk once this has ended.
    Sync { node: Node },
    /// The same for the names in a directory.
    SyncNames { directory: PathBuf },
    /// An answer began to be sent.
    Answer { request: String },
}

/// The position of the next plain write of a descriptor. Its number may be that of another file before the former one is closed in
/// the order of the trace, so the path belongs to it.
type Positions = HashMap<(u64, PathBuf), usize>;

/// What a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Directory,
    File(Node),
}

/// An operation, with its start and end in the order of all recorded events.
#[derive(Debug, Clone)]
pub(super) struct Event {
    pub(super) begun: usize,
    /// After all others if it never returned.
    pub(super) ended: usize,
    pub(super) deed: Deed,
}

/// All operations under one directory, which existed and was empty at the start.
#[derive(Debug)]
pub(super) struct Recording {
    root: PathBuf,
    pub(super) events: Vec<Event>,
    /// The number of events so far.
    pub(super) end: usize,
    names: BTreeMap<PathBuf, Kind>,
    lengths: Vec<usize>,
}

impl Recording {
    pub(super) fn read(root: &Path) -> Recording {
        Recording {
            root: root.to_owned(),
            events: Vec::new(),
            end: 0,
            names: BTreeMap::new(),
            lengths: Vec::new(),
        }
    }

    /// Adds a run of the server that followed the earlier ones.
    pub(super) fn add(&mut self, calls: &[Call]) {
        let start = self.end;
        let mut positions = Positions::new();
        for call in calls {
            for deed in self.deeds(call, &mut positions) {
                let ended = if call.ended == usize::MAX {
                    usize::MAX
                } else {
                    start + call.ended
                };
                self.events.push(Event {
                    begun: start + call.begun,
                    ended,
                    deed,
                });
            }
        }
        let last = calls
            .iter()
            .flat_map(|call| [call.begun, call.ended])
            .filter(|place| *place != usize::MAX)
            .max();
        self.end += last.map_or(0, |last| last + 1);
    }

    /// The event at which each answer began to be sent, by the name of its request.
    pub(super) fn answers(&self) -> HashMap<&str, usize> {
        let mut answers = HashMap::new();
        for event in &self.events {
            if let Deed::Answer { request } = &event.deed {
                answers.insert(request.as_str(), event.begun);
            }
        }
        answers
    }

    fn deeds(&mut self, call: &Call, positions: &mut Positions) -> Vec<Deed> {
        let strings = strings(&call.args);
        match call.name.as_str() {
            "open" | "openat" | "creat" => self.open(call, &strings, positions),
            "write" | "writev" | "sendto" | "sendmsg" if !self.is_ours(&call.args) => answers_in(&strings.concat()),
            "write" => {
                let (opened, node) = (opened(&call.args), self.node(&call.args));
                let bytes = bytes_of(call, &strings);
                let offset = *positions.get(&opened).expect("a descriptor that was opened");
                positions.insert(opened, offset + bytes.len());
                self.write(node, offset, bytes)
            }
            "lseek" => {
                let position = call.result.and_then(|position| usize::try_from(position).ok());
                positions.extend(position.map(|position| (opened(&call.args), position)));
                Vec::new()
            }
            "pwrite64" if self.is_ours(&call.args) => {
                let offset = call.args.trim_end_matches(" <unfinished ...>");
                let offset = offset.rsplit(", ").next().expect("an offset");
                let offset = offset
                    .split(|other: char| !other.is_ascii_digit())
                    .next()
                    .expect("digits");
                let bytes = bytes_of(call, &strings);
                self.write(self.node(&call.args), offset.parse().expect("an offset"), bytes)
            }
            "ftruncate" if self.is_ours(&call.args) => {
                let length = call.args.split(", ").nth(1).expect("a length");
                let length = length
                    .split(|other: char| !other.is_ascii_digit())
                    .next()
                    .expect("digits");
                let (node, length) = (self.node(&call.args), length.parse().expect("a length"));
                self.lengths[node] = length;
                vec![Deed::Length { node, length }]
            }
            "mkdir" | "rename" | "unlink" | "rmdir" if call.result.is_some() => self.rename(call, &strings),
            "fsync" | "fdatasync" if call.is_sync() => self.sync(&call.args),
            // It writes no byte, and makes nothing durable: neither the disk's own cache nor the length of the file.
            "sync_file_range" | "close" => Vec::new(),
            _ if call.result.is_none() || !self.is_ours(&call.args) && !self.is_under(&strings) => Vec::new(),
            _ => panic!("the recording does not understand {call:?}"),
        }
    }

    fn open(&mut self, call: &Call, strings: &[Vec<u8>], positions: &mut Positions) -> Vec<Deed> {
        let Some(descriptor) = call.result else {
            return Vec::new();
        };
        let path = path(&strings[0]);
        if !path.starts_with(&self.root) {
            return Vec::new();
        }
        assert!(!call.args.contains("O_APPEND") && call.name == "openat", "{call:?}");
        positions.insert((u64::try_from(descriptor).expect("not negative"), path.clone()), 0);
        match self.names.get(&path) {
            Some(Kind::File(node)) if call.args.contains("O_TRUNC") && self.lengths[*node] > 0 => {
                self.lengths[*node] = 0;
                vec![Deed::Length { node: *node, length: 0 }]
            }
            None if call.args.contains("O_CREAT") => {
                self.lengths.push(0);
                self.name(vec![(path, Some(Kind::File(self.lengths.len() - 1)))])
            }
            _ => Vec::new(),
        }
    }

    fn rename(&mut self, call: &Call, strings: &[Vec<u8>]) -> Vec<Deed> {
        let first = path(&strings[0]);
        if !first.starts_with(&self.root) {
            return Vec::new();
        }
        match call.name.as_str() {
            "mkdir" => self.name(vec![(first, Some(Kind::Directory))]),
            "rename" => {
                let (kind, second) = (self.names[&first], path(&strings[1]));
                if first.parent() == second.parent() {
                    return self.name(vec![(first, None), (second, Some(kind))]);
                }
                // Each directory is synced by itself.
                let mut deeds = self.name(vec![(second, Some(kind))]);
                deeds.extend(self.name(vec![(first, None)]));
                deeds
            }
            _ => self.name(vec![(first, None)]),
        }
    }

    fn name(&mut self, names: Vec<(PathBuf, Option<Kind>)>) -> Vec<Deed> {
        for (path, kind) in &names {
            match kind {
                Some(kind) => self.names.insert(path.clone(), *kind),
                None => self.names.remove(path),
            };
        }
        let directory = names[0].0.parent().expect("below the root").to_owned();
        vec![Deed::Names { directory, names }]
    }

    fn write(&mut self, node: Node, offset: usize, bytes: Vec<u8>) -> Vec<Deed> {
        self.lengths[node] = self.lengths[node].max(offset + bytes.len());
        vec![Deed::Write { node, offset, bytes }]
    }

    fn sync(&self, args: &str) -> Vec<Deed> {
        let path = path_of_descriptor(args);
        match self.names.get(&path) {
            Some(Kind::File(node)) => vec![Deed::Sync { node: *node }],
            _ if path.starts_with(&self.root) => vec![Deed::SyncNames { directory: path }],
            _ => Vec::new(),
        }
    }

    fn is_ours(&self, args: &str) -> bool {
        path_of_descriptor(args).starts_with(&self.root)
    }

    fn is_under(&self, strings: &[Vec<u8>]) -> bool {
        strings.iter().any(|string| path(string).starts_with(&self.root))
    }

    fn node(&self, args: &str) -> Node {
        let path = path_of_descriptor(args);
        match self.names.get(&path) {
            Some(Kind::File(node)) => *node,
            other => panic!("{} is {other:?}", path.display()),
        }
    }
}

/// The descriptor at the start of the arguments, and its path.
fn opened(args: &str) -> (u64, PathBuf) {
    (descriptor(args), path_of_descriptor(args))
}

/// The bytes of a completed write. An uncompleted one may have written all of them.
fn bytes_of(call: &Call, strings: &[Vec<u8>]) -> Vec<u8> {
    assert!(
        call.result.is_some() || call.ended == usize::MAX,
        "a write failed: {} {}",
        call.name,
        call.begun
    );
    let mut bytes = strings.concat();
    if let Some(count) = call.result {
        bytes.truncate(usize::try_from(count).expect("not negative"));
    }
    bytes
}

fn answers_in(bytes: &[u8]) -> Vec<Deed> {
    let text = String::from_utf8_lossy(bytes);
    if !text.starts_with("HTTP/1.1 ") {
        return Vec::new();
    }
    let requests = text.split("x-request-id: ").skip(1);
    let requests = requests.filter_map(|rest| rest.split("\r\n").next());
    requests
        .map(|request| Deed::Answer {
            request: request.to_owned(),
        })
        .collect()
}
