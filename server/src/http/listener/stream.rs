//! A socket with a minimum rate for its client to receive an answer.

use std::future::Future;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::time::{Instant, Sleep};

use super::activity::Activity;
use super::linger::Linger;
use super::reader::Reader;

/// The minimum rate of a client.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// How long it may receive nothing.
    pub(super) timeout: Duration,
    /// The minimum bytes per second after this timeout.
    pub(super) min_rate: u32,
}

impl Pace {
    /// The next deadline after the client received `bytes`. A fast client may not be slow later.
    fn moved(self, deadline: Instant, bytes: usize, now: Instant) -> Instant {
        let earned = Duration::from_secs_f64(bytes as f64 / f64::from(self.min_rate.max(1)));
        (deadline + earned).min(now + self.timeout)
    }
}

/// A socket that fails with [`ErrorKind::TimedOut`] if its client receives too slowly. While the kernel accepts all
/// bytes at once, no timer runs.
#[derive(Debug)]
pub(super) struct Stream {
    reader: Reader,
    writer: OwnedWriteHalf,
    pace: Pace,
    activity: Arc<Activity>,
    /// The deadline for the client to receive more, while bytes wait for it.
    waiting: Option<Pin<Box<Sleep>>>,
    linger: Linger,
}

impl Stream {
    pub(super) fn new(socket: TcpStream, pace: Pace, activity: Arc<Activity>) -> Stream {
        let (reader, writer) = socket.into_split();
        Stream {
            reader: Reader::new(reader),
            writer,
            pace,
            activity,
            waiting: None,
            linger: Linger::new(),
        }
    }

    /// The receiving side: it shows when the client has disconnected.
    pub(super) fn reader(&self) -> Reader {
        self.reader.clone()
    }

    /// The result of a write after the check of the rate.
    fn paced(&mut self, context: &mut Context<'_>, result: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match result {
            Poll::Pending => self.wait(context),
            Poll::Ready(Ok(bytes)) => {
                if let Some(waiting) = &mut self.waiting {
                    self.activity.moved(bytes);
                    let deadline = self.pace.moved(waiting.deadline(), bytes, Instant::now());
                    waiting.as_mut().reset(deadline);
                }
                result
            }
            Poll::Ready(Err(_)) => result,
        }
    }

    fn wait(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if self.waiting.is_none() {
            self.activity.set_answer_waits(true);
        }
        let timeout = self.pace.timeout;
        let waiting = self
            .waiting
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(timeout)));
        if waiting.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        // The bytes that the kernel still holds for this client are dropped with the connection.
        let _ = self.writer.as_ref().set_zero_linger();
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.writer).poll_write(context, bytes);
        self.paced(context, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.writer).poll_write_vectored(context, pieces);
        self.paced(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.writer.is_write_vectored()
    }

    /// Called once everything is written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.waiting.take().is_some() {
            self.activity.set_answer_waits(false);
        }
        Pin::new(&mut self.writer).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.writer).poll_shutdown(context))?;
        self.activity.awaits_bytes();
        let Stream { reader, linger, .. } = &mut *self;
        linger.poll(reader, context).map(Ok)
    }
}

impl AsyncRead for Stream {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = self.reader.poll_read(context, into);
        if read.is_pending() {
            self.activity.awaits_bytes();
        } else if !self.activity.received(into.filled().len() - before) {
            into.set_filled(before);
            return Poll::Ready(Err(ErrorKind::ConnectionAborted.into()));
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_earned_is_by_the_byte_and_never_more_than_the_patience() {
        let pace = Pace {
            timeout: Duration::from_secs(30),
            min_rate: 1000,
        };
        let now = Instant::now();
        let after = |seconds| now + Duration::from_secs(seconds);
        assert_eq!(pace.moved(after(5), 2_000, now), after(7));
        assert_eq!(pace.moved(after(5), 1_000_000, now), after(30));
        assert_eq!(pace.moved(after(5), 0, now), after(5));
        let unbounded = Pace { min_rate: 0, ..pace };
        assert_eq!(unbounded.moved(after(5), 1, now), after(6));
    }
}
