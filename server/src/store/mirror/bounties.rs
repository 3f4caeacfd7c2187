//! The open bounties of a realm in memory: by id, and as list rows in the contract's order, with a short key of each row that
//! filters compare. Of the others, only the ids.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use contract::agent::list_bounties::{order, shows, shows_of_account};
use contract::support::text::fold;
use contract::{Account, AccountId, Bounty, BountyId, BountyList, BountyStatus, Encoded, Page, Rows};

use super::owned::Owned;
use super::texts::{TextSet, Texts};
use crate::search::TextId;
use crate::store::{BountyFilter, PageRequest};

/// The open bounties, including those of suspended accounts, which no list shows.
#[derive(Default)]
pub(in crate::store) struct Bounties {
    by_id: HashMap<BountyId, Arc<Bounty>>,
    /// From the last row of the list to the first: new bounties, which are first in the list, go to the end.
    rows: Vec<BountyRow>,
    /// Of the row at the same place. A search reads all keys, so they are small and lie side by side.
    keys: Vec<RowKey>,
    categories: Texts,
    locations: Texts,
    /// Of all bounties, also those that are not open.
    owned: Owned,
    /// Accounts whose bounties no list shows.
    hidden: HashSet<AccountId>,
}

struct BountyRow {
    account_id: AccountId,
    bounty: Arc<Bounty>,
    list_view: Encoded<BountyList>,
}

/// The properties that filters compare.
#[derive(Clone, Copy)]
struct RowKey {
    category: Option<TextId>,
    location: Option<TextId>,
    is_remote: bool,
    /// Whether lists show the bounties of its account.
    is_listed: bool,
}

/// A filter in the numbers of its texts.
struct Condition {
    category: Option<TextId>,
    locations: Option<TextSet>,
    remote_only: bool,
}

impl Condition {
    fn accepts(&self, key: &RowKey) -> bool {
        key.is_listed
            && (!self.remote_only || key.is_remote)
            && (self.category.is_none() || key.category == self.category)
            && self
                .locations
                .as_ref()
                .is_none_or(|wanted| key.location.is_some_and(|location| wanted.contains(location)))
    }
}

impl Bounties {
    /// One bounty, if it is open.
    pub(in crate::store) fn get(&self, id: BountyId) -> Option<&Arc<Bounty>> {
        self.by_id.get(&id)
    }

    /// A page of the ids of an account's bounties in this status, or in any, and their total number.
    pub(in crate::store) fn owned(
        &self,
        account: AccountId,
        status: Option<BountyStatus>,
        window: PageRequest,
    ) -> (Vec<BountyId>, i64) {
        self.owned.page(account, status, window)
    }

    /// How many bounties of an account count towards the quota on open ones.
    pub(in crate::store) fn count_open(&self, account: AccountId) -> i64 {
        self.owned.open(account)
    }

    /// Whether this bounty of an account does.
    pub(in crate::store) fn counts_as_open(&self, account: AccountId, id: BountyId) -> bool {
        self.owned.is_open(account, id)
    }

    /// How many are open.
    pub(in crate::store) fn len(&self) -> usize {
        self.rows.len()
    }

    /// A page of the matching bounties, in the contract's order.
    pub(in crate::store) fn find(&self, filter: &BountyFilter, window: PageRequest) -> Page<BountyList> {
        let Some(condition) = self.condition(filter) else {
            return Page {
                rows: Rows::from(Vec::new()),
                total: 0,
            };
        };
        let accepts = |key: &RowKey| condition.accepts(key);
        let places = (0..self.rows.len()).rev().filter(|place| accepts(&self.keys[*place]));
        Page {
            rows: window
                .of(places)
                .map(|place| self.rows[place].list_view.clone())
                .collect(),
            total: super::count(self.keys.iter().filter(|key| accepts(key)).count()),
        }
    }

    /// The condition of a filter, or `None` if no bounty can meet it.
    fn condition(&self, filter: &BountyFilter) -> Option<Condition> {
        let category = match &filter.category {
            Some(category) => Some(self.categories.find(&fold(category))?),
            None => None,
        };
        let locations = filter.location.as_deref();
        Some(Condition {
            category,
            locations: locations.map(|part| self.locations.containing(&fold(part))),
            remote_only: filter.remote_only,
        })
    }

    /// Updates a bounty of this account to its new state. A bounty that is no longer open is removed.
    pub(super) fn apply(&mut self, bounty: Arc<Bounty>, poster: &Account) {
        self.owned.set(&bounty);
        if let Some(former) = self.by_id.remove(&bounty.id) {
            let place = self.place(&former).expect("each open bounty has a row");
            self.rows.remove(place);
            self.keys.remove(place);
        }
        if shows(&bounty) {
            self.insert(bounty, poster);
        }
    }

    /// Shows the account's bounties, or hides them, as the contract states.
    pub(super) fn show(&mut self, account: &Account) {
        let is_listed = shows_of_account(account);
        let changes = match is_listed {
            true => self.hidden.remove(&account.id),
            false => self.hidden.insert(account.id),
        };
        if changes {
            for (row, key) in self.rows.iter().zip(&mut self.keys) {
                if row.account_id == account.id {
                    key.is_listed = is_listed;
                }
            }
        }
    }

    /// Updates the account's name on its bounties. Scans all rows, so it is called only when the name changes.
    pub(super) fn rename(&mut self, account: &Account) {
        for row in self.rows.iter_mut().filter(|row| row.account_id == account.id) {
            row.list_view = row.bounty.list(account);
        }
    }

    /// The place of a bounty's row, or the place where it belongs.
    fn place(&self, bounty: &Bounty) -> Result<usize, usize> {
        self.rows.binary_search_by(|row| order(bounty, &row.bounty))
    }

    fn insert(&mut self, bounty: Arc<Bounty>, poster: &Account) {
        let (Ok(place) | Err(place)) = self.place(&bounty);
        let number = |texts: &mut Texts, text: &Option<String>| text.as_deref().map(|text| texts.add(&fold(text)));
        let key = RowKey {
            category: number(&mut self.categories, &bounty.category),
            location: number(&mut self.locations, &bounty.location),
            is_remote: bounty.is_remote,
            is_listed: !self.hidden.contains(&bounty.account_id),
        };
        let row = BountyRow {
            account_id: bounty.account_id,
            list_view: bounty.list(poster),
            bounty: Arc::clone(&bounty),
        };
        self.keys.insert(place, key);
        self.rows.insert(place, row);
        self.by_id.insert(bounty.id, bounty);
    }

    /// Frees the texts that no row has any more, once they are the most.
    pub(super) fn forget_texts(&mut self) {
        let most = 1_000 + 2 * self.rows.len();
        if self.categories.len() > most {
            self.categories
                .retain(self.keys.iter_mut().map(|key| &mut key.category));
        }
        if self.locations.len() > most {
            self.locations.retain(self.keys.iter_mut().map(|key| &mut key.location));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use contract::agent::list_bounties::{Query, matches};
    use contract::{AccountSeed, BountySeed, Number, Plan, Timestamp};

    use super::*;

    fn accounts() -> HashMap<AccountId, Arc<Account>> {
        let account = |id| {
            Account::from(AccountSeed {
                id,
                name: format!("account {}", id.get()),
                plan: Plan::Free,
                created_at: Timestamp::from_unix(0),
            })
        };
        let ids = (1..4).map(AccountId::new);
        ids.map(|id| (id, Arc::new(account(id)))).collect()
    }

    /// A bounty whose properties follow from its id and `turn`.
    fn bounty(id: i64, turn: i64) -> Bounty {
        let mut bounty = Bounty::from(BountySeed {
            id: BountyId::new(id),
            account_id: AccountId::new(id % 3 + 1),
            title: "A task".to_owned(),
            description: "To be done".to_owned(),
            budget: Number::ZERO,
        });
        bounty.category = ((id + turn) % 4 != 0).then(|| format!("Category {}", (id + turn) % 4));
        bounty.location = ((id * turn) % 5 != 0).then(|| format!("Street {} of {}", id * turn % 50, turn % 3));
        bounty.is_remote = (id ^ turn) % 3 == 0;
        if (id + turn) % 7 == 0 {
            bounty.status = BountyStatus::Cancelled;
        }
        bounty
    }

    /// Compares all filters with a plain scan of `all`, by the conditions of the contract.
    fn check(bounties: &Bounties, all: &BTreeMap<i64, Bounty>, accounts: &HashMap<AccountId, Arc<Account>>) {
        let categories = [None, Some("ＣＡＴＥＧＯＲＹ 2"), Some("Category"), Some("none")];
        let locations = [
            None,
            Some("street 1"),
            Some("OF 2"),
            Some("7 of"),
            Some("1 of 1street"),
            Some("none"),
        ];
        for (category, location) in categories.iter().flat_map(|c| locations.map(|l| (*c, l))) {
            for remote_only in [false, true] {
                let filter = BountyFilter {
                    category: category.map(str::to_owned),
                    remote_only,
                    location: location.map(str::to_owned),
                    sandbox: false,
                };
                let query = Query {
                    category: filter.category.clone(),
                    is_remote: Some(remote_only),
                    location: filter.location.clone(),
                    limit: 3,
                    offset: 2,
                };
                let matches = |one: &&Bounty| matches(one, &accounts[&one.account_id], &query, false);
                let expected: Vec<_> = all.values().rev().filter(matches).map(|one| one.id.get()).collect();
                let page = bounties.find(&filter, PageRequest::new(3, 2));
                assert_eq!(page.total, expected.len() as i64, "{filter:?}");
                let rows = page.rows.read_all().expect("rows in memory");
                let id = |row: &Encoded<BountyList>| {
                    serde_json::from_str::<serde_json::Value>(row.as_str()).expect("JSON")["id"].as_i64()
                };
                let ids: Vec<_> = rows.iter().filter_map(id).collect();
                assert_eq!(
                    ids,
                    expected.into_iter().skip(2).take(3).collect::<Vec<_>>(),
                    "{filter:?}"
                );
            }
        }
    }

    #[test]
    fn lists_are_those_of_a_plain_scan_after_any_changes() {
        let mut accounts = accounts();
        let (mut bounties, mut all) = (Bounties::default(), BTreeMap::new());
        for turn in 0..40 {
            let changed: Vec<_> = (1..200)
                .filter(|id| (id * 31 + turn * 17) % 11 < 3)
                .map(|id| bounty(id, turn))
                .collect();
            for one in &changed {
                bounties.apply(Arc::new(one.clone()), &accounts[&one.account_id]);
            }
            bounties.forget_texts();
            all.extend(changed.into_iter().map(|one| (one.id.get(), one)));
            if turn % 4 == 0 {
                let account = accounts.get_mut(&AccountId::new(2)).map(Arc::make_mut);
                let account = account.expect("it is there");
                account.suspended = turn % 8 == 0;
                bounties.show(account);
            }
            check(&bounties, &all, &accounts);
        }
    }

    #[test]
    fn texts_of_closed_bounties_are_forgotten() {
        let accounts = accounts();
        let mut bounties = Bounties::default();
        for id in 1..10_000 {
            let mut one = bounty(3, 1);
            one.location = Some(format!("Street {id}"));
            bounties.apply(Arc::new(one.clone()), &accounts[&one.account_id]);
            bounties.forget_texts();
        }
        assert!(bounties.locations.len() <= 1_003, "{}", bounties.locations.len());
        let filter = BountyFilter {
            location: Some("street 9999".to_owned()),
            ..BountyFilter::default()
        };
        assert_eq!(bounties.find(&filter, PageRequest::new(1, 0)).total, 1);
    }
}
