//! The business rules: one file for each resource, one method for each operation. A handler receives a decoded,
//! authenticated and authorized request, and returns the data of the response or one of the errors that the contract
//! allows there. The resource of an owner is `request.owned_…`, which exists only with its guard; its owner goes to
//! the store, which checks it again where it commits.

mod accounts;
mod applications;
mod bounties;
mod conversations;
mod events;
mod humans;
mod keys;
mod me;
mod sandbox;
mod webhooks;

use contract::support::PresentedCredential;
use contract::{ApiKeyCaller, Failure, WorkerTokenCaller};

use crate::digest::Digest;
use crate::store::Actor;

/// The calling account, for the transaction that commits.
fn by_key(caller: &ApiKeyCaller) -> Actor {
    Actor::Key(caller.limited_by)
}

/// The calling worker, for the transaction that commits.
fn by_worker(caller: &WorkerTokenCaller, presented: &PresentedCredential) -> Actor {
    Actor::Worker(caller.id, Digest::from_secret(presented.expose()))
}

/// The failure if the store lacks a record, or its owner, that a guard has just found. Such records are never deleted
/// or transferred, so the store is damaged.
fn missing_after_guard(what: &str) -> Failure {
    tracing::error!(what, "a resource that a guard had found was missing at the commit");
    Failure::Internal
}
