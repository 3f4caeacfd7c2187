//! Loads the mirror from the trees at start, if the trees are consistent.

use std::sync::mpsc::{Receiver, sync_channel};
use std::{mem, panic, thread};

use codegen_store::{EngineError, Findings, Reader};

use super::mirror::{Change, Mirror, Update};
use super::verify::verify;

/// How many records the verification passes on at once. A worker with long texts takes 100 KB until it is in the mirror.
const BATCH: usize = 64;

/// How many batches may wait, so that a verification that is faster than the mirror does not fill the memory.
const WAITING: usize = 4;

/// How many workers are compared with the search index, some milliseconds' work.
const SAMPLE: usize = 1_000;

/// The mirror; or, if the trees are inconsistent, the findings.
///
/// # Errors
/// If a tree cannot be read.
pub(crate) fn load(reader: &mut Reader<'_>) -> Result<Result<Mirror, Findings>, EngineError> {
    thread::scope(|scope| {
        let (batches, waiting) = sync_channel(WAITING);
        let builder = thread::Builder::new().name("mirror".to_owned());
        let building = builder.spawn_scoped(scope, move || build(&waiting));
        let building = building.map_err(EngineError::Io)?;
        let mut batch = Vec::with_capacity(BATCH);
        let verified = verify(reader, &mut |change| {
            batch.push(change);
            if batch.len() == BATCH {
                // Fails only if the other thread panicked, which `join` reports.
                let _ = batches.send(mem::replace(&mut batch, Vec::with_capacity(BATCH)));
            }
        });
        let _ = batches.send(batch);
        drop(batches);
        let mirror = building.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
        let findings = verified?;
        Ok(match findings.is_empty() {
            true => Ok(mirror),
            false => Err(findings),
        })
    })
}

/// Builds the mirror while the rest is verified.
fn build(batches: &Receiver<Vec<Change>>) -> Mirror {
    let mut mirror = Mirror::default();
    for batch in batches {
        mirror.apply(Update::from_changes(batch));
    }
    if let Some(worker) = mirror.humans.misindexed(SAMPLE) {
        tracing::error!(
            worker = worker.get(),
            "the search index differs from this worker: searches may be wrong"
        );
    }
    mirror
}
