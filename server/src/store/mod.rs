//! The store: an engine's trees with the contract's records, written by one thread, and the records in memory that answer
//! most reads. Takes and returns records; must not know HTTP, nor what an operation of the contract means.
//!
//! ```text
//! open, access, state   opening and closing; how the market reads and writes; what the operator sees
//! transaction           one write's view of the trees
//! committer, copy       the thread that writes, and what it does for a log of commits
//! tables, record, kind  the trees, the records with their index rows, and what backups and logs hold of each
//! feeds, answers, …     what is stored beside records: one file each
//! mirror                the records in memory, fed with the changes of each commit
//! verify, backup        the whole store, at start and in a file
//! postgres              the log of commits in a database
//! ```

mod access;
pub(crate) mod actor;
pub(crate) mod answers;
mod authorize;
pub mod backup;
mod blocking;
mod bounty_rows;
mod changed;
mod changes;
mod committer;
mod copy;
pub(crate) mod deliveries;
mod delivery;
mod error;
mod events;
pub(crate) mod feeds;
mod filter;
mod follow;
mod job;
pub(crate) mod keys;
mod kind;
mod kinds;
mod load;
mod mirror;
mod open;
#[cfg(feature = "postgres")]
pub mod postgres;
mod record;
mod records;
mod replay;
mod rows;
pub(crate) mod skills;
mod state;
pub(crate) mod steps;
pub(crate) mod tables;
#[cfg(test)]
mod tests;
mod transaction;
mod trees;
mod unknown;
mod unshown;
pub(crate) mod usage;
mod verify;
mod watch;

pub use codegen_store::commit_log::Role;
pub use codegen_store::{Durability, OpenError};

pub use actor::{Actor, Author};
pub(crate) use blocking::blocking;
pub(crate) use bounty_rows::CACHED_BYTES;
pub(crate) use delivery::{
    Content, Delivery, DeliveryItem, DeliveryReport, DeliveryState, Lane, LastAttempt, NextDelivery, Pace,
    SigningSecret, Ticket, Waiting,
};
pub use error::{Outcome, StoreError, StoreResult};
pub use events::{FeedRequest, NextEvent, UnknownCursor};
pub(crate) use filter::count;
pub use filter::{BountyFilter, HumanFilter, PageRequest};
pub(crate) use keys::Id;
pub use mirror::Sizes;
pub(crate) use mirror::{BountyPage, Mirror};
pub use open::{Checked, Store};
pub(crate) use record::Record;
pub(crate) use rows::{ReadRows, in_memory, of_each};
pub(crate) use skills::{NamedSkill, named};
pub use state::Staleness;
pub(crate) use steps::{DueStep, DueSteps, NewStep, StepKey};
pub(crate) use transaction::{Abort, Decided, TransactionError, Tx};
pub(crate) use trees::Trees;
pub use watch::{CommitReport, WatchCommits};
