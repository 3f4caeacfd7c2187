//! The records that every request needs, in memory: keys, tokens and workers, with each list row already encoded; of open
//! bounties only what filters compare. The engine loads them at start and updates them after each commit, before it
//! acknowledges the commit. Must not know the engine and never waits: among a million workers or a hundred thousand open
//! bounties, a search takes about a millisecond at most.

mod accounts;
mod bounties;
mod bounty_orders;
mod changed_bounty;
mod columns;
mod humans;
mod keys;
mod offered_skills;
mod owned;
mod packed;
mod realms;
mod recent;
mod texts;
mod webhooks;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use contract::agent::list_bounties::shows_of_account;
use contract::events::Recipient;
use contract::{Account, AccountId, ApiKey, ApiKeyId, BountyId, BountyStatus, Human, Timestamp, Webhook, WebhookId};

use accounts::Accounts;
pub(crate) use bounties::{Bounties, BountyPage, BountyVersion};
pub(crate) use changed_bounty::ChangedBounty;
use humans::ChangedHuman;
pub(crate) use humans::Humans;
pub(crate) use keys::Keys;
use realms::Realms;
pub(crate) use webhooks::{WebhookEntry, Webhooks};

use super::actor::Admitted;
use super::delivery::DeliveryState;
use super::filter::PageRequest;
use crate::digest::Digest;

/// How much the store holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// Accounts, including suspended ones.
    pub accounts: usize,
    /// Keys that are not revoked.
    pub active_keys: usize,
    /// Workers.
    pub humans: usize,
    /// Bounties that take applications, including those of suspended accounts.
    pub open_bounties: usize,
    /// Bytes of the records on disk.
    pub disk_bytes: u64,
}

/// One change of a commit, with the new state of the record.
#[derive(Clone, Debug)]
pub enum Change {
    /// An account was created or changed.
    Account(Arc<Account>),
    /// A key was created.
    Key(Arc<ApiKey>),
    /// A key was revoked.
    KeyRevoked(ApiKeyId),
    /// A worker was created or changed.
    Human(Arc<Human>),
    /// A bounty was created or changed.
    Bounty(ChangedBounty),
    /// A webhook, or the state of its deliveries, was created or changed.
    Webhook(Arc<Webhook>, Arc<DeliveryState>),
    /// A webhook was deleted.
    WebhookDeleted(WebhookId),
    /// There is a new event for this recipient. The mirror does not hold it.
    Event(Recipient),
    /// Steps of simulated workers were added or are due earlier. The mirror does not hold them.
    Steps,
}

/// The changes of a commit, one for each record, already encoded, which takes long and needs no lock.
#[derive(Default)]
pub(crate) struct Update {
    accounts: BTreeMap<AccountId, Arc<Account>>,
    /// `None` for a revoked key.
    keys: BTreeMap<ApiKeyId, Option<Arc<ApiKey>>>,
    humans: Vec<ChangedHuman>,
    bounties: BTreeMap<BountyId, ChangedBounty>,
    /// `None` for a deleted webhook.
    webhooks: BTreeMap<WebhookId, Option<WebhookEntry>>,
    /// The recipients of new events.
    woken: BTreeSet<Recipient>,
    has_steps: bool,
}

impl Update {
    /// Takes the recipients of new events, who are to be woken once the update is applied.
    pub(crate) fn take_woken(&mut self) -> BTreeSet<Recipient> {
        std::mem::take(&mut self.woken)
    }

    /// Whether steps of simulated workers were added or are due earlier.
    pub(crate) fn has_steps(&self) -> bool {
        self.has_steps
    }

    /// Adds a bounty in the state that the update leaves it in.
    pub(crate) fn add_bounty(&mut self, bounty: ChangedBounty) {
        self.bounties.insert(bounty.id, bounty);
    }

    /// The last state of each record in `changes`.
    pub(crate) fn from_changes(changes: Vec<Change>) -> Self {
        let mut update = Self::default();
        let mut humans = BTreeMap::new();
        for change in changes {
            match change {
                Change::Account(account) => drop(update.accounts.insert(account.id, account)),
                Change::Key(key) => drop(update.keys.insert(key.id, Some(key))),
                Change::KeyRevoked(id) => drop(update.keys.insert(id, None)),
                Change::Human(human) => drop(humans.insert(human.id, human)),
                Change::Bounty(bounty) => drop(update.bounties.insert(bounty.id, bounty)),
                Change::Webhook(webhook, state) => drop(update.webhooks.insert(webhook.id, Some((webhook, state)))),
                Change::WebhookDeleted(id) => drop(update.webhooks.insert(id, None)),
                Change::Event(of) => drop(update.woken.insert(of)),
                Change::Steps => update.has_steps = true,
            }
        }
        update.humans = humans
            .into_values()
            .map(|human: Arc<Human>| ChangedHuman::new(&human))
            .collect();
        update
    }

    /// The accounts whose webhooks may have something to send after it; `woken` got events.
    pub(crate) fn with_webhooks(&self, woken: &BTreeSet<Recipient>) -> Vec<AccountId> {
        let changed = self.webhooks.values().flatten();
        let changed = changed.map(|(webhook, _)| webhook.account_id);
        let woken = woken.iter().filter_map(|of| match of {
            Recipient::Account(id) => Some(*id),
            Recipient::Human(_) => None,
        });
        // One that is no longer suspended, for example.
        let accounts = self.accounts.values().filter(|account| account.webhooks > 0);
        let accounts = accounts.map(|account| account.id);
        changed.chain(woken).chain(accounts).collect()
    }
}

/// The records that are in memory.
#[derive(Default)]
pub struct Mirror {
    /// The accounts.
    pub(crate) accounts: Accounts,
    /// The active keys.
    pub(crate) keys: Keys,
    /// The workers.
    pub(crate) humans: Realms<Humans>,
    /// The open bounties.
    pub(crate) bounties: Realms<Bounties>,
    /// The webhooks.
    pub(crate) webhooks: Webhooks,
    /// The number of updates so far.
    updates: u64,
}

impl Mirror {
    /// One account.
    pub(crate) fn account(&self, id: AccountId) -> Option<&Arc<Account>> {
        self.accounts.get(id)
    }

    /// A webhook that gets deliveries: its account is not suspended.
    pub(crate) fn receiver(&self, id: WebhookId) -> Option<WebhookEntry> {
        let entry = self.webhooks.get(id)?;
        let account = self.account(entry.0.account_id)?;
        (!account.suspended).then_some(entry)
    }

    /// The account of the key with this digest.
    pub(crate) fn admit_key(&self, digest: &Digest, now: Timestamp) -> Option<Admitted> {
        let (key, is_new_use) = self.keys.admit(digest, now)?;
        let account = Arc::clone(self.account(key.account_id)?);
        Some(Admitted {
            key: key.id,
            is_new_use,
            account,
        })
    }

    /// How many workers of all realms have this skill.
    pub(crate) fn skill_users(&self, id: i64) -> i64 {
        let of = |is_simulated| self.humans.of(is_simulated).skill_users(id);
        of(false) + of(true)
    }

    /// Whether there is no account and no worker.
    pub(crate) fn is_empty(&self) -> bool {
        self.accounts.len() == 0 && self.humans.len() == 0
    }

    /// A page of the ids of an account's bounties in this status, or in any, and their total number.
    pub(crate) fn own_bounties(
        &self,
        account: AccountId,
        status: Option<BountyStatus>,
        window: PageRequest,
    ) -> (Vec<BountyId>, i64) {
        self.bounties_of(account).owned(account, status, window)
    }

    /// How many bounties of an account count towards the quota on open ones.
    pub(crate) fn open_bounties(&self, account: AccountId) -> i64 {
        self.bounties_of(account).count_open(account)
    }

    /// Whether this bounty of an account does.
    pub(crate) fn counts_as_open(&self, account: AccountId, id: BountyId) -> bool {
        self.bounties_of(account).counts_as_open(account, id)
    }

    /// The bounties of the realm of an account.
    fn bounties_of(&self, account: AccountId) -> &Bounties {
        let is_in_sandbox = self.account(account).is_some_and(|account| account.sandbox);
        self.bounties.of(is_in_sandbox)
    }

    /// How many records there are, with the size of the store on disk.
    pub(crate) fn sizes(&self, disk_bytes: u64) -> Sizes {
        Sizes {
            accounts: self.accounts.len(),
            active_keys: self.keys.len(),
            humans: self.humans.len(),
            open_bounties: self.bounties.open(),
            disk_bytes,
        }
    }

    /// The row of a bounty, if lists show it.
    pub(crate) fn listed_bounty(&self, id: BountyId) -> Option<BountyVersion> {
        Some(self.bounties.get(id)?.0)
    }

    /// The account of a row, if lists still show the row at this version.
    pub(crate) fn poster(&self, row: BountyVersion) -> Option<&Arc<Account>> {
        let (version, account) = self.bounties.get(row.id)?;
        (version == row).then(|| self.account(account)).flatten()
    }

    /// The bounties that lists show again after this update, because the suspension of their account ends. They are not in
    /// memory: the update has to be given them.
    pub(crate) fn returning(&self, update: &Update) -> Vec<BountyId> {
        let shown = update.accounts.values().filter(|account| shows_of_account(account));
        let hidden_of = |account: &Arc<Account>| self.bounties.of(account.sandbox).hidden_of(account.id);
        shown.flat_map(hidden_of).collect()
    }

    /// Applies the changes of a commit.
    pub(crate) fn apply(&mut self, update: Update) {
        self.updates += 1;
        for account in update.accounts.into_values() {
            self.apply_account(account);
        }
        for (id, key) in update.keys {
            match key {
                Some(key) => self.keys.insert(key),
                None => self.keys.remove(id),
            }
        }
        let (simulated, live) = update.humans.into_iter().partition(ChangedHuman::is_simulated);
        self.humans.of_mut(false).apply(live);
        self.humans.of_mut(true).apply(simulated);
        let is_simulated = |bounty: &ChangedBounty| {
            let poster = self.accounts.get(bounty.account_id);
            poster.expect("accounts come first, and never go").sandbox
        };
        let (simulated, live) = update.bounties.into_values().partition(is_simulated);
        self.bounties.of_mut(false).apply(live, self.updates);
        self.bounties.of_mut(true).apply(simulated, self.updates);
        for (id, webhook) in update.webhooks {
            self.webhooks.set(id, webhook);
        }
    }

    fn apply_account(&mut self, account: Arc<Account>) {
        self.bounties.of_mut(account.sandbox).show(&account);
        let former = self.accounts.insert(Arc::clone(&account));
        if former.is_some_and(|former| former.name != account.name) {
            self.bounties.of_mut(account.sandbox).rename(account.id, self.updates);
        }
    }
}

#[cfg(test)]
mod tests {
    use contract::{AccountSeed, ApiKeySeed, Plan};

    use super::*;

    fn account(name: &str) -> Change {
        let (id, name) = (AccountId::new(1), name.to_owned());
        let (plan, created_at) = (Plan::Free, Timestamp::from_unix(0));
        Change::Account(Arc::new(Account::from(AccountSeed {
            id,
            name,
            plan,
            created_at,
        })))
    }

    fn key(id: i64) -> Change {
        Change::Key(Arc::new(ApiKey::from(ApiKeySeed {
            id: ApiKeyId::new(id),
            account_id: AccountId::new(1),
            name: "key".to_owned(),
            key_prefix: "k...".to_owned(),
            digest: String::new(),
            created_at: Timestamp::from_unix(0),
        })))
    }

    #[test]
    fn of_a_record_that_changed_twice_the_last_state_is_taken_in() {
        let mut mirror = Mirror::default();
        let changes = vec![
            account("a"),
            key(1),
            key(2),
            Change::KeyRevoked(ApiKeyId::new(1)),
            account("b"),
        ];
        mirror.apply(Update::from_changes(changes));
        assert_eq!(
            mirror.account(AccountId::new(1)).map(|found| found.name.as_str()),
            Some("b")
        );
        assert_eq!(
            mirror.keys.list(AccountId::new(1)).read_all().map(|rows| rows.len()),
            Ok(1)
        );
        assert!(mirror.keys.get(ApiKeyId::new(1)).is_none() && mirror.keys.get(ApiKeyId::new(2)).is_some());
    }
}
