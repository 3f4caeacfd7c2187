//! The writes on bounties.

use contract::{AccountId, Bounty, BountyId, BountyStatus};

use super::keys;
use super::transaction::{Fault, Stop, Tx};
use super::trees::Tree;
use crate::store::MoveDenied;
use crate::store::outcome::{check_bounty_move, takes_applications};

/// Makes a bounty.
pub(super) fn create<D>(tx: &mut Tx<'_>, draft: &impl Fn(BountyId) -> Bounty) -> Result<BountyId, Stop<D>> {
    let id = tx.next_id::<Bounty>()?;
    let mut bounty = draft(id);
    bounty.id = id;
    tx.create(&bounty)?;
    list(tx, &bounty)?;
    Ok(id)
}

/// Sets the status of a bounty of this account.
pub(super) fn set_status(
    tx: &mut Tx<'_>,
    owner: AccountId,
    id: BountyId,
    to: BountyStatus,
) -> Result<(), Stop<MoveDenied<BountyStatus>>> {
    let mut bounty: Bounty = tx.get(id)?.ok_or(Stop::Refused(MoveDenied::Absent))?;
    check_bounty_move(&bounty, owner, to).map_err(Stop::Refused)?;
    if bounty.status == to {
        return Ok(());
    }
    bounty.status = to;
    tx.put(&bounty)?;
    Ok(list(tx, &bounty)?)
}

/// Puts the bounty among the open ones, or takes it out.
fn list(tx: &mut Tx<'_>, bounty: &Bounty) -> Result<(), Fault> {
    let key = keys::one(bounty.id);
    if takes_applications(bounty) {
        tx.enter(Tree::OpenBounties, &key);
    } else if tx.read(Tree::OpenBounties, &key)?.is_some() {
        tx.write(Tree::OpenBounties, &key, None);
    }
    Ok(())
}
