//! Who makes a write.

use codegen_support::{Amount, OverQuota, QuotaUse, Timestamp};

/// Who makes a write, and what the write counts towards quotas. Checked again where the write commits, because the credential may
/// have ended meanwhile.
#[derive(Clone, Debug)]
pub struct Author<A> {
    /// Who makes it.
    pub actor: A,
    /// What it counts.
    pub uses: Vec<QuotaUse>,
    /// The present time, which decides the period of a quota.
    pub now: Timestamp,
}

impl<A> From<A> for Author<A> {
    /// An author whose write counts nothing.
    fn from(actor: A) -> Self {
        let (uses, now) = (Vec::new(), Timestamp::from_unix(0));
        Self { actor, uses, now }
    }
}

impl<A> Author<A> {
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
    ///
    /// # Errors
    /// That quota.
    pub fn over(&self, present: i64) -> Result<(), OverQuota> {
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
    /// The credential has ended.
    Ended,
    /// The caller was suspended.
    Suspended,
}
