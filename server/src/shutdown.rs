//! The wish to stop: SIGTERM and Ctrl-C, as something that any task can wait for.

use std::io;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Waits for the first or the second wish to stop.
#[derive(Debug, Clone)]
pub struct Stop {
    wishes: watch::Receiver<usize>,
}

/// Wishes to stop.
#[derive(Debug)]
pub struct Stopper {
    wishes: watch::Sender<usize>,
}

/// What the system sends besides refusing a write beyond the limit of file sizes; it has no name in `SignalKind`.
const FILE_SIZE_EXCEEDED: i32 = 25;

/// A [`Stop`] for the signals of this process. From here on they no longer end it by themselves, and neither does a file
/// that may not grow: that a write was refused is for the writer to know.
pub fn of_this_process() -> io::Result<Stop> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    // That somebody asked for it once is enough for the rest of the process's life.
    drop(signal(SignalKind::from_raw(FILE_SIZE_EXCEEDED))?);
    let (stopper, stop) = by_hand();
    tokio::spawn(async move {
        loop {
            tokio::select! {
                Some(()) = terminate.recv() => {}
                Some(()) = interrupt.recv() => {}
                else => std::future::pending().await,
            }
            stopper.stop();
        }
    });
    Ok(stop)
}

/// A [`Stop`] for the wishes of a caller.
pub fn by_hand() -> (Stopper, Stop) {
    let (sender, receiver) = watch::channel(0);
    (Stopper { wishes: sender }, Stop { wishes: receiver })
}

impl Stopper {
    /// One more wish to stop.
    pub fn stop(&self) {
        self.wishes.send_modify(|wishes| *wishes += 1);
    }
}

impl Stop {
    /// Resolves once somebody has wished to stop.
    pub async fn first(self) {
        self.reach(1).await;
    }

    /// Resolves once somebody has wished so twice, which means: without waiting for anything.
    pub async fn second(self) {
        self.reach(2).await;
    }

    async fn reach(mut self, number: usize) {
        if self.wishes.wait_for(|wishes| *wishes >= number).await.is_err() {
            // Nobody is left to wish anything.
            std::future::pending().await
        }
    }
}
