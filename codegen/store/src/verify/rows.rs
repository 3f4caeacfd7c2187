//! Checks that the indexes have exactly the rows of the records. The rows of the records come in another order than
//! those of the index, so only a checksum of each side is kept, which does not depend on the order. If the checksums
//! differ, each row is looked up on the other side, which takes longer.

use std::marker::PhantomData;

use codegen_support::Key;

use super::finding::Finding;
use super::reading::{self, Verification};
use crate::engine::{EngineError, Reads};
use crate::findings::Hex;
use crate::hooks::Hooks;
use crate::record::{IndexEntry, Record};
use crate::sled::Checksum;
use crate::tree::Tree;

/// The index rows of the records of one kind: one checksum for each index.
pub(super) struct IndexEntries<S, R> {
    checksums: Vec<Checksum>,
    of: PhantomData<(fn(S), R)>,
}

impl<S: Hooks, R: Record<S>> IndexEntries<S, R> {
    pub(super) fn new() -> Self {
        Self {
            checksums: vec![Checksum::default(); R::KEPT.len()],
            of: PhantomData,
        }
    }

    /// Adds the rows of a record.
    pub(super) fn add(&mut self, record: &R) {
        for row in record.rows() {
            let place = R::KEPT.iter().position(|index| index.tree == row.tree);
            let checksum = &mut self.checksums[place.expect("a record's rows are in its indexes")];
            checksum.add(row.tree, &row.key, &row.value);
        }
    }

    /// Compares the indexes with the rows that were added, which must be those of all readable records.
    pub(super) fn verify(self, reading: &mut Verification<'_, '_, S>) -> Result<(), EngineError> {
        for (index, expected) in R::KEPT.iter().zip(self.checksums) {
            if reading.entries(index.tree, |_, _, _| Ok(()))? != expected {
                missing::<S, R>(reading, index.tree)?;
                stray::<S, R>(reading, index.tree)?;
            }
        }
        Ok(())
    }
}

/// Finds the rows of records that the index lacks.
fn missing<S: Hooks, R: Record<S>>(reading: &mut Verification<'_, '_, S>, index: Tree) -> Result<(), EngineError> {
    for key in reading.keys_again(R::TREE) {
        let key = key?;
        // Unreadable records were reported before.
        let value = reading.readable(R::TREE, &key)?;
        let Some(Ok(record)) = value.map(|value| reading::record::<S, R>(&key, &value)) else {
            continue;
        };
        for row in record.rows().into_iter().filter(|row| row.tree == index) {
            if reading.readable(index, &row.key)?.as_ref() != Some(&row.value) {
                let row = described::<S, R>(&row);
                reading.findings.push(&Finding::MissingRow { index, row });
            }
        }
    }
    Ok(())
}

/// Finds the rows of the index that their record does not have.
fn stray<S: Hooks, R: Record<S>>(reading: &mut Verification<'_, '_, S>, index: Tree) -> Result<(), EngineError> {
    for key in reading.keys_again(index) {
        let key = key?;
        let value = reading.readable(index, &key)?.unwrap_or_default();
        let row = IndexEntry {
            tree: index,
            key,
            value,
        };
        if !may_be_of::<S, R>(reading, &row)? {
            let row = described::<S, R>(&row);
            reading.findings.push(&Finding::StrayRow { index, row });
        }
    }
    Ok(())
}

/// Whether the record of the row has it, or may have it if the record is unreadable.
fn may_be_of<S: Hooks, R: Record<S>>(reading: &Verification<'_, '_, S>, row: &IndexEntry) -> Result<bool, EngineError> {
    let Some(id) = R::named_by(row) else { return Ok(false) };
    let key = id.bytes();
    let value = match reading.reader.reads().get(R::TREE, &key) {
        Err(EngineError::Damaged(_)) => return Ok(true),
        read => read?,
    };
    let Some(value) = value else { return Ok(false) };
    let record = reading::record::<S, R>(&key, &value);
    Ok(record.map_or(true, |record| record.rows().into_iter().any(|has| has == *row)))
}

/// The text for the row: the record to which it belongs, or its bytes.
fn described<S: Hooks, R: Record<S>>(row: &IndexEntry) -> String {
    match R::named_by(row) {
        Some(id) => R::name(&id),
        None => format!("the row {} {}", Hex(&row.key), Hex(&row.value)),
    }
}
