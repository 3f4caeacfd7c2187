//! Passes what was written to the operating system. When a write of sled 0.34.7 fails, one of its two paths forgets to wake
//! the thread that waits for it (`Log::exit_reservation`), which then waits for ever. But each later flush finds the error
//! and wakes all that wait. So a thread makes one if a flush takes long.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

/// How long a flush takes until the thread looks after it; then twice as long, and so on.
const PATIENCE: Duration = Duration::from_millis(250);

/// Flushes a database.
pub(super) struct Flusher {
    db: Arc<sled::Db>,
    /// How many flushes have begun and ended: odd during one.
    steps: Arc<AtomicU64>,
}

impl Flusher {
    /// Flushes `db`, from one thread at a time.
    pub(super) fn start(db: sled::Db) -> sled::Result<Self> {
        let flusher = Self {
            db: Arc::new(db),
            steps: Arc::default(),
        };
        let (db, steps) = (Arc::downgrade(&flusher.db), Arc::clone(&flusher.steps));
        let thread = thread::Builder::new().name("flush watchdog".to_owned());
        thread.spawn(move || watch(&db, &steps)).map_err(sled::Error::from)?;
        Ok(flusher)
    }

    /// The database.
    pub(super) fn db(&self) -> &sled::Db {
        &self.db
    }

    /// Flushes.
    pub(super) fn flush(&self) -> sled::Result<()> {
        self.steps.fetch_add(1, Ordering::Relaxed);
        let flushed = self.db.flush();
        self.steps.fetch_add(1, Ordering::Relaxed);
        flushed.map(drop)
    }
}

/// Makes more flushes while one takes long, until the database is closed. Each on its own thread: if there is no error
/// yet, it waits as well.
fn watch(db: &Weak<sled::Db>, steps: &AtomicU64) {
    let (mut last, mut rounds) = (0, 0_u64);
    while db.strong_count() > 0 {
        thread::sleep(PATIENCE);
        let now = steps.load(Ordering::Relaxed);
        rounds = if now == last && now % 2 == 1 { rounds + 1 } else { 0 };
        last = now;
        if rounds.is_power_of_two()
            && let Some(db) = db.upgrade()
        {
            // If no thread starts, a later round tries again.
            let _ = thread::Builder::new().spawn(move || db.flush());
        }
    }
}
