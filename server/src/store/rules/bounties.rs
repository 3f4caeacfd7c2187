//! Bounties.

use contract::agent::update_bounty::is_locked;
use contract::support::derived::Derived;
use contract::{AccountId, Bounty, BountyStatus};

use crate::store::{Absent, MoveDenied};

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

/// Rejects that the owner sets the status of a bounty that the operator has locked.
pub(in crate::store) fn check_lock(bounty: Option<&Bounty>) -> Result<(), MoveDenied<BountyStatus>> {
    match bounty.is_some_and(is_locked) {
        true => Err(MoveDenied::Locked),
        false => Ok(()),
    }
}

/// The bounty after `change`, which affects neither its id and its owner nor what follows from other records. `None` if
/// nothing changes.
pub(in crate::store) fn update(
    bounty: Option<&Bounty>,
    change: impl Fn(&mut Bounty),
) -> Result<Option<Bounty>, Absent> {
    let former = bounty.ok_or(Absent)?;
    let mut bounty = former.clone();
    change(&mut bounty);
    (bounty.id, bounty.account_id) = (former.id, former.account_id);
    bounty.state(former.stated());
    Ok((bounty != *former).then_some(bounty))
}
