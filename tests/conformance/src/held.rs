//! A body whose last byte is delayed, so that something can happen while its request is being read.

use bytes::Bytes;
use hyper::body::{Body, Frame};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::mpsc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::sync::oneshot;

/// The longest wait for the service to ask for the last byte. A service that answers earlier never asks.
const PATIENCE: Duration = Duration::from_secs(10);

/// A body that sends all bytes but the last one, and the last one when it is released.
pub struct HeldBody {
    first: Option<Bytes>,
    last: Option<Bytes>,
    is_awaited: Option<mpsc::Sender<()>>,
    let_go: oneshot::Receiver<()>,
}

/// The other end of a [`HeldBody`].
pub struct Hold {
    is_awaited: mpsc::Receiver<()>,
    let_go: oneshot::Sender<()>,
}

impl HeldBody {
    /// The body of these bytes, and the [`Hold`] that releases its last byte.
    pub fn new(bytes: Vec<u8>) -> (Self, Hold) {
        let mut first = Bytes::from(bytes);
        let last = first.split_off(first.len().saturating_sub(1));
        let (is_awaited, awaited) = mpsc::channel();
        let (let_go, gone) = oneshot::channel();
        let body = Self {
            first: Some(first),
            last: Some(last),
            is_awaited: Some(is_awaited),
            let_go: gone,
        };
        let hold = Hold {
            is_awaited: awaited,
            let_go,
        };
        (body, hold)
    }

    /// The sender that reports, in place of the body itself, that the service waits: a client reads bodies ahead of the
    /// service.
    pub(crate) fn take_signal(&mut self) -> Option<mpsc::Sender<()>> {
        self.is_awaited.take()
    }
}

impl Hold {
    /// Runs `meanwhile` once the service waits for the last byte, then releases that. Blocks.
    pub fn during(self, meanwhile: &mut dyn FnMut()) {
        // A service that answers without the byte drops the body, and with it the sender.
        let _ = self.is_awaited.recv_timeout(PATIENCE);
        meanwhile();
        let _ = self.let_go.send(());
    }
}

impl Body for HeldBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(Frame::data(first))));
        }
        if self.last.is_some() {
            if let Some(signal) = self.is_awaited.take() {
                let _ = signal.send(());
            }
            // Dropping the other end also releases the byte.
            let _ = ready!(Pin::new(&mut self.let_go).poll(context));
        }
        Poll::Ready(self.last.take().map(|last| Ok(Frame::data(last))))
    }
}
