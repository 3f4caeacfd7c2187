//! The contract of Hitode as Rust: the types, traits, guards and filters that `codegen` makes of `api.yaml`. The
//! hand-written code that they lean on is [`support`], which knows no contract.
//!
//! Knows no store and no handler. A service implements one trait for each operation ([`agent::CreateBounty`], …), one
//! to find the caller of each kind of credential ([`AdmitApiKey`], …) and one to find each guarded resource
//! ([`FindBounty`], …); [`service_filter`] asks for all of them, and the compiler names each that is missing with its
//! endpoint and its line in `api.yaml`.
//!
//! A handler of an owner-only operation receives [`Owned`], which nobody but the guard can make:
//!
//! ```compile_fail,E0423
//! fn forged(bounty: contract::Bounty) -> contract::Owned<contract::Bounty> {
//!     contract::Owned(std::sync::Arc::new(bounty))
//! }
//! ```
//!
//! ```compile_fail,E0624
//! fn claimed(found: &contract::Found<contract::Bounty>, me: contract::AccountId) {
//!     let _ = contract::Owned::<contract::Bounty>::claim_by_account(found, me);
//! }
//! ```

pub use codegen_support as support;

pub use support::{Clock, Date, Encoded, Failure, Number, OpenObject, Page, Peer, Response, Rows, Streamed, Timestamp};

pub use generated::*;

#[warn(clippy::pedantic)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
    include!(concat!(env!("OUT_DIR"), "/documents.rs"));
}
