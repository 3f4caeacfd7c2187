//! What the records of a service are about.

use std::fmt::Debug;

use codegen_support::feed::Recipient;
use codegen_support::key::Column;
use codegen_support::{Key, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::tree::Tree;

/// A service whose records a store keeps. It has a view: records in memory, which answer most reads.
pub trait Service: Sized + Send + Sync + 'static {
    /// The view.
    type View: Send + Sync + 'static;
    /// A change of a commit, for the view or for those who wait for it.
    type Change: Send + 'static;
    /// Who makes a write.
    type Actor: Clone + Debug + Send + Sync + 'static;
    /// Whose feed an event is in.
    type Recipient: Recipient;
    /// The key of the records for which quotas count.
    type QuotaOwner: Key + Serialize + DeserializeOwned;

    /// The trees that the crate itself fills.
    const TREES: CommonTrees;
    /// How long events are kept.
    const RETENTION: Retention;
    /// The columns of the key of [`Self::QuotaOwner`].
    const QUOTA_OWNER: &'static [Column];

    /// The change that says that there is a new event for this recipient.
    fn woken(of: Self::Recipient) -> Self::Change;
}

/// The trees for what is stored beside records.
#[derive(Clone, Copy, Debug)]
pub struct CommonTrees {
    /// Idempotency key → when it expires, and what is stored for it.
    pub answers: Tree,
    /// Expiry, idempotency key.
    pub answer_expiry: Tree,
    /// Owner, quota → what was counted in a period.
    pub quota_usage: Tree,
    /// Recipient → the numbers of the first and the last event in its feed.
    pub feeds: Tree,
    /// Recipient, number → the event.
    pub events: Tree,
}

/// How long events are kept, and how many for each recipient.
#[derive(Clone, Copy, Debug)]
pub struct Retention {
    /// In seconds.
    pub keep: i64,
    /// The number of events.
    pub max: i64,
}

impl Retention {
    /// Whether an event of this time is too old.
    pub(crate) fn is_over(self, timestamp: Timestamp, now: Timestamp) -> bool {
        timestamp.unix() < now.unix() - self.keep
    }
}
