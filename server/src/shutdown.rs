//! A shutdown requested by SIGTERM or Ctrl-C, which any task can wait for.

use std::io;
use std::sync::Arc;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Waits for the first or the second shutdown request.
#[derive(Debug, Clone)]
pub struct Shutdown {
    requests: watch::Receiver<usize>,
}

/// Requests a shutdown.
#[derive(Debug)]
pub struct ShutdownTrigger {
    requests: watch::Sender<usize>,
}

/// The signal that the system sends when a write exceeds the limit of file sizes (SIGXFSZ). `SignalKind` has no name
/// for it.
const FILE_SIZE_EXCEEDED: i32 = 25;

/// A [`Shutdown`] for the signals of this process, and its trigger. From now on they do not end the process directly; neither does the
/// limit of file sizes, since the writer gets an error.
///
/// # Errors
/// If the system does not report signals.
pub fn on_signals() -> io::Result<(Arc<ShutdownTrigger>, Shutdown)> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    // Registering once is enough for the rest of the process.
    drop(signal(SignalKind::from_raw(FILE_SIZE_EXCEEDED))?);
    let (trigger, shutdown) = manual();
    let trigger = Arc::new(trigger);
    let on_signal = Arc::clone(&trigger);
    tokio::spawn(async move {
        loop {
            tokio::select! {
                Some(()) = terminate.recv() => {}
                Some(()) = interrupt.recv() => {}
                else => std::future::pending().await,
            }
            on_signal.request();
        }
    });
    Ok((trigger, shutdown))
}

/// A [`Shutdown`] triggered by the caller.
pub fn manual() -> (ShutdownTrigger, Shutdown) {
    let (sender, receiver) = watch::channel(0);
    (ShutdownTrigger { requests: sender }, Shutdown { requests: receiver })
}

impl ShutdownTrigger {
    /// Requests a shutdown, once more if it was requested before.
    pub fn request(&self) {
        self.requests.send_modify(|requests| *requests += 1);
    }
}

impl Shutdown {
    /// Resolves once a shutdown was requested.
    pub async fn requested(self) {
        self.wait_for(1).await;
    }

    /// Resolves after the second request, which means: stop without waiting.
    pub async fn forced(self) {
        self.wait_for(2).await;
    }

    async fn wait_for(mut self, number: usize) {
        if self.requests.wait_for(|requests| *requests >= number).await.is_err() {
            // All triggers were dropped, so no request can come.
            std::future::pending().await
        }
    }
}
