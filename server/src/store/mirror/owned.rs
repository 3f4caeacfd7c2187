//! The bounties of each account, open or not: only their ids and statuses. The others' records are read from the engine.

use std::collections::{BTreeMap, HashMap};

use contract::{AccountId, Bounty, BountyId, BountyStatus};

use crate::store::PageRequest;

/// The ids and the statuses of all bounties, by account.
#[derive(Default)]
pub(super) struct Owned {
    by_account: HashMap<AccountId, BTreeMap<BountyId, BountyStatus>>,
}

impl Owned {
    /// Updates a bounty to its new state.
    pub(super) fn set(&mut self, bounty: &Bounty) {
        let of_account = self.by_account.entry(bounty.account_id).or_default();
        of_account.insert(bounty.id, bounty.status);
    }

    /// A page of an account's bounties in this status, or in any, in the contract's order, and their total number.
    pub(super) fn page(
        &self,
        account: AccountId,
        status: Option<BountyStatus>,
        window: PageRequest,
    ) -> (Vec<BountyId>, i64) {
        let is_wanted = |found: BountyStatus| status.is_none_or(|wanted| wanted == found);
        let of_account = self.by_account.get(&account).into_iter().flatten();
        let ids = of_account.filter(|(_, found)| is_wanted(**found)).map(|(id, _)| *id);
        let ids: Vec<_> = ids.collect();
        let total = super::count(ids.len());
        (window.of(ids.into_iter().rev()).collect(), total)
    }
}
