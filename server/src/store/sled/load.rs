//! Loads the mirror from the trees at start, if the trees are consistent.

use super::checksum::Checksum;
use super::trees::Trees;
use super::verify::{Findings, Verified, verify};
use crate::store::mirror::{Mirror, Update};

/// The mirror with the checksum of the trees; or, if the trees are inconsistent, the findings with the checksum.
///
/// # Errors
/// If sled cannot read a tree.
pub(super) fn load(trees: &Trees) -> sled::Result<Result<(Mirror, Checksum), (Findings, Checksum)>> {
    let mut changes = Vec::new();
    let Verified { findings, checksum } = verify(trees, &mut |change| changes.push(change))?;
    if !findings.is_empty() {
        return Ok(Err((findings, checksum)));
    }
    let mut mirror = Mirror::default();
    mirror.apply(Update::of(changes));
    Ok(Ok((mirror, checksum)))
}
