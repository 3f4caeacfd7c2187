//! A body whose last byte waits, so that something can happen while its request is being read.

use bytes::Bytes;
use hyper::body::{Body, Frame};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::mpsc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::sync::oneshot;

/// How long it is waited for a service that never asks for the last byte, as one that answers before it.
const PATIENCE: Duration = Duration::from_secs(10);

/// A body that gives all of its bytes but the last one, and that one when it is let go.
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
    /// The body of these bytes, and what lets its last one go.
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

    /// What tells, in the place of the body itself, that the service waits for it: a client reads bodies ahead of the service.
    pub(crate) fn take_signal(&mut self) -> Option<mpsc::Sender<()>> {
        self.is_awaited.take()
    }
}

impl Hold {
    /// Does `meanwhile` once the service waits for the last byte, and lets that go. Blocks.
    pub fn during(self, meanwhile: &mut dyn FnMut()) {
        // A service that answers without it drops the body, and with it the sender.
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
            // Whoever drops the other end lets go, too.
            let _ = ready!(Pin::new(&mut self.let_go).poll(context));
        }
        Poll::Ready(self.last.take().map(|last| Ok(Frame::data(last))))
    }
}
