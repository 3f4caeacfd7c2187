//! Checks that the indexes have exactly the rows of the records. The rows of the records come in another order than
//! those of the index, so only a checksum of each side is kept, which does not depend on the order. If the checksums
//! differ, each row is looked up on the other side, which takes longer.

use std::marker::PhantomData;

use codegen_store::{Checksum, EngineError, Hex, Reads, Tree};

use super::finding::Finding;
use super::name::noun;
use super::reading::{self, Reading};
use crate::store::record::{IndexEntry, Record};
use crate::store::{keys, tables};

/// The index rows of the records of one kind: one checksum for each index.
pub(super) struct IndexEntries<R> {
    checksums: Vec<Checksum>,
    of: PhantomData<R>,
}

impl<R: Record> IndexEntries<R> {
    pub(super) fn new() -> Self {
        Self {
            checksums: vec![Checksum::default(); R::INDEXES.len()],
            of: PhantomData,
        }
    }

    /// Adds the rows of a record.
    pub(super) fn add(&mut self, record: &R) {
        for row in record.rows() {
            let place = R::INDEXES.iter().position(|index| *index == row.tree);
            let checksum = &mut self.checksums[place.expect("a record's rows are in its indexes")];
            checksum.add(row.tree, &row.key, &row.value);
        }
    }

    /// Compares the indexes with the rows that were added, which must be those of all readable records.
    pub(super) fn verify(self, reading: &mut Reading<'_, '_>) -> Result<(), EngineError> {
        for (index, expected) in R::INDEXES.iter().zip(self.checksums) {
            if reading.entries(*index, |_, _, _| Ok(()))? != expected {
                missing::<R>(reading, *index)?;
                stray::<R>(reading, *index)?;
            }
        }
        Ok(())
    }
}

/// Finds the rows of records that the index lacks.
fn missing<R: Record>(reading: &mut Reading<'_, '_>, index: Tree) -> Result<(), EngineError> {
    for key in reading.keys_again(R::TREE) {
        let key = key?;
        // Unreadable records were reported before.
        let value = reading.readable(R::TREE, &key)?;
        let Some(Ok(record)) = value.map(|value| reading::record::<R>(&key, &value)) else {
            continue;
        };
        for row in record.rows().into_iter().filter(|row| row.tree == index) {
            if reading.readable(index, &row.key)?.as_ref() != Some(&row.value) {
                let row = described(&row);
                reading.findings.push(&Finding::MissingRow { index, row });
            }
        }
    }
    Ok(())
}

/// Finds the rows of the index that their record does not have.
fn stray<R: Record>(reading: &mut Reading<'_, '_>, index: Tree) -> Result<(), EngineError> {
    for key in reading.keys_again(index) {
        let key = key?;
        let value = reading.readable(index, &key)?.unwrap_or_default();
        let row = IndexEntry {
            tree: index,
            key,
            value,
        };
        if !may_be_of::<R>(reading, &row)? {
            let row = described(&row);
            reading.findings.push(&Finding::StrayRow { index, row });
        }
    }
    Ok(())
}

/// Whether the record of the row has it, or may have it if the record is unreadable.
fn may_be_of<R: Record>(reading: &Reading<'_, '_>, row: &IndexEntry) -> Result<bool, EngineError> {
    let Some(id) = R::named_by(row) else { return Ok(false) };
    let key = R::key(id);
    let value = match reading.reader.reads().get(R::TREE, key.as_ref()) {
        Err(EngineError::Damaged(_)) => return Ok(true),
        read => read?,
    };
    let Some(value) = value else { return Ok(false) };
    let record = reading::record::<R>(key.as_ref(), &value);
    Ok(record.map_or(true, |record| record.rows().into_iter().any(|has| has == *row)))
}

/// Describes the row; displays its bytes if it is malformed.
fn described(row: &IndexEntry) -> String {
    describe(row).unwrap_or_else(|| format!("the row {} {}", Hex(&row.key), Hex(&row.value)))
}

fn describe(row: &IndexEntry) -> Option<String> {
    let (first, rest) = row.key.split_first_chunk::<8>()?;
    let first = i64::from_be_bytes(*first);
    let inbox = |party| {
        let (id, at) = (keys::conversation_of(&row.key)?, keys::time_of(&row.key)?);
        Some(format!("conversation {id} of {party} {first} at {at}"))
    };
    match row.tree {
        tables::OPEN_BOUNTIES => rest.is_empty().then(|| format!("bounty {first}")),
        tables::APPLIED => {
            let (worker, id) = (keys::number(rest)?, keys::number(&row.value)?);
            Some(format!("application {id} of worker {worker} to bounty {first}"))
        }
        tables::RECEIVED => Some(format!("application {} to bounty {first}", keys::number(rest)?)),
        tables::SENT => Some(format!("application {} of worker {first}", keys::number(rest)?)),
        tables::AGENT_INBOX => inbox(noun(tables::ACCOUNTS)),
        tables::WORKER_INBOX => inbox(noun(tables::HUMANS)),
        _ => None,
    }
}
