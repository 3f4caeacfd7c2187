//! The bounties that a commit changes while memory still shows them as they were: from before it is written to the trees until
//! it is on disk and applied to memory. Readers get their former state, so that what they read goes with what memory shows.

use std::collections::HashMap;

use codegen_store::{Batch, Bytes, Reads, Record, StoreError, StoreResult};
use contract::support::Key;
use contract::{Bounty, BountyId};
use parking_lot::Mutex;

use super::tables;

/// The former values of the bounties of one commit; `None` for a new one.
#[derive(Default)]
pub(crate) struct Unshown(Mutex<HashMap<BountyId, Option<Bytes>>>);

impl Unshown {
    /// Keeps the present state of the bounties that are among `entries`, which are to be written next.
    pub(crate) fn keep(&self, reads: &(impl Reads + ?Sized), entries: &Batch) -> StoreResult<()> {
        let keys = entries.keys().filter(|(tree, _)| *tree == tables::BOUNTIES);
        let former = keys.map(|(_, key)| {
            let id = BountyId::read(key).ok_or_else(|| StoreError::damaged("a bounty without its id"))?;
            Ok((id, reads.get(tables::BOUNTIES, key)?))
        });
        let former = former.collect::<StoreResult<Vec<_>>>()?;
        self.0.lock().extend(former);
        Ok(())
    }

    /// A bounty as memory shows it. If memory takes in a change of it meanwhile, it may be either state.
    pub(crate) fn shown(&self, reads: &(impl Reads + ?Sized), id: BountyId) -> StoreResult<Option<Bounty>> {
        // In this order: what is written after the look into the trees is noted before.
        let present = reads.get(tables::BOUNTIES, &id.bytes())?;
        let former = self.0.lock().get(&id).cloned();
        let bounty = former.unwrap_or(present).map(|value| Bounty::decode(&value));
        bounty.transpose().map_err(StoreError::damaged)
    }

    /// Forgets them. Called while nothing can read the memory, which shows the new states from then on.
    pub(crate) fn forget(&self) {
        self.0.lock().clear();
    }
}
