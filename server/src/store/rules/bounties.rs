//! Bounties.

use contract::{AccountId, Bounty, BountyStatus};

use crate::store::MoveDenied;

/// The bounty with the status `to`, if it belongs to `owner` and the contract allows the transition. `None` if that is
/// its status already.
pub(in crate::store) fn set_status(
    bounty: Option<&Bounty>,
    owner: AccountId,
    to: BountyStatus,
) -> Result<Option<Bounty>, MoveDenied<BountyStatus>> {
    let bounty = bounty.ok_or(MoveDenied::Absent)?;
    if bounty.account_id != owner {
        return Err(MoveDenied::NotOwner);
    }
    let from = bounty.status;
    if !from.may_become(to) {
        return Err(MoveDenied::Forbidden { from, to });
    }
    Ok((from != to).then(|| Bounty {
        status: to,
        ..bounty.clone()
    }))
}
