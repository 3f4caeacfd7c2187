//! Parcel lockers: an independent example service with its contract, and a template for others.
//!
//! - `api.yaml` states everything that a caller can see of the service. `build.rs` lets `codegen` generate the Rust code that
//!   this file includes: types, decoders, guards, limits, one trait for each operation, [`service_filter`], which requires all
//!   of them, a table of the documents, and the module [`stored`]: the records, and a handler for each operation that the contract
//!   says whole.
//! - [`Lockers`] implements the other traits, one file for each resource. Its handlers know the contract's types and
//!   transactions, and nothing of HTTP.
//! - [`routes`] is the whole service as one filter. `examples/serve.rs` adds a listener: `cargo run -p lockers --example
//!   serve`.

mod compartments;
mod parcels;
mod reservations;
mod stations;

#[warn(clippy::pedantic)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/stored.rs"));
    include!(concat!(env!("OUT_DIR"), "/documents.rs"));
}

pub use codegen_support as support;
pub use generated::*;

use std::sync::Arc;
use stored::{Keeps, Store};
use support::warp::Filter;
use support::warp::filters::BoxedFilter;
use support::{AnswerId, Clock, Digest, Failure, Response, Timestamp, documents};
use tokio::sync::Notify;

/// Everything that is served: the APIs, the contract's documents, and the answer to all other requests.
pub fn routes(app: Arc<Lockers>, limits: Arc<Limits>) -> BoxedFilter<(Response,)> {
    let surfaces = service_filter(app, Arc::clone(&limits));
    let beside = documents::filter(DOCUMENTS).or(fallback(limits)).unify();
    surfaces.or(beside).unify().boxed()
}

/// The service.
pub struct Lockers {
    store: Store,
    badge: Digest,
    clock: Clock,
    /// Notified whenever a parcel's status may have changed.
    moved: Notify,
}

impl Lockers {
    /// The service over a store, whose crew has this badge, in the time of `clock`.
    pub fn new(store: Store, badge: &str, clock: Clock) -> Self {
        Self {
            store,
            badge: Digest::from_secret(badge),
            clock,
            moved: Notify::new(),
        }
    }

    /// A service without stations that keeps everything in memory.
    ///
    /// # Panics
    /// If the system gives no thread.
    pub fn in_memory(badge: &str, clock: Clock) -> Self {
        let store = Store::in_memory((), None).expect("the machine has threads");
        Self::new(store, badge, clock)
    }
}

/// The emitted handlers are those of every type that implements this.
impl Keeps for Lockers {
    fn store(&self) -> &Store {
        &self.store
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

impl FindAnswer for Lockers {
    async fn find_answer(&self, id: AnswerId, now: Timestamp) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.store.find_answer(id, now).await?)
    }
}

impl AdmitBadge for Lockers {
    async fn admit_badge(&self, presented: &str) -> Result<Option<BadgeCaller>, Failure> {
        Ok((self.badge == Digest::from_secret(presented)).then_some(BadgeCaller {}))
    }
}
