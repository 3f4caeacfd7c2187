//! Filling the memory from the trees at start, if they are in step.

use super::checksum::Checksum;
use super::trees::Trees;
use super::verify::{Findings, Verified, verify};
use crate::store::memory::{Memory, Update};

/// The memory as the trees have it, and their checksum; or what is out of step in them, and their checksum.
///
/// # Errors
/// If sled cannot read a tree.
pub(super) fn load(trees: &Trees) -> sled::Result<Result<(Memory, Checksum), (Findings, Checksum)>> {
    let mut changes = Vec::new();
    let Verified { findings, checksum } = verify(trees, &mut |change| changes.push(change))?;
    if !findings.is_empty() {
        return Ok(Err((findings, checksum)));
    }
    let mut memory = Memory::default();
    memory.apply(Update::of(changes));
    Ok(Ok((memory, checksum)))
}
