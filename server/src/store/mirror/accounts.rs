//! The accounts, by id and in the order of the operator's list.

use std::collections::HashMap;
use std::sync::Arc;

use contract::operator::list_accounts::{Query, matches, order};
use contract::support::Page;
use contract::{Account, AccountId, AccountItem};

use crate::store::filter::{PageRequest, count};

/// All accounts. None ever goes.
#[derive(Default)]
pub(crate) struct Accounts {
    by_id: HashMap<AccountId, Arc<Account>>,
    listed: Vec<Arc<Account>>,
}

impl Accounts {
    pub(super) fn get(&self, id: AccountId) -> Option<&Arc<Account>> {
        self.by_id.get(&id)
    }

    pub(super) fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Adds an account, or replaces it, and returns its former state.
    pub(super) fn insert(&mut self, account: Arc<Account>) -> Option<Arc<Account>> {
        let former = self.by_id.insert(account.id, Arc::clone(&account));
        if let Some(former) = &former {
            let place = self.place_of(former).expect("each account is listed");
            self.listed.remove(place);
        }
        let (Ok(place) | Err(place)) = self.place_of(&account);
        self.listed.insert(place, account);
        former
    }

    /// Its place in the list, or the place where it belongs.
    fn place_of(&self, account: &Account) -> Result<usize, usize> {
        self.listed.binary_search_by(|other| order(other, account))
    }

    /// A page of the operator's list. A list of all accounts looks at no account before its page.
    pub(crate) fn list(&self, query: &Query) -> Page<AccountItem> {
        let Query {
            name,
            plan,
            suspended,
            sandbox,
            limit,
            offset,
        } = query;
        let window = PageRequest::new(*limit, *offset);
        if name.is_none() && plan.is_none() && suspended.is_none() && sandbox.is_none() {
            return page(window.of(self.listed.iter()), self.listed.len());
        }
        let matching = self.listed.iter().filter(|account| matches(account, query));
        let matching: Vec<_> = matching.collect();
        page(window.of(matching.iter().copied()), matching.len())
    }
}

fn page<'a>(accounts: impl Iterator<Item = &'a Arc<Account>>, total: usize) -> Page<AccountItem> {
    Page {
        rows: accounts.map(|account| account.item()).collect(),
        total: count(total),
    }
}
