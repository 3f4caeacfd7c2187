//! The steps of simulated workers: each can be read, and has a number that was given out.

use codegen_store::EngineError;

use crate::store::market::Verification;
use crate::store::steps::step_of;
use crate::store::tables;

/// Reads all steps.
pub(super) fn steps(reading: &mut Verification<'_, '_>) -> Result<(), EngineError> {
    let mut highest = 0;
    reading.values(tables::STEPS, |reading, key, value| match step_of(&key, &value) {
        Some(step) => highest = highest.max(step.key.serial),
        None => reading.malformed_key(tables::STEPS, &key),
    })?;
    reading.last_id(tables::STEPS, highest)
}
