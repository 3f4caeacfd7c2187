//! The bounties of each account, open or not: only their ids and statuses. Their records are read from the engine.

use std::collections::{BTreeMap, HashMap};

use contract::{AccountId, BountyId, BountyStatus};

use super::changed_bounty::ChangedBounty;
use crate::store::filter::{PageRequest, count};

/// The ids and the statuses of all bounties, by account.
#[derive(Default)]
pub(super) struct Owned {
    by_account: HashMap<AccountId, OfAccount>,
    shown: usize,
}

#[derive(Default)]
struct OfAccount {
    bounties: BTreeMap<BountyId, Standing>,
    /// How many count towards the quota on open bounties.
    open: usize,
}

#[derive(Clone, Copy)]
struct Standing {
    status: BountyStatus,
    /// Whether lists show it, unless its account is suspended.
    is_shown: bool,
    /// Whether it counts towards the quota on open bounties.
    counts_as_open: bool,
}

impl Owned {
    /// Updates a bounty to its new state.
    pub(super) fn set(&mut self, bounty: &ChangedBounty) {
        let of_account = self.by_account.entry(bounty.account_id).or_default();
        let standing = Standing {
            status: bounty.status,
            is_shown: bounty.is_shown,
            counts_as_open: bounty.counts_as_open,
        };
        let former = of_account.bounties.insert(bounty.id, standing);
        self.shown += usize::from(standing.is_shown);
        self.shown -= usize::from(former.is_some_and(|former| former.is_shown));
        of_account.open += usize::from(standing.counts_as_open);
        of_account.open -= usize::from(former.is_some_and(|former| former.counts_as_open));
    }

    /// How many bounties lists show, including those of suspended accounts.
    pub(super) fn shown(&self) -> usize {
        self.shown
    }

    /// The ids of those of an account.
    pub(super) fn shown_of(&self, account: AccountId) -> impl Iterator<Item = BountyId> {
        let of_account = self.of(account).filter(|(_, found)| found.is_shown);
        of_account.map(|(id, _)| *id)
    }

    /// How many bounties of an account count towards the quota on open ones.
    pub(super) fn open(&self, account: AccountId) -> i64 {
        count(self.by_account.get(&account).map_or(0, |of_account| of_account.open))
    }

    /// Whether this one does.
    pub(super) fn is_open(&self, account: AccountId, id: BountyId) -> bool {
        let of_account = self.by_account.get(&account);
        let standing = of_account.and_then(|of_account| of_account.bounties.get(&id));
        standing.is_some_and(|standing| standing.counts_as_open)
    }

    /// A page of an account's bounties in this status, or in any, in the contract's order, and their total number.
    pub(super) fn page(
        &self,
        account: AccountId,
        status: Option<BountyStatus>,
        window: PageRequest,
    ) -> (Vec<BountyId>, i64) {
        let is_wanted = |found: &Standing| status.is_none_or(|wanted| wanted == found.status);
        let wanted = self.of(account).filter(|(_, found)| is_wanted(found));
        let ids: Vec<_> = wanted.map(|(id, _)| *id).collect();
        let total = count(ids.len());
        (window.of(ids.into_iter().rev()).collect(), total)
    }

    fn of(&self, account: AccountId) -> impl Iterator<Item = (&BountyId, &Standing)> {
        let of_account = self.by_account.get(&account);
        of_account.into_iter().flat_map(|of_account| &of_account.bounties)
    }
}
