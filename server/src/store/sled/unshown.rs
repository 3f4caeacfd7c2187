//! The bounties that a commit changes while memory still shows them as they were: from before it is written to the trees until
//! it is on disk and applied to memory. Readers get their former state, so that what they read goes with what memory shows.

use std::collections::HashMap;

use contract::{Bounty, BountyId};
use parking_lot::Mutex;
use sled::IVec;

use super::keys;
use super::record::Record;
use super::transaction::Entries;
use super::trees::{Tree, Trees};
use crate::store::{StoreError, StoreResult};

/// The former values of the bounties of one commit; `None` for a new one.
#[derive(Default)]
pub(super) struct Unshown(Mutex<HashMap<BountyId, Option<IVec>>>);

impl Unshown {
    /// Forgets them. Called while nothing can read the memory, which shows the new states from then on.
    pub(super) fn forget(&self) {
        self.0.lock().clear();
    }
}

impl Trees {
    /// Keeps the present state of the bounties that are among `entries`, which are to be written next.
    pub(super) fn keep_unshown(&self, entries: &Entries) -> StoreResult<()> {
        let keys = entries.keys().filter(|(tree, _)| *tree == Tree::Bounties);
        let former = keys.map(|(_, key)| {
            let id = keys::last(key).ok_or_else(|| StoreError::damaged("a bounty without its id"))?;
            Ok((id, self.whole_value(Tree::Bounties, key)?))
        });
        let former = former.collect::<StoreResult<Vec<_>>>()?;
        self.unshown().0.lock().extend(former);
        Ok(())
    }

    /// A bounty as memory shows it. If memory takes in a change of it meanwhile, it may be either state.
    pub(super) fn shown_bounty(&self, id: BountyId) -> StoreResult<Option<Bounty>> {
        // In this order: what is written after the look into the trees is noted before.
        let present = self.whole_value(Tree::Bounties, Bounty::key(id).as_ref())?;
        let former = self.unshown().0.lock().get(&id).cloned();
        let bounty = former.unwrap_or(present).map(|value| Bounty::decode(&value));
        bounty.transpose().map_err(StoreError::damaged)
    }
}
