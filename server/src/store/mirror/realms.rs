//! Live records and those of the sandbox, apart: a search reads only those of its realm, however many the other has.

use std::sync::Arc;

use contract::{AccountId, BountyId, Encoded, Human, HumanDetail, HumanId};

use super::bounties::{Bounties, BountyVersion};
use super::humans::Humans;
use crate::digest::Digest;
use crate::store::actor::AdmittedHuman;

/// The records of both realms.
#[derive(Default)]
pub(crate) struct Realms<T> {
    live: T,
    sandbox: T,
}

impl<T> Realms<T> {
    /// The records of the sandbox, or the live ones.
    pub(crate) fn of(&self, sandbox: bool) -> &T {
        if sandbox { &self.sandbox } else { &self.live }
    }

    /// The same, to be changed.
    pub(super) fn of_mut(&mut self, sandbox: bool) -> &mut T {
        if sandbox { &mut self.sandbox } else { &mut self.live }
    }

    fn both(&self) -> [&T; 2] {
        [&self.live, &self.sandbox]
    }

    fn find<F>(&self, find: impl Fn(&T) -> Option<F>) -> Option<F> {
        self.both().into_iter().find_map(find)
    }
}

impl Realms<Humans> {
    /// One worker of any realm.
    pub(crate) fn get(&self, id: HumanId) -> Option<Arc<Human>> {
        self.find(|humans| humans.get(id))
    }

    /// One worker of any realm, in the view for agents.
    pub(crate) fn detail(&self, id: HumanId) -> Option<Encoded<HumanDetail>> {
        self.find(|humans| humans.detail(id))
    }

    /// The worker whose token has this digest.
    pub(crate) fn admit(&self, digest: &Digest) -> Option<AdmittedHuman> {
        let admit = |sandbox| {
            let humans = self.of(sandbox);
            let id = humans.admit(digest)?;
            let suspended = humans.is_suspended(id);
            Some(AdmittedHuman { id, sandbox, suspended })
        };
        admit(false).or_else(|| admit(true))
    }

    /// How many workers there are.
    pub(crate) fn len(&self) -> usize {
        self.both().map(Humans::len).iter().sum()
    }

    /// Compares the indexes with up to this many workers each. Returns the first that they do not have as it is.
    pub(crate) fn misindexed(&self, workers: usize) -> Option<HumanId> {
        self.find(|humans| humans.misindexed(workers))
    }

    /// Compares the indexes and the maps with the workers.
    #[cfg(test)]
    pub(crate) fn assert_indexed(&self) {
        self.both().into_iter().for_each(Humans::assert_indexed);
    }
}

impl Realms<Bounties> {
    /// The row of a bounty of any realm, if lists show it, and its account.
    pub(super) fn get(&self, id: BountyId) -> Option<(BountyVersion, AccountId)> {
        self.find(|bounties| bounties.get(id))
    }

    /// How many are open, including those of suspended accounts.
    pub(crate) fn open(&self) -> usize {
        self.both().map(Bounties::open).iter().sum()
    }
}
