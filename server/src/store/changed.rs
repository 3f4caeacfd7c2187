//! Accounts whose webhooks may have something to send, for the one who sends it.

use std::collections::HashSet;

use contract::AccountId;
use parking_lot::Mutex;
use tokio::sync::Notify;

/// The accounts since the last look.
#[derive(Default)]
pub(crate) struct ChangedAccounts {
    accounts: Mutex<HashSet<AccountId>>,
    added: Notify,
}

impl ChangedAccounts {
    /// Adds accounts.
    pub(crate) fn add(&self, accounts: impl Iterator<Item = AccountId>) {
        let mut accounts = accounts.peekable();
        if accounts.peek().is_some() {
            let mut all = self.accounts.lock();
            all.extend(accounts);
            self.added.notify_one();
        }
    }

    /// Waits until there are accounts, and takes them.
    pub(crate) async fn next(&self) -> Vec<AccountId> {
        loop {
            let added: Vec<_> = self.accounts.lock().drain().collect();
            if !added.is_empty() {
                return added;
            }
            self.added.notified().await;
        }
    }
}
