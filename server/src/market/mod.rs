//! The market: one file for each resource, with its rules, its writes, its reads and its handlers, one method for each
//! operation. A handler receives a decoded, authenticated and authorized request, and returns the data of the response
//! or one of the errors that the contract allows there.
//!
//! A write is a function over a transaction ([`Tx`](crate::store::Tx)). It runs where the write commits, on a state
//! that no other write changes meanwhile, and once more if its commit was not made; so it must not read clocks or
//! random numbers. What a guard has found may have changed until then; `tx.existing` fails if it is gone.

pub(crate) mod accounts;
pub(crate) mod applications;
pub(crate) mod bounties;
pub(crate) mod codes;
pub(crate) mod conversations;
pub(crate) mod days;
pub(crate) mod deliveries;
pub(crate) mod erasure;
pub(crate) mod files;
pub(crate) mod humans;
pub(crate) mod keys;
pub(crate) mod reviews;
pub(crate) mod sandbox;
pub(crate) mod status;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod webhooks;

use contract::support::PresentedCredential;
use contract::{ApiKeyCaller, WorkerTokenCaller};

use crate::store::Actor;

/// What takes the place of a text about an erased worker.
const ERASED: &str = "(deleted)";

/// The calling account, for the transaction that commits.
fn by_key(caller: &ApiKeyCaller) -> Actor {
    Actor::Key(caller.limited_by)
}

/// The calling worker, for the transaction that commits.
fn by_worker(caller: &WorkerTokenCaller, presented: &PresentedCredential) -> Actor {
    Actor::from((caller, presented))
}
