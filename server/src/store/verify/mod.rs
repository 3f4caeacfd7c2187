//! Verifies the whole store at every start: what any store has, by its crate, and what only the market has.

mod ratings;
mod skills;
mod steps;
mod webhooks;

use codegen_store::verify::SeeRecords;
use codegen_store::{EngineError, Findings, Reader, Record};

use self::ratings::Ratings;
use self::skills::Skills;
use super::market::{Market, Verification};
use super::mirror::Change;
use crate::emitted::stored::each;

/// Reads and verifies the whole store. `learn` receives the records for the mirror, each account before its dependent
/// records; if there are findings, records may be missing. No write may run meanwhile.
///
/// # Errors
/// If a tree cannot be read.
pub(super) fn verify(reader: &mut Reader<'_>, learn: &mut dyn FnMut(Change)) -> Result<Findings, EngineError> {
    let mut reading = Verification::begin(reader, learn)?;
    let skills = skills::skills(&mut reading)?;
    let mut ratings = Ratings::default();
    each(&mut Records {
        reading: &mut reading,
        skills: &skills,
        ratings: &mut ratings,
    })?;
    ratings.end(&mut reading.findings);
    steps::steps(&mut reading)?;
    reading.quota_usage()?;
    webhooks::deliveries(&mut reading)?;
    reading.feeds()?;
    reading.answers()?;
    reading.end()
}

struct Records<'a, 'r, 't> {
    reading: &'a mut Verification<'r, 't>,
    skills: &'a Skills,
    ratings: &'a mut Ratings,
}

impl SeeRecords<Market, EngineError> for Records<'_, '_, '_> {
    fn see<R: Record<Market>>(&mut self) -> Result<(), EngineError> {
        self.reading.records(|record: &R, of, findings| {
            self.skills.check(record, of, findings);
            self.ratings.check(record);
        })
    }
}
