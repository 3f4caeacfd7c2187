//! Reads all that is stored once, to verify it at a start: computes the checksum of all entries, and looks at the pieces of long
//! values. Every reference has all its pieces, and every piece has exactly one reference.

use std::fmt;

use super::checksum::{Checksum, Commit};
use super::chunks::Chunks;
use super::reads::{number, unread};
use super::trees::{LAST_PIECES, Trees};
use crate::engine::{Bytes, EngineError, Reads};
use crate::findings::{Findings, Flaw, Hex};
use crate::tree::Tree;

/// After how many bytes an entry is read once more. sled 0.34.7 takes 64 reads of pages together, in each of 256 queues, before
/// it frees any page: of pages that are read once, 16,384 would stay in memory. Like this it is 32 MiB.
const BYTES_PER_READ: usize = 2 << 10;

/// Reads a store at its start. Every tree must be read once, to its end, and then the pieces: what was not read counts as lost.
pub struct Reader<'t> {
    trees: &'t Trees,
    checksum: Checksum,
    references: Vec<Reference>,
    /// The bytes since the last entry that was read once more.
    bytes: usize,
}

/// A long value.
struct Reference {
    pieces: Chunks,
    tree: Tree,
    key: Bytes,
    found: u16,
}

/// The entries of a tree that is read, in the order of their keys.
pub struct TreeReading {
    tree: Tree,
    entries: ::sled::Iter,
    checksum: Checksum,
    has_ended: bool,
}

impl TreeReading {
    /// The next key with its value, which is `None` if pieces of it are missing; [`Reader::pieces`] reports that.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn next(&mut self, reader: &mut Reader<'_>) -> Result<Option<(Bytes, Option<Bytes>)>, EngineError> {
        let Some(entry) = self.entries.next() else {
            if !std::mem::replace(&mut self.has_ended, true) {
                reader.checksum.include(self.checksum);
            }
            return Ok(None);
        };
        let (key, stored) = entry.map_err(unread)?;
        if self.tree != Tree::META || *key != *Commit::NAME.as_bytes() {
            self.checksum.add(self.tree, &key, &stored);
        }
        reader.read_again(self.tree, &key, stored.len())?;
        // A piece is none, whatever it looks like.
        let pieces = Chunks::referred_to_by(&stored).filter(|_| self.tree != Tree::PIECES);
        let value = match pieces {
            None => Some(stored),
            Some(pieces) => {
                for key in pieces.keys() {
                    reader.read_again(Tree::PIECES, &key, Chunks::MAX_BYTES)?;
                }
                let whole = reader.trees.join(pieces)?;
                let (tree, key) = (self.tree, key.clone());
                let found = 0;
                reader.references.push(Reference {
                    pieces,
                    tree,
                    key,
                    found,
                });
                whole
            }
        };
        Ok(Some((key, value)))
    }

    /// The checksum of the entries that were read. For a tree without long values it is that of their values.
    #[must_use]
    pub fn checksum(&self) -> Checksum {
        self.checksum
    }
}

impl<'t> Reader<'t> {
    pub(super) fn new(trees: &'t Trees) -> Self {
        Self {
            trees,
            checksum: Checksum::default(),
            references: Vec::new(),
            bytes: 0,
        }
    }

    /// Reads in any order.
    #[must_use]
    pub fn reads(&self) -> &'t (impl Reads + use<'t>) {
        self.trees
    }

    /// Begins to read a tree.
    #[must_use]
    pub fn tree(&self, tree: Tree) -> TreeReading {
        TreeReading {
            tree,
            entries: self.trees.all_stored(tree),
            checksum: Checksum::default(),
            has_ended: false,
        }
    }

    /// Reads the pieces of all long values that were read before. `name` names the entry with this key in a finding.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn pieces(&mut self, findings: &mut Findings, name: impl Fn(Tree, &[u8]) -> String) -> Result<(), EngineError> {
        let name = |of: &Reference| name(of.tree, &of.key);
        let mut references = std::mem::take(&mut self.references);
        references.sort_by_key(|reference| reference.pieces.serial());
        for two in references.windows(2) {
            let serial = two[0].pieces.serial();
            if serial == two[1].pieces.serial() {
                let (one, other) = (name(&two[0]), name(&two[1]));
                findings.push(&PieceFlaw::Shared { serial, one, other });
            }
        }
        references.dedup_by_key(|reference| reference.pieces.serial());
        let mut highest = references.last().map_or(0, |reference| reference.pieces.serial());
        let mut reading = self.tree(Tree::PIECES);
        while let Some((key, _)) = reading.next(self)? {
            let Some((serial, place)) = Chunks::place_of(&key) else {
                findings.push(&PieceFlaw::Key(key));
                continue;
            };
            highest = highest.max(serial);
            let found = references.binary_search_by_key(&serial, |reference| reference.pieces.serial());
            match found.ok().map(|at| &mut references[at]) {
                Some(reference) if place < reference.pieces.count() => reference.found += 1,
                _ => findings.push(&PieceFlaw::Stray { serial, place }),
            }
        }
        for reference in &references {
            let count = reference.pieces.count();
            let missing = count - reference.found;
            if missing > 0 {
                let of = name(reference);
                findings.push(&PieceFlaw::Missing { of, count, missing });
            }
        }
        match self.trees.stored(Tree::META, LAST_PIECES.as_bytes())? {
            None if highest > 0 => findings.push(&PieceFlaw::Last { last: 0, highest }),
            None => {}
            Some(last) => match number(&last) {
                None => findings.push(&PieceFlaw::NoNumber),
                Some(last) if last < highest => findings.push(&PieceFlaw::Last { last, highest }),
                Some(_) => {}
            },
        }
        Ok(())
    }

    /// The checksum of all trees that were read to their ends, without the entry of the last commit.
    pub(super) fn checksum(&self) -> Checksum {
        self.checksum
    }

    /// Reads an entry of this length as often as sled needs to free what was read before.
    fn read_again(&mut self, tree: Tree, key: &[u8], len: usize) -> Result<(), EngineError> {
        self.bytes += key.len() + len;
        while self.bytes >= BYTES_PER_READ {
            self.bytes -= BYTES_PER_READ;
            self.trees.stored(tree, key)?;
        }
        Ok(())
    }
}

/// What is wrong with long values.
enum PieceFlaw {
    /// The key of a piece is malformed.
    Key(Bytes),
    /// A long value lacks pieces.
    Missing { of: String, count: u16, missing: u16 },
    /// A piece belongs to no value.
    Stray { serial: i64, place: u16 },
    /// Two entries refer to one long value.
    Shared { serial: i64, one: String, other: String },
    /// A serial number is higher than the last assigned one, so it would be assigned again.
    Last { last: i64, highest: i64 },
    /// The last assigned one is not a number.
    NoNumber,
}

impl Flaw for PieceFlaw {
    fn is_of_contract(&self) -> bool {
        false
    }
}

impl fmt::Display for PieceFlaw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => write!(out, "`{}` has the invalid key {}", Tree::PIECES.name(), Hex(key)),
            Self::Missing { of, count, missing } => write!(out, "{of} lacks {missing} of its {count} pieces"),
            Self::Stray { serial, place } => write!(out, "piece {place} of long value {serial} belongs to no record"),
            Self::Shared { serial, one, other } => write!(out, "{one} and {other} have the same long value {serial}"),
            Self::Last { last, highest } => {
                write!(out, "`{LAST_PIECES}` is {last}, but long value {highest} exists")
            }
            Self::NoNumber => write!(out, "`{LAST_PIECES}` is not a number"),
        }
    }
}
