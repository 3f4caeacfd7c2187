//! What memory learns of a bounty.

use contract::agent::list_bounties::shows;
use contract::support::text::fold;
use contract::{AccountId, Bounty, BountyId, BountyStatus, Number, quotas};

/// A bounty in its new state, as far as memory holds it.
#[derive(Clone, Debug)]
pub struct ChangedBounty {
    pub(crate) id: BountyId,
    pub(crate) account_id: AccountId,
    pub(super) status: BountyStatus,
    /// Whether lists show it, unless its account is suspended.
    pub(super) is_shown: bool,
    /// Whether it counts towards the quota on open bounties.
    pub(crate) counts_as_open: bool,
    /// Folded, as the location is.
    pub(super) category: Option<String>,
    pub(super) location: Option<String>,
    pub(super) is_remote: bool,
    pub(super) budget: Number,
}

impl From<&Bounty> for ChangedBounty {
    fn from(bounty: &Bounty) -> Self {
        Self {
            id: bounty.id,
            account_id: bounty.account_id,
            status: bounty.status,
            is_shown: shows(bounty),
            counts_as_open: quotas::open_bounties(bounty),
            category: bounty.category.as_deref().map(fold),
            location: bounty.location.as_deref().map(fold),
            is_remote: bounty.is_remote,
            budget: bounty.budget,
        }
    }
}
