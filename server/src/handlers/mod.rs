//! The rules of the business: one file a resource, one method an operation.
//!
//! A handler gets a request that is decoded, admitted and let through by the guards, and gives what the contract shows
//! or one of the refusals that the contract allows there. A handler for the owner alone takes the resource from
//! `request.owned_…`, which is not there without the guard: it would not compile. The owner whom the proof names is passed
//! on, so that the store can decide it again where it commits.

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
