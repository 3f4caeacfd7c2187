//! The business rules: one file for each resource, one method for each operation.
//!
//! A handler gets a decoded, authenticated and authorized request. It returns the data of the response, or one of the errors that
//! the contract allows there. A handler for the owner alone takes the resource from `request.owned_…`, which only exists with the
//! guard. It passes the proven owner on to the store, which checks it again where it commits.

mod accounts;
mod applications;
mod bounties;
mod conversations;
mod humans;
mod keys;
mod me;

use contract::support::PresentedCredential;
use contract::{ApiKeyCaller, Failure, WorkerTokenCaller};

use crate::digest::Digest;
use crate::store::Actor;

/// An account that calls, for the transaction that commits.
fn by_key(caller: &ApiKeyCaller) -> Actor {
    Actor::Key(caller.limited_by)
}

/// A worker who calls, for the transaction that commits.
fn by_worker(caller: &WorkerTokenCaller, presented: &PresentedCredential) -> Actor {
    Actor::Worker(caller.id, Digest::of(presented.expose()))
}

/// What to answer when the store does not have, or not for its owner, what a guard has just found. Nothing of that kind
/// is ever deleted or given away, so the store is damaged.
fn missing_after_guard(what: &str) -> Failure {
    tracing::error!(what, "what a guard found was not there at the commit");
    Failure::Internal
}
