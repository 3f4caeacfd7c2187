//! The part of the store that every request asks for, in memory: whom a credential admits, the workers, the open
//! bounties, with each list row already encoded.
//!
//! Loaded from the engine at start, changed by the engine after each commit and before its acknowledgement. Knows no
//! engine. Nothing here waits for anything; a scan of ten thousand rows takes less than a millisecond.

mod bounties;
mod humans;
mod keys;
mod ranking;
mod words;

use std::collections::BTreeMap;
use std::sync::Arc;

use contract::{Account, AccountId, AccountItem, ApiKey, ApiKeyId, Bounty, Human, Page};

pub(super) use bounties::Bounties;
pub(super) use humans::Humans;
pub(super) use keys::Keys;

use super::Window;

/// What a commit changed, each record as it now is.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// An account was made or changed.
    Account(Arc<Account>),
    /// A key was made.
    Key(Arc<ApiKey>),
    /// A key was revoked.
    KeyRevoked(ApiKeyId),
    /// A worker was entered or changed.
    Human(Arc<Human>),
    /// A bounty was made or changed.
    Bounty(Arc<Bounty>),
}

/// The records that are in memory.
#[derive(Default)]
pub(super) struct Memory {
    accounts: BTreeMap<AccountId, Arc<Account>>,
    /// The active keys.
    pub(super) keys: Keys,
    /// The workers.
    pub(super) humans: Humans,
    /// The open bounties.
    pub(super) bounties: Bounties,
}

impl Memory {
    /// One account.
    pub(super) fn account(&self, id: AccountId) -> Option<&Arc<Account>> {
        self.accounts.get(&id)
    }

    /// A page of the accounts, by id.
    pub(super) fn accounts(&self, window: Window) -> Page<AccountItem> {
        let rows = window
            .of(self.accounts.values())
            .map(|account| account.item())
            .collect();
        Page {
            rows,
            total: count(self.accounts.len()),
        }
    }

    /// How many accounts there are.
    pub(super) fn accounts_len(&self) -> usize {
        self.accounts.len()
    }

    /// Takes in what a commit changed, in its order.
    pub(super) fn apply(&mut self, changes: Vec<Change>) {
        // By id, so that of a record that changed twice only the last state is taken in.
        let mut humans = BTreeMap::new();
        let mut bounties = BTreeMap::new();
        for change in changes {
            match change {
                Change::Account(account) => self.apply_account(account),
                Change::Key(key) => self.keys.insert(key),
                Change::KeyRevoked(id) => self.keys.remove(id),
                Change::Human(human) => drop(humans.insert(human.id, human)),
                Change::Bounty(bounty) => drop(bounties.insert(bounty.id, bounty)),
            }
        }
        self.humans.apply(humans.into_values());
        self.bounties.apply(bounties.into_values(), &self.accounts);
    }

    fn apply_account(&mut self, account: Arc<Account>) {
        let former = self.accounts.insert(account.id, Arc::clone(&account));
        if former.is_none_or(|former| former.name != account.name || former.suspended != account.suspended) {
            self.bounties.account_changed(&account);
        }
    }
}

/// A number of rows as a page states it.
fn count(rows: usize) -> i64 {
    i64::try_from(rows).expect("memory holds fewer rows than i64 counts")
}
