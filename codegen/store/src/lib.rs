//! Storage for a service that is generated from a contract. It knows ordered bytes, records and transactions, and no service.
//!
//! ```text
//! engine     what an engine is: trees of ordered bytes that are read at any time, and written by one thread, a batch at a time
//! memory     the engine of tests
//! sled       the embedded engine, on sled 0.34.7, with a guard against each way in which sled is known to fail or to lose data
//! commit_log a log outside of this process that holds every commit, of which an engine is a copy
//! findings   what a verification of the content has found
//! service, hooks  what the records of a service are about; what a store asks its service
//! record, kind  a record with its index rows; what backups, logs and messages need to know of a kind of what is stored
//! transaction  one write's view of the trees
//! writer     the thread that writes: group commit, and a copy of a log of commits
//! kept       what is stored beside records: events, answers to idempotency keys, use of quotas
//! verify     the whole content, at every start
//! plain      lists, for emitted handlers
//! backup     the whole content, in a file, and a store made from one
//! store      an open store
//! ```

mod author;
pub mod backup;
mod blocking;
pub mod commit_log;
mod engine;
mod error;
pub mod files;
mod findings;
mod hooks;
mod job;
pub mod kept;
pub mod kind;
mod memory;
mod name;
pub mod panics;
mod plain;
mod record;
mod records;
mod schema;
mod service;
mod sled;
mod store;
mod transaction;
mod tree;
mod trees;
mod unknown;
pub mod verify;
mod writer;

pub use self::author::{Author, Unauthorized};
pub use self::blocking::{blocking, torn};
pub use self::engine::{Batch, Bytes, Committed, Engine, EngineError, Entry, KeyRange, Reads, keys, prefixed, scan};
pub use self::error::{Outcome, StoreError, StoreResult};
pub use self::findings::{Findings, Flaw, Hex};
pub use self::hooks::{Hooks, kind_at, kind_named, numbered_kinds};
pub use self::job::{Job, job};
pub use self::memory::Memory;
pub use self::plain::Listing;
pub use self::record::{Deleted, Index, IndexEntry, Misread, Record, decode};
pub use self::schema::{Program, Schema};
pub use self::service::{CommonTrees, Retention, Service};
#[cfg(any(test, feature = "testing"))]
pub use self::sled::Raw;
pub use self::sled::{
    COPY, Checksum, Durability, Inspected, MIN_FREE_BYTES, OpenError, OpenFailure, Opened, Reader, SledEngine,
    Snapshot, SnapshotError, TreeReading, has_store, is_entry, number, remove_unused,
};
pub use self::store::{Checked, ReadRows, Staleness, Store, in_memory, of_each};
pub use self::transaction::{Abort, Decided, TransactionError, Tx, count_name, last_id_name};
pub use self::tree::Tree;
pub use self::trees::Trees;
pub use self::writer::{CommitReport, WatchCommits};
