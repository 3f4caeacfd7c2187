//! The steps of simulated workers: each can be read, and has a number that was given out.

use super::finding::Finding;
use super::reading::Reading;
use crate::store::sled::steps::step_of;
use crate::store::sled::trees::Tree;

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
