//! Ctrl-C and SIGTERM during an import. The first one lets the current batch finish, so that no outcome is unknown;
//! the second one ends the process at once.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::shutdown;

/// The exit status after Ctrl-C.
const ENDED_BY_INTERRUPT: i32 = 130;

/// The request to stop.
#[derive(Clone, Default)]
pub(super) struct Interrupt {
    requested: Arc<(Mutex<bool>, Condvar)>,
}

impl Interrupt {
    /// Handles this process's signals. `tell` is called after the first one.
    pub(super) fn on_signals(tell: impl FnOnce() + Send + 'static) -> io::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let (_, shutdown) = runtime.block_on(async { shutdown::on_signals() })?;
        let signalled = interrupt.clone();
        std::thread::spawn(move || {
            runtime.block_on(shutdown.clone().requested());
            signalled.request();
            tell();
            runtime.block_on(shutdown.forced());
            std::process::exit(ENDED_BY_INTERRUPT);
        });
        Ok(interrupt)
    }

    /// Whether to stop.
    pub(super) fn is_requested(&self) -> bool {
        *self.requested.0.lock()
    }

    /// Waits for this time, or until a stop is requested. Returns whether it was requested.
    pub(super) fn wait(&self, time: Duration) -> bool {
        let mut requested = self.requested.0.lock();
        self.requested
            .1
            .wait_while_for(&mut requested, |requested| !*requested, time);
        *requested
    }

    fn request(&self) {
        *self.requested.0.lock() = true;
        self.requested.1.notify_all();
    }
}
