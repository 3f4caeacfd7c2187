//! Checks that the indexes have exactly the rows of the records. The rows of the records come in another order than
//! those of the index, so only a checksum of each side is kept, which does not depend on the order. If the checksums
//! differ, each row is looked up on the other side, which takes longer.

use std::marker::PhantomData;

use super::finding::{Finding, Findings, Hex};
use super::name::noun;
use super::reading::{self, Reading};
use crate::store::sled::checksum::Checksum;
use crate::store::sled::index::{IndexEntry, Indexed};
use crate::store::sled::keys;
use crate::store::sled::trees::{Tree, Trees};

/// The index rows of the records of one kind: one checksum for each index.
pub(super) struct IndexEntries<R> {
    checksums: Vec<Checksum>,
    of: PhantomData<R>,
}

impl<R: Indexed> IndexEntries<R> {
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
    pub(super) fn verify(self, reading: &mut Reading<'_>) -> sled::Result<()> {
        for (index, expected) in R::INDEXES.iter().zip(self.checksums) {
            if reading.entries(*index, |_, _, _| Ok(()))? != expected {
                missing::<R>(reading.trees, *index, &mut reading.findings)?;
                stray::<R>(reading.trees, *index, &mut reading.findings)?;
            }
        }
        Ok(())
    }
}

/// Finds the rows of records that the index lacks.
fn missing<R: Indexed>(trees: &Trees, index: Tree, findings: &mut Findings) -> sled::Result<()> {
    for entry in trees.entries_of(R::TREE) {
        let (key, value) = entry?;
        // Unreadable records were reported before.
        let Ok(record) = reading::record::<R>(trees, &key, &value)? else {
            continue;
        };
        for row in record.rows().into_iter().filter(|row| row.tree == index) {
            if trees.value(index, &row.key)?.as_ref() != Some(&row.value) {
                let row = described(&row);
                findings.push(Finding::MissingRow { index, row });
            }
        }
    }
    Ok(())
}

/// Finds the rows of the index that their record does not have.
fn stray<R: Indexed>(trees: &Trees, index: Tree, findings: &mut Findings) -> sled::Result<()> {
    for entry in trees.entries_of(index) {
        let (key, value) = entry?;
        let row = IndexEntry {
            tree: index,
            key,
            value,
        };
        if !may_be_of::<R>(trees, &row)? {
            let row = described(&row);
            findings.push(Finding::StrayRow { index, row });
        }
    }
    Ok(())
}

/// Whether the record of the row has it, or may have it if the record is unreadable.
fn may_be_of<R: Indexed>(trees: &Trees, row: &IndexEntry) -> sled::Result<bool> {
    let Some(id) = R::named_by(row) else { return Ok(false) };
    let key = R::key(id);
    let Some(value) = trees.value(R::TREE, key.as_ref())? else {
        return Ok(false);
    };
    let record = reading::record::<R>(trees, key.as_ref(), &value)?;
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
        Tree::OpenBounties => rest.is_empty().then(|| format!("bounty {first}")),
        Tree::Applied => {
            let (worker, id) = (keys::number(rest)?, keys::number(&row.value)?);
            Some(format!("application {id} of worker {worker} to bounty {first}"))
        }
        Tree::Received => Some(format!("application {} to bounty {first}", keys::number(rest)?)),
        Tree::Sent => Some(format!("application {} of worker {first}", keys::number(rest)?)),
        Tree::AgentInbox => inbox(noun(Tree::Accounts)),
        Tree::WorkerInbox => inbox(noun(Tree::Humans)),
        _ => None,
    }
}
