//! What memory learns of a bounty.

use contract::agent::list_bounties::shows;
use contract::support::text::fold;
use contract::{AccountId, Bounty, BountyId, BountyStatus, Date, Number, quotas};

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
    /// Folded, as all its texts are.
    pub(super) title: String,
    pub(super) category: Option<String>,
    pub(super) location: Option<String>,
    /// The names of the skills, each as [`between_ends`], if there are any.
    pub(super) skills: Option<String>,
    pub(super) is_remote: bool,
    pub(super) budget: Number,
    pub(super) deadline: Option<Date>,
}

impl From<&Bounty> for ChangedBounty {
    fn from(bounty: &Bounty) -> Self {
        Self {
            id: bounty.id,
            account_id: bounty.account_id,
            status: bounty.status,
            is_shown: shows(bounty),
            counts_as_open: quotas::open_bounties(bounty),
            title: fold(&bounty.title),
            category: bounty.category.as_deref().map(fold),
            location: bounty.location.as_deref().map(fold),
            skills: names(&bounty.required_skills),
            is_remote: bounty.is_remote,
            budget: bounty.budget,
            deadline: bounty.deadline,
        }
    }
}

/// The folded name of a skill between two characters that no name contains: so the whole name is a part of the names that
/// stand one after the other.
pub(super) fn between_ends(skill: &str) -> String {
    format!("{END}{}{END}", fold(skill))
}

/// A control character, which the contract refuses in texts.
const END: char = '\0';

fn names(skills: &[String]) -> Option<String> {
    (!skills.is_empty()).then(|| skills.iter().map(|skill| between_ends(skill)).collect())
}
