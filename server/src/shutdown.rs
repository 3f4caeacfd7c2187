//! A shutdown requested by SIGTERM or Ctrl-C, which any task can wait for.

use std::io;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Waits for the first or the second request to shut down.
#[derive(Debug, Clone)]
pub struct Shutdown {
    requests: watch::Receiver<usize>,
}

/// Requests a shutdown.
#[derive(Debug)]
pub struct ShutdownTrigger {
    requests: watch::Sender<usize>,
}

/// What the system sends besides rejecting a write beyond the limit of file sizes; it has no name in `SignalKind`.
const FILE_SIZE_EXCEEDED: i32 = 25;

/// A [`Shutdown`] for the signals of this process. From here on they no longer end it by themselves, and neither does a file
/// that may not grow: that a write was rejected is for the writer to know.
///
/// # Errors
/// When the system does not report signals.
pub fn on_signals() -> io::Result<Shutdown> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    // To ask for it once is enough for the rest of the process's life.
    drop(signal(SignalKind::from_raw(FILE_SIZE_EXCEEDED))?);
    let (trigger, shutdown) = manual();
    tokio::spawn(async move {
        loop {
            tokio::select! {
                Some(()) = terminate.recv() => {}
                Some(()) = interrupt.recv() => {}
                else => std::future::pending().await,
            }
            trigger.request();
        }
    });
    Ok(shutdown)
}

/// A [`Shutdown`] that the caller requests.
pub fn manual() -> (ShutdownTrigger, Shutdown) {
    let (sender, receiver) = watch::channel(0);
    (ShutdownTrigger { requests: sender }, Shutdown { requests: receiver })
}

impl ShutdownTrigger {
    /// One more request.
    pub fn request(&self) {
        self.requests.send_modify(|requests| *requests += 1);
    }
}

impl Shutdown {
    /// Resolves once a shutdown was requested.
    pub async fn requested(self) {
        self.reach(1).await;
    }

    /// Resolves once it was requested twice, which means: without waiting for anything.
    pub async fn forced(self) {
        self.reach(2).await;
    }

    async fn reach(mut self, number: usize) {
        if self.requests.wait_for(|requests| *requests >= number).await.is_err() {
            // Nobody is left who could request it.
            std::future::pending().await
        }
    }
}
