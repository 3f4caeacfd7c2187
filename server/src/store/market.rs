//! What the store has of the market in memory, beside its records: who waits for what a commit brings.

use codegen_store::backup::LAST_IDS;
use codegen_store::kept::waiters::Waiters;
use codegen_store::{Bytes, Record, StoreResult, Tree, count_name};
use contract::events::Recipient;
use contract::{AccountId, Bounty, BountyId, Withdrawal};
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::changed::ChangedAccounts;
use super::mirror::Sizes;
use super::tables;
use super::unshown::Unshown;

/// A store of the market.
pub type Store = codegen_store::Store<Market>;
/// Its trees.
pub(crate) type Trees = codegen_store::Trees<Market>;
/// One write's view of them.
pub(crate) type Tx<'g> = codegen_store::Tx<'g, Market>;
/// A verification of it.
pub(crate) type Verification<'r, 't> = codegen_store::verify::Verification<'r, 't, Market>;
/// A kind of what is stored in it.
pub(crate) type Kind = codegen_store::kind::Kind<Market>;

/// The market.
#[derive(Default)]
pub struct Market {
    /// The former states of bounties that memory still shows.
    pub(super) unshown: Unshown,
    pub(super) waiters: Waiters<Recipient>,
    /// For the one who sends to webhooks.
    pub(super) changed: ChangedAccounts,
    /// For the one who takes the steps of simulated workers.
    pub(super) steps: Notify,
    /// The entries of skills that no worker has, which the next commits remove.
    pub(super) unused_skills: Mutex<Vec<(Bytes, i64)>>,
}

impl Market {
    /// Waits until something has changed, and returns the accounts whose webhooks may have something to send. For one
    /// caller.
    pub(crate) async fn changed_accounts(&self) -> Vec<AccountId> {
        self.changed.next().await
    }

    /// Waits until steps of simulated workers were added or are due earlier. For one waiter.
    pub(crate) async fn steps_changed(&self) {
        self.steps.notified().await;
    }
}

/// A store in memory, for tests. `lease`: until when it may be read.
///
/// # Panics
/// If the machine gives no thread.
pub fn in_memory_store(lease: Option<codegen_store::commit_log::Lease>) -> Store {
    Store::in_memory(super::mirror::Mirror::default(), lease).expect("the machine has threads")
}

/// How many records of each kind there are. Asks the operating system for the sizes of some files; does not wait for
/// writes.
///
/// # Errors
/// If the store is closed, or its memory is torn.
pub fn sizes(store: &Store) -> StoreResult<Sizes> {
    let disk_bytes = store.disk_bytes()?;
    store.look(|mirror| mirror.sizes(disk_bytes))
}

/// How many records there are of the kinds that are not in memory, and of accounts and workers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) accounts: i64,
    pub(crate) humans: i64,
    pub(crate) bounties: i64,
    pub(crate) applications: i64,
    pub(crate) withdrawals: i64,
    pub(crate) conversations: i64,
    pub(crate) messages: i64,
}

impl Counts {
    /// Applications that workers have sent, with those that they have withdrawn.
    pub(crate) fn sent(&self) -> i64 {
        self.applications + self.withdrawals
    }

    /// The present ones.
    pub(crate) fn read(trees: &Trees) -> StoreResult<Self> {
        Self::by(|tree| trees.meta(&count_name(tree)))
    }

    /// Those that this says of each tree.
    pub(crate) fn by<E>(count: impl Fn(Tree) -> Result<i64, E>) -> Result<Self, E> {
        Ok(Self {
            accounts: count(tables::ACCOUNTS)?,
            humans: count(tables::HUMANS)?,
            bounties: count(tables::BOUNTIES)?,
            applications: count(tables::APPLICATIONS)?,
            withdrawals: count(<Withdrawal as Record<Market>>::TREE)?,
            conversations: count(tables::CONVERSATIONS)?,
            messages: count(tables::MESSAGES)?,
        })
    }
}

/// Whether a backup of a store that nobody has used yet may have records of this kind: each server notes when a day begins.
pub(crate) fn is_in_unused(kind: &str) -> bool {
    [LAST_IDS, tables::DAYS.name()].contains(&kind)
}

/// A bounty as memory shows it. If memory takes in a change of it meanwhile, it may be either state.
pub(crate) fn shown_bounty(trees: &Trees, id: BountyId) -> StoreResult<Option<Bounty>> {
    trees.service().unshown.shown(trees.engine(), id)
}
