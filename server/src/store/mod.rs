//! The store of the market: what the crate `codegen_store` has to know of its records, and the records in memory that answer
//! most reads. Must not know HTTP, nor what an operation of the contract means.
//!
//! ```text
//! market, service      what the store has of the market, and what it asks it
//! tables, records, kinds  the trees, the records with their index rows, and all kinds of what is stored
//! deliveries, skills, steps  what is stored beside records: one file each
//! mirror               the records in memory, fed with the changes of each commit
//! verify               what only the market has to verify at start
//! postgres             the log of commits in a database
//! ```

pub(crate) mod actor;
mod authorize;
mod bounty_rows;
mod changed;
pub(crate) mod deliveries;
mod delivery;
mod events;
mod filter;
mod kinds;
mod load;
mod market;
mod mirror;
#[cfg(feature = "postgres")]
pub mod postgres;
pub(crate) mod ratings;
mod records;
mod service;
pub(crate) mod skills;
pub(crate) mod steps;
pub(crate) mod tables;
#[cfg(test)]
mod tests;
mod unshown;
mod verify;

pub use codegen_store::commit_log::Role;
pub use codegen_store::kept::feeds::{FeedRequest, UnknownCursor};
pub use codegen_store::kind::RestoreOptions;
pub(crate) use codegen_store::{Abort, Decided, ReadRows, TransactionError, in_memory, of_each};
pub use codegen_store::{
    CommitReport, Durability, OpenError, Outcome, Staleness, StoreError, StoreResult, WatchCommits, backup,
};

pub use actor::{Actor, Author};
pub(crate) use bounty_rows::{BountyRows, BountyView, CACHED_BYTES};
pub(crate) use delivery::{
    Content, Delivery, DeliveryItem, DeliveryReport, DeliveryState, Lane, LastAttempt, NextDelivery, Pace,
    SigningSecret, Ticket, Waiting,
};
pub(crate) use events::{emit, names};
pub use filter::{BountyFilter, HumanFilter, PageRequest};
pub use market::in_memory_store;
pub(crate) use market::is_in_unused;
pub(crate) use market::{Counts, Trees, Tx};
pub use market::{Market, Store, sizes};
pub use mirror::Sizes;
pub(crate) use mirror::{Bounties, BountyPage, Change, Mirror};
pub(crate) use records::end_code;
pub(crate) use skills::{NamedSkill, named};
pub(crate) use steps::{DueStep, DueSteps, NewStep, StepKey};
pub use tables::SCHEMA;
