//! What memory learns of a bounty.

use std::sync::LazyLock;

use contract::support::conditions::{Cell, Column};
use contract::{AccountId, Bounty, BountyId, BountyStatus, Date, Number, agent, quotas, worker};

/// What the filters of the lists compare.
pub(super) static COLUMNS: LazyLock<Vec<Column<Bounty>>> =
    LazyLock::new(|| Column::union(&[agent::list_bounties::COLUMNS, worker::list_bounties::COLUMNS]));

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
    pub(super) budget: Number,
    pub(super) deadline: Option<Date>,
    /// Of each of the [`COLUMNS`].
    pub(super) cells: Vec<Cell>,
}

impl From<&Bounty> for ChangedBounty {
    fn from(bounty: &Bounty) -> Self {
        Self {
            id: bounty.id,
            account_id: bounty.account_id,
            status: bounty.status,
            is_shown: agent::list_bounties::shows(bounty),
            counts_as_open: quotas::open_bounties(bounty),
            budget: bounty.budget,
            deadline: bounty.deadline,
            cells: COLUMNS.iter().map(|column| column.cell(bounty)).collect(),
        }
    }
}
