//! Who makes a write.

use std::sync::Arc;

use contract::support::{Amount, OverQuota, QuotaUse};
use contract::{Account, ApiKeyId, HumanId, Timestamp};

use crate::digest::Digest;

/// Who makes a write. Checked again where the write commits, because the credential may have ended meanwhile.
#[derive(Clone, Copy, Debug)]
pub enum Actor {
    /// The operator, whose token is valid as long as the process runs, or the server itself.
    Operator,
    /// An account, with this key.
    Key(ApiKeyId),
    /// A worker, with the token that has this digest.
    Worker(HumanId, Digest),
}

/// Who makes a write, and what the write counts towards quotas.
#[derive(Clone, Debug)]
pub struct Author {
    /// Who makes it.
    pub actor: Actor,
    /// What it counts. Nothing for the operator and the server itself.
    pub uses: Vec<QuotaUse>,
    /// The present time, which decides the period of a quota.
    pub now: Timestamp,
}

impl Actor {
    /// As the author of a write that counts this at this time.
    pub fn counting(self, uses: Vec<QuotaUse>, now: Timestamp) -> Author {
        let actor = self;
        Author { actor, uses, now }
    }
}

impl From<Actor> for Author {
    fn from(actor: Actor) -> Self {
        actor.counting(Vec::new(), Timestamp::from_unix(0))
    }
}

impl Author {
    /// What the write counts towards quotas with periods that the transaction knows: the number of `new` items that no
    /// record had, in place of its own.
    pub(crate) fn counted(&self, new: Option<i64>) -> impl Iterator<Item = (&QuotaUse, i64)> {
        self.uses.iter().filter_map(move |used| match (used.amount, new) {
            (Amount::Of(amount), None) => Some((used, amount)),
            (Amount::NewItems, Some(new)) => Some((used, new)),
            _ => None,
        })
    }

    /// The quota on the number of records that there are, which the write would exceed with one more than `present`.
    pub(crate) fn over(&self, present: i64) -> Result<(), OverQuota> {
        let mut quotas = self.uses.iter().map(|used| used.quota);
        match quotas.find(|quota| quota.seconds.is_none() && present >= quota.max) {
            Some(quota) => Err(OverQuota(quota)),
            None => Ok(()),
        }
    }
}

/// Why an actor may no longer write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unauthorized {
    /// The key was revoked, or the token replaced.
    Ended,
    /// The account was suspended.
    Suspended,
}

/// The account and key of a valid credential.
#[derive(Clone, Debug)]
pub(crate) struct Admitted {
    /// The key that was presented.
    pub(crate) key: ApiKeyId,
    /// Whether this use is to be saved.
    pub(crate) is_new_use: bool,
    /// The account of the key.
    pub(crate) account: Arc<Account>,
}

/// The worker of a valid token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AdmittedHuman {
    /// The worker.
    pub(crate) id: HumanId,
    /// Whether the worker is simulated.
    pub(crate) sandbox: bool,
}
