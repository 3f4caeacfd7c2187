//! Reading the trees, each once.

use std::ops::Bound;

use super::finding::Finding;
use super::tally::Records;
use codegen_support::Key;

use crate::engine::{Bytes, EngineError, Reads, keys};
use crate::findings::Findings;
use crate::hooks::{Hooks, kind_at};
use crate::name::{Name, of_bytes};
use crate::record::{Misread, Record};
use crate::sled::{Checksum, Reader, number};
use crate::transaction::last_id_name;
use crate::tree::Tree;

/// A verification. Every tree of the service must be read once.
pub struct Verification<'r, 't, S: Hooks> {
    pub(super) reader: &'r mut Reader<'t>,
    pub(super) records: Records,
    /// Receives the changes for the view: each record after those that it names.
    pub(super) learn: &'r mut dyn FnMut(S::Change),
    /// What was found so far.
    pub findings: Findings,
}

impl<'r, 't, S: Hooks> Verification<'r, 't, S> {
    /// Begins. `learn` receives the records for the view; if there are findings, records may be missing. No write may run
    /// meanwhile.
    ///
    /// # Errors
    /// If a tree cannot be read. The same holds for the other methods.
    pub fn begin(reader: &'r mut Reader<'t>, learn: &'r mut dyn FnMut(S::Change)) -> Result<Self, EngineError> {
        let mut verification = Self {
            reader,
            records: Records::default(),
            learn,
            findings: Findings::default(),
        };
        // For the checksum. The numbers are read again where they are compared.
        verification.entries(Tree::META, |_, _, _| Ok(()))?;
        Ok(verification)
    }

    /// Reports a key that is malformed for its tree.
    pub fn malformed_key(&mut self, tree: Tree, key: &[u8]) {
        self.findings.push(&Finding::key(tree, key));
    }

    /// Reports a value that cannot be read.
    pub fn misread(&mut self, of: String, misread: Misread) {
        self.findings.push(&Finding::misread(of, misread));
    }

    /// Passes a change to the view.
    pub fn learn(&mut self, change: S::Change) {
        (self.learn)(change);
    }

    /// Reads a tree in key order and returns its checksum. A value is `None` if pieces of it are missing. Every tree is read once
    /// in this way.
    pub(super) fn entries(
        &mut self,
        tree: Tree,
        mut each: impl FnMut(&mut Self, Bytes, Option<Bytes>) -> Result<(), EngineError>,
    ) -> Result<Checksum, EngineError> {
        let mut entries = self.reader.tree(tree);
        while let Some((key, value)) = entries.next(self.reader)? {
            each(self, key, value)?;
        }
        Ok(entries.checksum())
    }

    /// The same without the entries of which pieces are missing.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn values(
        &mut self,
        tree: Tree,
        mut each: impl FnMut(&mut Self, Bytes, Bytes),
    ) -> Result<Checksum, EngineError> {
        self.entries(tree, |reading, key, value| {
            value.into_iter().for_each(|value| each(reading, key.clone(), value));
            Ok(())
        })
    }

    /// All keys of a tree once more.
    pub fn keys_again(&self, tree: Tree) -> impl Iterator<Item = Result<Bytes, EngineError>> + use<'t, S> {
        keys(self.reader.reads(), tree, (Bound::Unbounded, Bound::Unbounded), 256)
    }

    /// The value of an entry, unless it is damaged, which is reported elsewhere.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn readable(&self, tree: Tree, key: &[u8]) -> Result<Option<Bytes>, EngineError> {
        match self.reader.reads().get(tree, key) {
            Err(EngineError::Damaged(_)) => Ok(None),
            read => read,
        }
    }

    /// Once all trees are read: compares what the records state with what was found, and reads the pieces of long values.
    ///
    /// # Errors
    /// If a tree cannot be read.
    pub fn end(mut self) -> Result<Findings, EngineError> {
        self.records.verify(&mut self.findings);
        let name = |tree, key: &[u8]| match kind_at::<S>(tree) {
            Some(kind) => kind.name(key),
            None if tree == Tree::META => of_bytes("number", key),
            None => of_bytes("row", key),
        };
        self.reader.pieces(&mut self.findings, name)?;
        Ok(self.findings)
    }

    /// Compares the highest existing id with the last assigned one.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn last_id(&mut self, tree: Tree, highest: i64) -> Result<(), EngineError> {
        if let Some(last) = self.number(&last_id_name(tree))?
            && last < highest
        {
            let noun = kind_at::<S>(tree).map_or("entry", |kind| kind.noun);
            self.findings.push(&Finding::LastId {
                tree,
                noun,
                last,
                highest,
            });
        }
        Ok(())
    }

    /// A number of `meta`; 0 if it was never set, `None` if it is malformed.
    pub(super) fn number(&mut self, name: &str) -> Result<Option<i64>, EngineError> {
        let Some(value) = self.reader.reads().get(Tree::META, name.as_bytes())? else {
            return Ok(Some(0));
        };
        let number = number(&value);
        if number.is_none() {
            let name = name.to_owned();
            self.findings.push(&Finding::NoNumber { name });
        }
        Ok(number)
    }

    /// The record of an entry, if it is valid.
    pub(super) fn record<R: Record<S>>(&mut self, key: &[u8], value: &[u8]) -> Option<R> {
        match record(key, value) {
            Ok(record) => return Some(record),
            Err(Flaw::Misread(misread)) => {
                let of = Name::at::<S, R>(key).to_string();
                self.findings.push(&Finding::misread(of, misread));
            }
            Err(Flaw::Misplaced) => self.findings.push(&Finding::Misplaced {
                of: Name::at::<S, R>(key),
            }),
        }
        None
    }
}

/// Why an entry is not a valid record.
pub enum Flaw {
    /// It cannot be read.
    Misread(Misread),
    /// It has another key.
    Misplaced,
}

/// The record of an entry, if it can be read and has its own key.
///
/// # Errors
/// If it is not.
pub fn record<S: Hooks, R: Record<S>>(key: &[u8], value: &[u8]) -> Result<R, Flaw> {
    match R::decode(value) {
        Ok(record) if record.key().bytes()[..] == *key => Ok(record),
        Ok(_) => Err(Flaw::Misplaced),
        Err(misread) => Err(Flaw::Misread(misread)),
    }
}
