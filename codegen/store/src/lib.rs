//! Storage for a service that is generated from a contract. It knows ordered bytes, and no service.
//!
//! ```text
//! engine     what an engine is: trees of ordered bytes that are read at any time, and written by one thread, a batch at a time
//! memory     the engine of tests
//! sled       the embedded engine, on sled 0.34.7, with a guard against each way in which sled is known to fail or to lose data
//! commit_log a log outside of this process that holds every commit, of which an engine is a copy
//! findings   what a verification of the content has found
//! ```

pub mod commit_log;
mod engine;
pub mod files;
mod findings;
mod memory;
pub mod panics;
mod schema;
mod sled;
mod tree;

pub use self::engine::{Batch, Bytes, Committed, Engine, EngineError, Entry, KeyRange, Reads, keys, prefixed, scan};
pub use self::findings::{Findings, Flaw, Hex};
pub use self::memory::Memory;
pub use self::schema::{Program, Schema};
#[cfg(any(test, feature = "testing"))]
pub use self::sled::Raw;
pub use self::sled::{
    COPY, Checksum, Durability, Inspected, OpenError, OpenFailure, Opened, Reader, SledEngine, Snapshot, SnapshotError,
    TreeReading, has_store, is_entry, number, remove_unused,
};
pub use self::tree::Tree;
