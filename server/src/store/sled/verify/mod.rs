//! Verifies at every start, before any request or write, that the store is consistent: facts that are stored twice
//! must agree. Reads each tree once in key order, joins every long value, decodes every record, and returns the
//! checksum and the findings; memory use is a few words for each record other than messages, each long value and each
//! credential. Must not know what is done about a finding.

mod answers;
mod credentials;
mod feeds;
mod finding;
mod market;
mod name;
mod people;
mod pieces;
mod reading;
mod rows;
mod skills;
mod steps;
mod talks;
mod tally;
mod webhooks;

pub use self::finding::Findings;
use self::reading::Reading;
use self::tally::Records;
use super::checksum::Checksum;
use super::trees::Trees;
use crate::store::mirror::Change;

/// The result of verifying the whole store.
#[derive(Debug)]
pub(super) struct Verified {
    pub(super) findings: Findings,
    /// The checksum of all entries but the last commit.
    pub(super) checksum: Checksum,
}

/// Reads and verifies the whole store. `learn` receives the records for the mirror, each account before its dependent
/// records; if there are findings, records may be missing. No write may run meanwhile.
///
/// # Errors
/// If sled cannot read a tree.
pub(super) fn verify(trees: &Trees, learn: &mut dyn FnMut(Change)) -> sled::Result<Verified> {
    let mut reading = Reading::from_trees(trees);
    reading.meta()?;
    let skills = skills::skills(&mut reading)?;
    let mut records = Records::default();
    people::accounts(&mut reading, &mut records, learn)?;
    people::keys(&mut reading, &mut records, learn)?;
    people::humans(&mut reading, &mut records, &skills, learn)?;
    market::bounties(&mut reading, &mut records, learn)?;
    market::applications(&mut reading, &mut records)?;
    talks::conversations(&mut reading, &mut records)?;
    talks::messages(&mut reading, &mut records)?;
    steps::steps(&mut reading)?;
    steps::quota_usage(&mut reading)?;
    webhooks::webhooks(&mut reading, &mut records, learn)?;
    feeds::feeds(&mut reading, &records)?;
    records.verify(&mut reading.findings);
    answers::answers(&mut reading)?;
    reading.pieces()?;
    Ok(reading.done())
}
