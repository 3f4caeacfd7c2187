//! Reading a tree of records: the checks that all kinds of records share.

use std::sync::Arc;

use contract::support::derived::Derived;
use sled::IVec;

use super::Verified;
use super::finding::{Finding, Findings};
use super::name::Name;
use super::pieces::References;
use super::tally::Tally;
use crate::store::sled::checksum::{Checksum, Commit};
use crate::store::sled::keys::{self, Id};
use crate::store::sled::record::{Chunks, Misread, Record};
use crate::store::sled::transaction::{count_name, last_id_name};
use crate::store::sled::trees::{Tree, Trees};

/// After how many bytes an entry is read once more. sled 0.34.7 takes 64 reads of pages together, in each of 256 queues, before
/// it frees any page: of pages that are read once, 16,384 would stay in memory. Like this it is 32 MiB.
const BYTES_PER_READ: usize = 2 << 10;

/// The state of a verification.
pub(super) struct Reading<'t> {
    pub(super) trees: &'t Trees,
    pub(super) findings: Findings,
    checksum: Checksum,
    references: References,
    /// The bytes since the last entry that was read once more.
    bytes: usize,
}

impl<'t> Reading<'t> {
    pub(super) fn from_trees(trees: &'t Trees) -> Self {
        Self {
            trees,
            findings: Findings::default(),
            checksum: Checksum::default(),
            references: References::default(),
            bytes: 0,
        }
    }

    /// Reads a tree in key order and returns its checksum. Every tree is read once in this way.
    pub(super) fn entries(
        &mut self,
        tree: Tree,
        mut each: impl FnMut(&mut Self, IVec, IVec) -> sled::Result<()>,
    ) -> sled::Result<Checksum> {
        let mut checksum = Checksum::default();
        for entry in self.trees.entries_of(tree) {
            let (key, value) = entry?;
            checksum.add(tree, &key, &value);
            self.read_again(tree, &key, value.len())?;
            each(self, key, value)?;
        }
        self.checksum.include(checksum);
        Ok(checksum)
    }

    /// Reads an entry of this length as often as sled needs to free what was read before.
    fn read_again(&mut self, tree: Tree, key: &[u8], len: usize) -> sled::Result<()> {
        self.bytes += key.len() + len;
        while self.bytes >= BYTES_PER_READ {
            self.bytes -= BYTES_PER_READ;
            self.trees.value(tree, key)?;
        }
        Ok(())
    }

    /// Reads `meta` for the checksum. Its numbers are read again where they are compared.
    pub(super) fn meta(&mut self) -> sled::Result<()> {
        self.entries(Tree::Meta, |_, _, _| Ok(()))?;
        if let Some(commit) = self.trees.value(Tree::Meta, Commit::NAME.as_bytes())? {
            self.checksum.remove(Tree::Meta, Commit::NAME.as_bytes(), &commit);
        }
        Ok(())
    }

    /// Reads all records of a kind and compares them with the numbers in `meta`. `each` receives every well-formed
    /// key, with its record if that can be read.
    pub(super) fn records<R: Record>(
        &mut self,
        mut each: impl FnMut(&mut Findings, Name, Option<R>),
    ) -> sled::Result<()> {
        let (mut found, mut highest) = (0, 0);
        self.entries(R::TREE, |reading, key, value| {
            found += 1;
            let Some(name) = Name::at(R::TREE, &key) else {
                let (tree, key) = (R::TREE, key.to_vec());
                reading.findings.push(Finding::Key { tree, key });
                return Ok(());
            };
            highest = highest.max(name.id);
            let record = reading.record(name, &key, &value)?;
            each(&mut reading.findings, name, record);
            Ok(())
        })?;
        if let Some(counted) = self.number(&count_name(R::TREE))?
            && counted != found
        {
            let tree = R::TREE;
            self.findings.push(Finding::Count { tree, counted, found });
        }
        self.last_id(R::TREE, highest)
    }

    /// Reads all records of a kind with single ids.
    pub(super) fn tally<R: Record<Id: Id> + Derived>(
        &mut self,
        mut each: impl FnMut(&mut Findings, Arc<R>),
    ) -> sled::Result<Tally<R>> {
        let mut tally = Tally::default();
        self.records(|findings, name, record: Option<R>| {
            tally.push(name.id, record.as_ref());
            record.into_iter().for_each(|record| each(findings, Arc::new(record)));
        })?;
        Ok(tally)
    }

    /// Records that an entry refers to these pieces.
    pub(super) fn refers(&mut self, pieces: Chunks, of: Name) {
        self.references.push(pieces, of);
    }

    /// Reads the pieces of the long values of all records that were read.
    pub(super) fn pieces(&mut self) -> sled::Result<()> {
        let references = std::mem::take(&mut self.references);
        let highest = references.verify(self)?;
        self.last_id(Tree::Pieces, highest)
    }

    /// The result of the verification.
    pub(super) fn done(self) -> Verified {
        let Self { findings, checksum, .. } = self;
        Verified { findings, checksum }
    }

    /// Compares the highest existing id with the last assigned one.
    pub(super) fn last_id(&mut self, tree: Tree, highest: i64) -> sled::Result<()> {
        if let Some(last) = self.number(&last_id_name(tree))?
            && last < highest
        {
            self.findings.push(Finding::LastId { tree, last, highest });
        }
        Ok(())
    }

    /// A number of `meta`; 0 if it was never set, `None` if it is malformed.
    fn number(&mut self, name: &str) -> sled::Result<Option<i64>> {
        let Some(value) = self.trees.value(Tree::Meta, name.as_bytes())? else {
            return Ok(Some(0));
        };
        let number = keys::number(&value);
        if number.is_none() {
            let name = name.to_owned();
            self.findings.push(Finding::NoNumber { name });
        }
        Ok(number)
    }

    /// The record of an entry, if it is valid. Missing pieces are reported by `references`.
    fn record<R: Record>(&mut self, of: Name, key: &[u8], value: &[u8]) -> sled::Result<Option<R>> {
        if let Some(pieces) = Chunks::referred_to_by(value) {
            self.references.push(pieces, of);
            for key in pieces.keys() {
                self.read_again(Tree::Pieces, &key, Chunks::MAX_BYTES)?;
            }
        }
        match record(self.trees, key, value)? {
            Ok(record) => return Ok(Some(record)),
            Err(Flaw::MissingPieces) => {}
            Err(Flaw::Misread(misread)) => self.findings.push(Finding::misread(of.to_string(), misread)),
            Err(Flaw::Misplaced) => self.findings.push(Finding::Misplaced { of }),
        }
        Ok(None)
    }
}

/// Why an entry is not a valid record.
pub(super) enum Flaw {
    MissingPieces,
    Misread(Misread),
    Misplaced,
}

/// The record of an entry, if it can be read and has its own key.
pub(super) fn record<R: Record>(trees: &Trees, key: &[u8], value: &[u8]) -> sled::Result<Result<R, Flaw>> {
    let decoded = match Chunks::referred_to_by(value).map(|pieces| trees.join(pieces)) {
        None => R::decode(value),
        Some(whole) => match whole? {
            Some(whole) => R::decode(&whole),
            None => return Ok(Err(Flaw::MissingPieces)),
        },
    };
    Ok(match decoded {
        Ok(record) if R::key(record.id()).as_ref() == key => Ok(record),
        Ok(_) => Err(Flaw::Misplaced),
        Err(misread) => Err(Flaw::Misread(misread)),
    })
}
