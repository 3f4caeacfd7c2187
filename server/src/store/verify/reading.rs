//! Reading a tree of records: the checks that all kinds of records share.

use std::ops::Bound;
use std::sync::Arc;

use codegen_store::{Bytes, Checksum, EngineError, Findings, Reader, Reads, Tree};
use contract::support::derived::Derived;

use super::finding::Finding;
use super::name::Name;
use super::tally::Tally;
use crate::store::keys::{self, Id};
use crate::store::record::{Misread, Record};
use crate::store::transaction::{count_name, last_id_name};

/// The state of a verification.
pub(super) struct Reading<'r, 't> {
    pub(super) reader: &'r mut Reader<'t>,
    pub(super) findings: Findings,
}

impl<'r, 't> Reading<'r, 't> {
    pub(super) fn new(reader: &'r mut Reader<'t>) -> Self {
        let findings = Findings::default();
        Self { reader, findings }
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
    pub(super) fn values(
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
    pub(super) fn keys_again(&self, tree: Tree) -> impl Iterator<Item = Result<Bytes, EngineError>> + use<'t> {
        codegen_store::keys(self.reader.reads(), tree, (Bound::Unbounded, Bound::Unbounded), 256)
    }

    /// The value of an entry, unless it is damaged, which is reported elsewhere.
    pub(super) fn readable(&self, tree: Tree, key: &[u8]) -> Result<Option<Bytes>, EngineError> {
        match self.reader.reads().get(tree, key) {
            Err(EngineError::Damaged(_)) => Ok(None),
            read => read,
        }
    }

    /// Reads `meta` for the checksum. Its numbers are read again where they are compared.
    pub(super) fn meta(&mut self) -> Result<(), EngineError> {
        self.entries(Tree::META, |_, _, _| Ok(())).map(drop)
    }

    /// Reads all records of a kind and compares them with the numbers in `meta`. `each` receives every well-formed
    /// key, with its record if that can be read.
    pub(super) fn records<R: Record>(
        &mut self,
        mut each: impl FnMut(&mut Findings, Name, Option<R>),
    ) -> Result<(), EngineError> {
        let (mut found, mut highest) = (0, 0);
        self.entries(R::TREE, |reading, key, value| {
            found += 1;
            let Some(name) = Name::at(R::TREE, &key) else {
                let (tree, key) = (R::TREE, key.to_vec());
                reading.findings.push(&Finding::Key { tree, key });
                return Ok(());
            };
            highest = highest.max(name.id);
            let record = value.and_then(|value| reading.record(name, &key, &value));
            each(&mut reading.findings, name, record);
            Ok(())
        })?;
        if let Some(counted) = self.number(&count_name(R::TREE))?
            && counted != found
        {
            let tree = R::TREE;
            self.findings.push(&Finding::Count { tree, counted, found });
        }
        self.last_id(R::TREE, highest)
    }

    /// Reads all records of a kind with single ids.
    pub(super) fn tally<R: Record<Id: Id> + Derived>(
        &mut self,
        mut each: impl FnMut(&mut Findings, Arc<R>),
    ) -> Result<Tally<R>, EngineError> {
        let mut tally = Tally::default();
        self.records(|findings, name, record: Option<R>| {
            tally.push(name.id, record.as_ref());
            record.into_iter().for_each(|record| each(findings, Arc::new(record)));
        })?;
        Ok(tally)
    }

    /// Reads the pieces of long values, and returns all findings.
    pub(super) fn pieces(mut self, name: impl Fn(Tree, &[u8]) -> String) -> Result<Findings, EngineError> {
        self.reader.pieces(&mut self.findings, name)?;
        Ok(self.findings)
    }

    /// Compares the highest existing id with the last assigned one.
    pub(super) fn last_id(&mut self, tree: Tree, highest: i64) -> Result<(), EngineError> {
        if let Some(last) = self.number(&last_id_name(tree))?
            && last < highest
        {
            self.findings.push(&Finding::LastId { tree, last, highest });
        }
        Ok(())
    }

    /// A number of `meta`; 0 if it was never set, `None` if it is malformed.
    fn number(&mut self, name: &str) -> Result<Option<i64>, EngineError> {
        let Some(value) = self.reader.reads().get(Tree::META, name.as_bytes())? else {
            return Ok(Some(0));
        };
        let number = keys::number(&value);
        if number.is_none() {
            let name = name.to_owned();
            self.findings.push(&Finding::NoNumber { name });
        }
        Ok(number)
    }

    /// The record of an entry, if it is valid.
    fn record<R: Record>(&mut self, of: Name, key: &[u8], value: &[u8]) -> Option<R> {
        match record(key, value) {
            Ok(record) => return Some(record),
            Err(Flaw::Misread(misread)) => self.findings.push(&Finding::misread(of.to_string(), misread)),
            Err(Flaw::Misplaced) => self.findings.push(&Finding::Misplaced { of }),
        }
        None
    }
}

/// Why an entry is not a valid record.
pub(super) enum Flaw {
    Misread(Misread),
    Misplaced,
}

/// The record of an entry, if it can be read and has its own key.
pub(super) fn record<R: Record>(key: &[u8], value: &[u8]) -> Result<R, Flaw> {
    match R::decode(value) {
        Ok(record) if R::key(record.id()).as_ref() == key => Ok(record),
        Ok(_) => Err(Flaw::Misplaced),
        Err(misread) => Err(Flaw::Misread(misread)),
    }
}
