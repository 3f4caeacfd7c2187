//! The writes on bounties.

use contract::{AccountId, Bounty, BountyId, BountyStatus};

use super::transaction::{Abort, Tx};
use crate::store::MoveDenied;
use crate::store::outcome::check_bounty_move;

/// Creates a bounty.
pub(super) fn create<D>(tx: &mut Tx<'_>, draft: &impl Fn(BountyId) -> Bounty) -> Result<BountyId, Abort<D>> {
    let id = tx.next_id::<Bounty>()?;
    let mut bounty = draft(id);
    bounty.id = id;
    tx.create(&bounty)?;
    tx.index(&bounty);
    Ok(id)
}

/// Sets the status of a bounty of this account.
pub(super) fn set_status(
    tx: &mut Tx<'_>,
    owner: AccountId,
    id: BountyId,
    to: BountyStatus,
) -> Result<(), Abort<MoveDenied<BountyStatus>>> {
    let mut bounty: Bounty = tx.get(id)?.ok_or(Abort::Rejected(MoveDenied::Absent))?;
    check_bounty_move(&bounty, owner, to).map_err(Abort::Rejected)?;
    if bounty.status == to {
        return Ok(());
    }
    tx.unindex(&bounty);
    bounty.status = to;
    tx.index(&bounty);
    Ok(tx.put(&bounty)?)
}
