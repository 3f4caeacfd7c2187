//! Closing a connection whose client is still sending.

use std::future::Future;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::ReadBuf;
use tokio::time::Sleep;

use super::reader::Reader;

/// How long a client may continue to send.
const TIME: Duration = Duration::from_secs(2);
/// How many bytes a client may continue to send.
const BYTES: usize = 16 << 20;

/// Discards what a client sends after the last byte of the answer. If a socket is closed with unread bytes, the kernel
/// drops the part of the answer that the client has not received (RFC 9112 §9.6).
#[derive(Debug)]
pub(super) struct Linger {
    left: usize,
    /// Set at the first byte. A client that sends nothing is not waited for.
    until: Option<Pin<Box<Sleep>>>,
}

impl Linger {
    pub(super) fn new() -> Linger {
        Linger {
            left: BYTES,
            until: None,
        }
    }

    /// Ready when the socket may be closed.
    pub(super) fn poll(&mut self, reader: &Reader, context: &mut Context<'_>) -> Poll<()> {
        let mut bytes = [MaybeUninit::uninit(); 4096];
        while self.left > 0 {
            let mut into = ReadBuf::uninit(&mut bytes);
            match reader.poll_read(context, &mut into) {
                Poll::Ready(Ok(())) if !into.filled().is_empty() => {
                    self.left = self.left.saturating_sub(into.filled().len());
                    self.until.get_or_insert_with(|| Box::pin(tokio::time::sleep(TIME)));
                }
                Poll::Ready(_) => break,
                Poll::Pending => {
                    return match &mut self.until {
                        Some(until) => until.as_mut().poll(context),
                        None => Poll::Ready(()),
                    };
                }
            }
        }
        Poll::Ready(())
    }
}
