//! Whether the store is in step with itself: whether what it says in two places is the same in both.
//!
//! Done at every start, before anything is served or written. Each tree is read once, in the order of its keys, every
//! long value is put together, and every record is decoded; who wants the records, too, gets them on the way. What is
//! held meanwhile is bounded by a few words for each record that is no message, for each long value and for each
//! credential, and of an index by its checksum. Says what is out of step; must not know what is done about it.

mod credentials;
mod finding;
mod market;
mod name;
mod people;
mod pieces;
mod reading;
mod rows;
mod skills;
mod talks;
mod tally;

pub use self::finding::Findings;
use self::reading::Reading;
use super::checksum::Checksum;
use super::trees::Trees;
use crate::store::memory::Change;

/// What a reading of the whole store gives.
#[derive(Debug)]
pub(super) struct Verified {
    pub(super) findings: Findings,
    /// Of all entries but that of the last commit.
    pub(super) checksum: Checksum,
}

/// Reads the whole store. `learn` gets what the memory holds, each account before what belongs to it; of a store with
/// findings it may get less. Nothing may be written meanwhile.
///
/// # Errors
/// If sled cannot read a tree.
pub(super) fn verify(trees: &Trees, learn: &mut dyn FnMut(Change)) -> sled::Result<Verified> {
    let mut reading = Reading::of(trees);
    reading.meta()?;
    let skills = skills::skills(&mut reading)?;
    let mut accounts = people::accounts(&mut reading, learn)?;
    people::keys(&mut reading, &mut accounts, learn)?;
    let humans = people::humans(&mut reading, &skills, learn)?;
    let mut bounties = market::bounties(&mut reading, &accounts, learn)?;
    market::applications(&mut reading, &mut bounties, &humans)?;
    let mut conversations = talks::conversations(&mut reading, &accounts, &humans)?;
    talks::messages(&mut reading, &mut conversations)?;
    reading.pieces()?;
    Ok(reading.done())
}
