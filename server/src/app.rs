//! The application for the generated code: the store with what the handlers of the `market` share. Knows the contract's
//! types; must not know HTTP or an engine.

use std::sync::{Arc, RwLock};

use contract::support::{AnswerId, Done, FileDirectory, Once};
use contract::{AdmitOperatorToken, Available, Clock, Failure, FindAnswer, OperatorTokenCaller, Rows, Timestamp};

use crate::erased::ErasedWorkers;
use crate::operator_token::OperatorToken;
use crate::recent::Process;
use crate::simulation::Simulation;
use crate::store::{Author, BountyRows, Decided, Market, Mirror, ReadRows, Store, StoreResult, Trees, Tx};
use crate::webhooks::Reach;

/// The service over a store.
pub struct Hitode {
    store: Store,
    /// The rows of open bounties that were read last.
    bounty_rows: Arc<BountyRows>,
    operator: OperatorToken,
    clock: Clock,
    simulation: Simulation,
    webhook_reach: Reach,
    currency: Option<String>,
    site: Option<String>,
    process: Process,
    erased_workers: ErasedWorkers,
    files: Option<Arc<FileDirectory>>,
}

impl Hitode {
    /// The service over `store`. The holder of `operator` is the operator; `clock` is the time. Webhooks reach public
    /// addresses.
    pub fn new(store: Store, operator: OperatorToken, clock: Clock) -> Self {
        Self {
            store,
            bounty_rows: Arc::default(),
            operator,
            clock,
            simulation: Simulation::default(),
            webhook_reach: Reach::Public,
            currency: None,
            site: None,
            process: Process::default(),
            erased_workers: ErasedWorkers::default(),
            files: None,
        }
    }

    /// The service that stores files in this directory.
    pub fn with_files(self, files: Option<FileDirectory>) -> Self {
        let files = files.map(Arc::new);
        Self { files, ..self }
    }

    /// The directory of files. `None`: this server stores none.
    pub(crate) fn file_directory(&self) -> Option<&Arc<FileDirectory>> {
        self.files.as_ref()
    }

    /// The service whose webhooks have this reach.
    pub fn with_webhook_reach(self, webhook_reach: Reach) -> Self {
        Self { webhook_reach, ..self }
    }

    /// The service whose hourly rates are in this currency.
    pub fn with_currency(self, currency: Option<String>) -> Self {
        Self { currency, ..self }
    }

    /// The currency of hourly rates, if the operator states it.
    pub(crate) fn currency(&self) -> Option<&str> {
        self.currency.as_deref()
    }

    /// The service whose pages for workers are at this address, which has no trailing slash.
    pub(crate) fn with_site(self, site: Option<String>) -> Self {
        Self { site, ..self }
    }

    /// The address of the pages for workers, if it is known.
    pub(crate) fn site(&self) -> Option<&str> {
        self.site.as_deref()
    }

    /// The service of this process, which notes erased workers there.
    pub(crate) fn of_process(self, process: Process, erased_workers: ErasedWorkers) -> Self {
        Self {
            process,
            erased_workers,
            ..self
        }
    }

    /// What the process knows of itself.
    pub(crate) fn process(&self) -> &Process {
        &self.process
    }

    /// Where erased workers are noted.
    pub(crate) fn erased_workers(&self) -> &ErasedWorkers {
        &self.erased_workers
    }

    /// Sets the maximum bytes of the cache of rows of lists of bounties, which are 64 MiB at first. Rows that are too many are
    /// dropped.
    pub fn limit_row_cache(&self, bytes: usize) {
        self.bounty_rows.limit(bytes);
    }

    /// The cache of rows of lists of bounties.
    pub(crate) fn bounty_rows(&self) -> &Arc<BountyRows> {
        &self.bounty_rows
    }

    /// Whom webhooks may reach.
    pub(crate) fn webhook_reach(&self) -> Reach {
        self.webhook_reach
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Returns the store.
    pub fn into_store(self) -> Store {
        self.store
    }

    /// Reads from memory. `read` must take less than a millisecond.
    pub(crate) fn look<T>(&self, read: impl FnOnce(&Mirror) -> T) -> Result<T, Failure> {
        Ok(self.store.look(read)?)
    }

    /// Reads from disk.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Trees, &RwLock<Mirror>) -> StoreResult<T> + Send + 'static,
    ) -> Result<T, Failure> {
        Ok(self.store.read(read).await?)
    }

    /// Reads the first rows of a list; the others are read while the answer is sent.
    pub(crate) async fn rows<V: 'static>(&self, read: impl ReadRows<Market, V>) -> Result<Rows<V>, Failure> {
        Ok(self.store.rows(read).await?)
    }

    /// Runs a write where it commits, and waits until it is on disk. A rejected write has changed nothing.
    pub(crate) async fn write<T: Send + 'static, D: From<Failure> + Send + 'static>(
        &self,
        by: impl Into<Author>,
        write: impl FnMut(&mut Tx<'_>) -> Decided<T, D> + Send + 'static,
    ) -> Result<T, D> {
        let written = self.store.write(by, write).await;
        written.map_err(Failure::from)?
    }

    /// The same for a request that may have an idempotency key. The same transaction stores its answer.
    pub(crate) async fn write_once<S: Send + 'static, T: 'static, D: From<Failure> + Send + 'static>(
        &self,
        by: impl Into<Author>,
        once: Once<S, T>,
        write: impl FnMut(&mut Tx<'_>) -> Decided<T, D> + Send + 'static,
    ) -> Result<Done<S>, D> {
        let written = self.store.write_once(by, once, write).await;
        written.map_err(Failure::from)?
    }

    /// Ends all waiting for events, now and later. Requests that wait are answered without an event.
    pub fn end_waits(&self) {
        self.store.end_waits();
    }

    /// What the handlers share with the simulator.
    pub(crate) fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The clock.
    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The present time.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

impl Available for Hitode {
    fn can_answer(&self) -> bool {
        self.store.can_answer()
    }
}

impl AdmitOperatorToken for Hitode {
    async fn admit_operator_token(&self, presented: &str) -> Result<Option<OperatorTokenCaller>, Failure> {
        Ok(self.operator.matches(presented).then_some(OperatorTokenCaller {}))
    }
}

impl FindAnswer for Hitode {
    async fn find_answer(&self, id: AnswerId, now: Timestamp) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.store.find_answer(id, now).await?)
    }
}

/// The failure if memory lacks a record that a guard has just found, or whose id another record has. Such records are
/// never deleted, so the store is damaged.
pub(crate) fn missing(what: &str) -> Failure {
    tracing::error!(what, "a resource that a guard had found was missing");
    Failure::Internal
}
