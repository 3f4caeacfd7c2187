//! Parcel lockers: an independent example service with its contract, and a template for others.
//!
//! - `api.yaml` states everything that a caller can see of the service. `build.rs` lets `codegen` generate the Rust code that
//!   this file includes: types, decoders, guards, limits, one trait for each operation, [`service_filter`], which requires all
//!   of them, and a table of the documents.
//! - [`Lockers`] implements these traits, one file for each resource. Its handlers know the contract's types and nothing of
//!   HTTP. Its data is in memory and ends with the process.
//! - [`routes`] is the whole service as one filter. `examples/serve.rs` adds a listener: `cargo run -p lockers --example
//!   serve`.

mod arrivals;
mod callers;
mod compartments;
mod couriers;
mod defects;
mod faults;
mod feeds;
mod guarded;
mod pages;
mod parcels;
mod recipients;
mod reservations;
mod stations;
mod store;
mod terminals;

#[warn(clippy::pedantic)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
    include!(concat!(env!("OUT_DIR"), "/documents.rs"));
}

pub use codegen_support as support;
pub use faults::Fault;
pub use generated::*;

use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;
use store::Store;
use support::warp::Filter;
use support::warp::filters::BoxedFilter;
use support::{Clock, Response, Timestamp, documents};

/// Everything that is served: the APIs, the contract's documents, and the answer to all other requests.
pub fn routes(app: Arc<Lockers>, limits: Arc<Limits>) -> BoxedFilter<(Response,)> {
    let surfaces = service_filter(app, Arc::clone(&limits));
    let beside = documents::filter(DOCUMENTS).or(fallback(limits)).unify();
    surfaces.or(beside).unify().boxed()
}

/// The service.
pub struct Lockers {
    store: Mutex<Store>,
    badge: String,
    clock: Clock,
}

impl Lockers {
    /// A service without stations, whose crew has this badge, in the time of `clock`.
    pub fn new(badge: String, clock: Clock) -> Self {
        Self {
            store: Mutex::default(),
            badge,
            clock,
        }
    }

    /// Gives the table of this name a fault, for tests of the tests. Returns whether there is one.
    pub fn spoil(&self, table: &str, fault: Fault) -> bool {
        self.store().spoil(table, fault)
    }

    /// The store, locked for one handler at a time: a decision is still valid when it is written. A handler that panics
    /// leaves whole records behind.
    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock()
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

impl pulse::Ping for Lockers {
    async fn ping(&self, _: pulse::ping::Request) -> Result<(), pulse::ping::Error> {
        Ok(())
    }
}
