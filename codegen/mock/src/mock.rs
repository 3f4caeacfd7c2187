//! The mock: what it is made of, and its state.

use crate::choices::Choices;
use crate::content::Content;
use crate::documents::Documents;
use crate::journal::Journal;
use crate::limits::{InFlight, Windows};
use crate::random::mixed;
use crate::store::{Key, Store};
use crate::value::Value;
use codegen::Model;
use codegen::model::{ErrorEntry, RecordId, Surface};
use codegen::step::Step;
use parking_lot::{Mutex, MutexGuard};
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Notify;

/// How a mock runs.
#[derive(Debug)]
pub struct Options {
    /// Whether requests are limited, by rate and by number in flight.
    pub rate_limits: bool,
    /// What made-up values and secrets depend on. Without it, a new state gets a random one.
    pub seed: Option<u64>,
    /// The secrets of credentials that no operation creates, by the names of the credentials. A missing one is made.
    pub credentials: Vec<(String, String)>,
    /// Where the state is kept.
    pub journal: Option<Journal>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rate_limits: true,
            seed: None,
            credentials: Vec::new(),
            journal: None,
        }
    }
}

/// A server that is interpreted from a contract. A clone is the same server.
#[derive(Clone)]
pub struct Mock {
    pub(crate) model: &'static Model,
    pub(crate) rate_limits: bool,
    pub(crate) seed: u64,
    pub(crate) order: Arc<[Check]>,
    pub(crate) digests: Arc<[Digest]>,
    pub(crate) roots: Vec<(String, String)>,
    pub(crate) in_flight: InFlight,
    pub(crate) documents: Arc<Documents>,
    pub(crate) requests: Arc<AtomicU64>,
    pub(crate) windows: Arc<Mutex<Windows>>,
    pub(crate) state: Arc<Mutex<State>>,
    /// Notified of every change.
    pub(crate) changed: Arc<Notify>,
}

/// What changes.
pub(crate) struct State {
    pub(crate) store: Store,
    pub(crate) journal: Option<Journal>,
    /// The contents of records that files made, by resource and id.
    pub(crate) files: HashMap<Key, Content>,
    /// How many sources of a value are being followed.
    pub(crate) depth: Cell<u32>,
    /// The surface and the realm of the caller to whom values are shown.
    pub(crate) viewer: Option<(&'static Surface, Option<Value>)>,
    /// What the server that is followed has chosen for this request.
    pub(crate) choices: Choices,
    /// Which of that was not allowed.
    pub(crate) objections: Vec<String>,
    /// The last ids that another server has chosen, by resource.
    pub(crate) followed: HashMap<String, RecordId>,
}

/// A check: its step, and its error if it is one of a rule.
#[derive(Debug)]
pub(crate) struct Check {
    pub(crate) step: Step,
    pub(crate) rule: Option<&'static ErrorEntry>,
}

/// Where the digests of a credential are.
#[derive(Debug)]
pub(crate) struct Digest {
    pub(crate) table: String,
    pub(crate) field: String,
    pub(crate) credential: String,
}

impl Mock {
    /// The secrets of the credentials that no operation creates, by the names of the credentials.
    pub fn root_credentials(&self) -> &[(String, String)] {
        &self.roots
    }

    /// The same server with limits that have counted nothing yet.
    #[must_use]
    pub fn limited(&self) -> Self {
        Self {
            rate_limits: true,
            windows: Arc::default(),
            in_flight: InFlight::default(),
            ..self.clone()
        }
    }

    /// Keeps the changes, in the journal too.
    pub(crate) fn keep(&self, state: &mut State, is_write: bool) -> std::io::Result<()> {
        if let Some(journal) = &mut state.journal {
            journal.append(&state.store.changes(), is_write)?;
        }
        // Two requests that wait and authenticate again would wake each other for ever.
        if state.store.keep() {
            self.changed.notify_waiters();
        }
        Ok(())
    }

    /// The next number from the seed. Numbers are never drawn again, not even from a state that is read from a file.
    pub(crate) fn draw(&self, state: &mut State) -> u64 {
        let place = state.store.next_number("#drawn").unsigned_abs();
        mixed(self.seed, place)
    }

    pub(crate) fn request_id(&self, now: u64) -> String {
        let count = self.requests.fetch_add(1, Ordering::Relaxed);
        format!("{:016x}", mixed(mixed(self.seed, now), count))
    }

    pub(crate) fn windows(&self) -> MutexGuard<'_, Windows> {
        self.windows.lock()
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}
