//! The receiving side of a connection. hyper reads from it between requests; while a request waits for something else, the
//! request can see here that its client has gone.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt;
use parking_lot::{Mutex, MutexGuard};
use tokio::io::{AsyncRead, Interest, ReadBuf};
use tokio::net::tcp::OwnedReadHalf;

/// How often the end is looked for behind bytes of a later request.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Shared, because hyper owns the connection. hyper does not read while a request is processed, so nothing waits for the lock.
#[derive(Debug, Clone)]
pub(super) struct Reader(Arc<Mutex<OwnedReadHalf>>);

impl Reader {
    pub(super) fn new(half: OwnedReadHalf) -> Reader {
        Reader(Arc::new(Mutex::new(half)))
    }

    pub(super) fn poll_read(&self, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.half()).poll_read(context, into)
    }

    /// Waits until the client has closed its sending half, or the connection has failed. For one request, once its body was
    /// read.
    pub(super) async fn ended(self) {
        loop {
            let mut byte = [0];
            let peeked = poll_fn(|context| self.half().poll_peek(context, &mut ReadBuf::new(&mut byte))).await;
            if !matches!(peeked, Ok(1..)) || self.is_closed() {
                return;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Whether the end has come, also behind bytes that were not read.
    fn is_closed(&self) -> bool {
        let ready = self.half().ready(Interest::READABLE).now_or_never();
        ready.is_some_and(|ready| ready.is_ok_and(|ready| ready.is_read_closed()))
    }

    /// No code panics while it holds the lock.
    fn half(&self) -> MutexGuard<'_, OwnedReadHalf> {
        self.0.lock()
    }
}
