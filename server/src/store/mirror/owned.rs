//! The bounties of each account, open or not: only their ids and statuses. The others' records are read from the engine.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use contract::{AccountId, Bounty, BountyId, BountyStatus, quotas};

use crate::store::PageRequest;

/// The ids and the statuses of all bounties, by account.
#[derive(Default)]
pub(super) struct Owned {
    by_account: HashMap<AccountId, OfAccount>,
}

#[derive(Default)]
struct OfAccount {
    bounties: BTreeMap<BountyId, BountyStatus>,
    /// Those that count towards the quota on open bounties.
    open: BTreeSet<BountyId>,
}

impl Owned {
    /// Updates a bounty to its new state.
    pub(super) fn set(&mut self, bounty: &Bounty) {
        let of_account = self.by_account.entry(bounty.account_id).or_default();
        of_account.bounties.insert(bounty.id, bounty.status);
        match quotas::open_bounties(bounty) {
            true => of_account.open.insert(bounty.id),
            false => of_account.open.remove(&bounty.id),
        };
    }

    /// How many bounties of an account count towards the quota on open ones.
    pub(super) fn open(&self, account: AccountId) -> i64 {
        super::count(
            self.by_account
                .get(&account)
                .map_or(0, |of_account| of_account.open.len()),
        )
    }

    /// Whether this one does.
    pub(super) fn is_open(&self, account: AccountId, id: BountyId) -> bool {
        let of_account = self.by_account.get(&account);
        of_account.is_some_and(|of_account| of_account.open.contains(&id))
    }

    /// A page of an account's bounties in this status, or in any, in the contract's order, and their total number.
    pub(super) fn page(
        &self,
        account: AccountId,
        status: Option<BountyStatus>,
        window: PageRequest,
    ) -> (Vec<BountyId>, i64) {
        let is_wanted = |found: BountyStatus| status.is_none_or(|wanted| wanted == found);
        let of_account = self.by_account.get(&account);
        let bounties = of_account.into_iter().flat_map(|of_account| &of_account.bounties);
        let ids = bounties.filter(|(_, found)| is_wanted(**found)).map(|(id, _)| *id);
        let ids: Vec<_> = ids.collect();
        let total = super::count(ids.len());
        (window.of(ids.into_iter().rev()).collect(), total)
    }
}
