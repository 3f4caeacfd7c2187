//! What memory learns of a bounty.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

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
    /// The [`mark`]s of the skills, if there are any.
    pub(super) skills: Option<String>,
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
            skills: marks(&bounty.required_skills),
            is_remote: bounty.is_remote,
            budget: bounty.budget,
        }
    }
}

/// What stands for the name of a skill in memory, whatever its length: 17 bytes, of which none is a part of another. That two
/// names have the same is as unlikely as it is to guess a number of 64 bits.
pub(super) fn mark(skill: &str) -> String {
    static HASH: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    format!("{:016x};", HASH.hash_one(fold(skill)))
}

fn marks(skills: &[String]) -> Option<String> {
    (!skills.is_empty()).then(|| skills.iter().map(|skill| mark(skill)).collect())
}
