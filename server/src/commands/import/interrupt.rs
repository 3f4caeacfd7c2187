//! Ctrl-C and SIGTERM while an import runs. The first one lets the batch under way come to its end, so that nothing is left
//! in doubt; the second one ends the process at once.

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::shutdown;

/// The status of a process that Ctrl-C has ended.
const ENDED_BY_INTERRUPT: i32 = 130;

/// The wish to stop.
#[derive(Clone, Default)]
pub(super) struct Interrupt {
    wished: Arc<(Mutex<bool>, Condvar)>,
}

impl Interrupt {
    /// Of this process's signals. `tell` is called once the first one has come.
    pub(super) fn of_this_process(tell: impl FnOnce() + Send + 'static) -> io::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let stop = runtime.block_on(async { shutdown::of_this_process() })?;
        let wish = interrupt.clone();
        std::thread::spawn(move || {
            runtime.block_on(stop.clone().first());
            wish.wish();
            tell();
            runtime.block_on(stop.second());
            std::process::exit(ENDED_BY_INTERRUPT);
        });
        Ok(interrupt)
    }

    /// Whether to stop.
    pub(super) fn is_wished(&self) -> bool {
        *self.wished.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for so long, or until the wish comes; gives whether it did.
    pub(super) fn comes_within(&self, time: Duration) -> bool {
        let wished = self.wished.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.wished.1.wait_timeout_while(wished, time, |wished| !*wished);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn wish(&self) {
        *self.wished.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.wished.1.notify_all();
    }
}
