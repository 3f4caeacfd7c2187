//! The steps of simulated workers: each can be read, and has a number that was given out. What was counted towards quotas
//! can be read.

use super::finding::Finding;
use super::reading::Reading;
use crate::store::sled::steps::step_of;
use crate::store::sled::trees::Tree;
use crate::store::sled::usage;

/// Reads all steps.
pub(super) fn steps(reading: &mut Reading<'_>) -> sled::Result<()> {
    let mut highest = 0;
    reading.entries(Tree::Steps, |reading, key, value| {
        match step_of(&key, &value) {
            Some(step) => highest = highest.max(step.key.serial),
            None => reading.findings.push(Finding::Key {
                tree: Tree::Steps,
                key: key.to_vec(),
            }),
        }
        Ok(())
    })?;
    reading.last_id(Tree::Steps, highest)
}

/// Reads what was counted towards quotas.
pub(super) fn quota_usage(reading: &mut Reading<'_>) -> sled::Result<()> {
    reading.entries(Tree::QuotaUsage, |reading, key, value| {
        if usage::owner_of(&key).is_none() || usage::usage_of(&value).is_none() {
            let (tree, key) = (Tree::QuotaUsage, key.to_vec());
            reading.findings.push(Finding::Key { tree, key });
        }
        Ok(())
    })?;
    Ok(())
}
