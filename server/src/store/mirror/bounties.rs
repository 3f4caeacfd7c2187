//! The open bounties in memory: by id, and as list rows in the contract's order.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use contract::agent::list_bounties::order;
use contract::support::text::fold;
use contract::{Account, AccountId, Bounty, BountyId, BountyList, Encoded, Page};

use super::ranking::{Ranked, Ranking};
use crate::store::rules::bounties::takes_applications;
use crate::store::{BountyFilter, PageRequest};

/// The open bounties, including those of suspended accounts, which no list shows.
#[derive(Default)]
pub(in crate::store) struct Bounties {
    by_id: HashMap<BountyId, Arc<Bounty>>,
    rows: Ranking<BountyRow>,
    suspended: HashSet<AccountId>,
}

struct BountyRow {
    category: Option<Box<str>>,
    location: Option<Box<str>>,
    bounty: Arc<Bounty>,
    list_view: Encoded<BountyList>,
}

impl Bounties {
    /// One bounty, if it is open.
    pub(in crate::store) fn get(&self, id: BountyId) -> Option<&Arc<Bounty>> {
        self.by_id.get(&id)
    }

    /// How many are open.
    pub(in crate::store) fn len(&self) -> usize {
        self.rows.len()
    }

    /// A page of the matching bounties, in the contract's order. Scans all rows.
    pub(in crate::store) fn find(&self, filter: &BountyFilter, window: PageRequest) -> Page<BountyList> {
        let category = filter.category.as_deref().map(fold);
        let location = filter.location.as_deref().map(fold);
        let matching = self.rows.iter().filter(|row| {
            !self.suspended.contains(&row.bounty.account_id)
                && (!filter.remote_only || row.bounty.is_remote)
                && category
                    .as_deref()
                    .is_none_or(|wanted| row.category.as_deref() == Some(wanted))
                && location
                    .as_deref()
                    .is_none_or(|part| contains(row.location.as_deref(), part))
        });
        super::page(matching.map(|row| &row.list_view), window)
    }

    /// Updates bounties to their new state, each once. Bounties that are no longer open are removed.
    pub(super) fn apply(
        &mut self,
        changed: impl IntoIterator<Item = Arc<Bounty>>,
        accounts: &BTreeMap<AccountId, Arc<Account>>,
    ) {
        let (mut leaving, mut coming) = (Vec::new(), Vec::new());
        for bounty in changed {
            leaving.extend(self.by_id.remove(&bounty.id));
            if takes_applications(&bounty) {
                let poster = accounts
                    .get(&bounty.account_id)
                    .expect("accounts come first, and never go");
                coming.push(BountyRow::new(Arc::clone(&bounty), &poster.name));
                self.by_id.insert(bounty.id, bounty);
            }
        }
        self.rows.replace(leaving, coming);
    }

    /// Shows the account's bounties, or hides them if it is suspended.
    pub(super) fn show(&mut self, account: &Account) {
        if account.suspended {
            self.suspended.insert(account.id);
        } else {
            self.suspended.remove(&account.id);
        }
    }

    /// Updates the account's name on its bounties. Scans all rows, so it is called only when the name changes.
    pub(super) fn rename(&mut self, account: &Account) {
        for row in self.rows.iter_mut().filter(|row| row.bounty.account_id == account.id) {
            row.list_view = row.bounty.list(&account.name);
        }
    }
}

impl BountyRow {
    fn new(bounty: Arc<Bounty>, poster_name: &str) -> Self {
        Self {
            category: bounty.category.as_deref().map(folded),
            location: bounty.location.as_deref().map(folded),
            list_view: bounty.list(poster_name),
            bounty,
        }
    }
}

impl Ranked for BountyRow {
    type Record = Bounty;

    fn record(&self) -> &Arc<Bounty> {
        &self.bounty
    }
    fn order(a: &Bounty, b: &Bounty) -> Ordering {
        order(a, b)
    }
}

fn folded(text: &str) -> Box<str> {
    fold(text).into()
}

fn contains(text: Option<&str>, part: &str) -> bool {
    text.is_some_and(|text| text.contains(part))
}
