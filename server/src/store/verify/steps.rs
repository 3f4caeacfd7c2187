//! The steps of simulated workers: each can be read, and has a number that was given out. What was counted towards quotas
//! can be read.

use codegen_store::EngineError;

use super::finding::Finding;
use super::reading::Reading;
use crate::store::steps::step_of;
use crate::store::{tables, usage};

/// Reads all steps.
pub(super) fn steps(reading: &mut Reading<'_, '_>) -> Result<(), EngineError> {
    let mut highest = 0;
    reading.values(tables::STEPS, |reading, key, value| match step_of(&key, &value) {
        Some(step) => highest = highest.max(step.key.serial),
        None => reading.findings.push(&Finding::Key {
            tree: tables::STEPS,
            key: key.to_vec(),
        }),
    })?;
    reading.last_id(tables::STEPS, highest)
}

/// Reads what was counted towards quotas.
pub(super) fn quota_usage(reading: &mut Reading<'_, '_>) -> Result<(), EngineError> {
    reading.values(tables::QUOTA_USAGE, |reading, key, value| {
        if usage::owner_of(&key).is_none() || usage::usage_of(&value).is_none() {
            let (tree, key) = (tables::QUOTA_USAGE, key.to_vec());
            reading.findings.push(&Finding::Key { tree, key });
        }
    })?;
    Ok(())
}
