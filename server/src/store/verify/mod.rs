//! Verifies at every start, before any request or write, that the store is consistent: facts that are stored twice
//! must agree. Reads each tree once in key order, decodes every record, and returns the findings; memory use is a few words for
//! each record other than messages, each long value and each credential. Must not know what is done about a finding.

mod answers;
mod credentials;
mod feeds;
mod finding;
mod name;
mod reading;
mod records;
mod rows;
mod skills;
mod steps;
mod tally;
mod webhooks;

use codegen_store::{EngineError, Findings, Reader};

use self::name::Name;
use self::reading::Reading;
use self::tally::Records;
use super::mirror::Change;

/// Reads and verifies the whole store. `learn` receives the records for the mirror, each account before its dependent
/// records; if there are findings, records may be missing. No write may run meanwhile.
///
/// # Errors
/// If a tree cannot be read.
pub(super) fn verify(reader: &mut Reader<'_>, learn: &mut dyn FnMut(Change)) -> Result<Findings, EngineError> {
    let mut reading = Reading::new(reader);
    reading.meta()?;
    let skills = skills::skills(&mut reading)?;
    let mut records = Records::default();
    records::records(&mut reading, &mut records, &skills, learn)?;
    records::messages(&mut reading, &mut records)?;
    steps::steps(&mut reading)?;
    steps::quota_usage(&mut reading)?;
    webhooks::deliveries(&mut reading, learn)?;
    feeds::feeds(&mut reading, &records)?;
    records.verify(&mut reading.findings);
    answers::answers(&mut reading)?;
    reading.pieces(Name::text_at)
}
