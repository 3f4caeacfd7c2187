//! The log: structured lines on standard error, filtered by the variable `HITODE_LOG`.
//!
//! A line is formatted where it is born and written by a thread of its own, so that a reader of
//! standard error who does not keep up costs lines (which are counted) and never stalls a request.
//! Whoever logs whatever: what looks like a credential is left out here, and a line has a bounded length. A client may
//! put its key into a path by mistake.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::time::Duration;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::panics;

/// How many lines may wait for standard error before further ones are dropped.
const WAITING_LINES: usize = 8_192;
/// Lines that wait are written together, up to about this many bytes at a time.
const BATCH_BYTES: usize = 64 * 1024;
/// So many letters and digits in a row are no word, no id and no number of a request, but may be a credential.
const SUSPICIOUS: usize = 32;
/// The most bytes of a line.
const MAX_LINE: usize = 4 * 1024;
/// How long the end of the program waits for lines that standard error does not take.
const FLUSH_PATIENCE: Duration = Duration::from_secs(1);

/// Starts the log. `filter` is the value of `HITODE_LOG`; `None` means `info`.
///
/// The error is a sentence for whoever set the variable.
pub fn start(filter: Option<&str>) -> Result<Flush, String> {
    let filter = EnvFilter::builder().parse(filter.unwrap_or("info")).map_err(|fault| {
        format!("HITODE_LOG is not a log filter ({fault}): write `info`, `debug` or `info,hitode=trace`")
    })?;
    let (sender, receiver) = mpsc::sync_channel(WAITING_LINES);
    let dropped = Arc::new(AtomicU64::new(0));
    let lines = Lines {
        sender: sender.clone(),
        dropped: dropped.clone(),
    };
    std::thread::Builder::new()
        .name("log".into())
        .spawn(move || write_out(&receiver, &dropped, io::stderr()))
        .map_err(|fault| format!("the log's thread cannot be started: {fault}"))?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(io::stderr().is_terminal())
        .with_writer(lines)
        // Reporting a failed write would itself write to standard error, and panic there.
        .log_internal_errors(false)
        .init();
    std::panic::set_hook(Box::new(|panic| {
        if !panics::are_told() {
            tracing::error!("{panic}");
        }
    }));
    Ok(Flush { sender })
}

/// Held by `main`: dropping it waits until what was logged so far is written.
pub struct Flush {
    sender: SyncSender<Message>,
}

impl Drop for Flush {
    fn drop(&mut self) {
        let (done, written) = mpsc::sync_channel(1);
        if self.sender.send(Message::Flush(done)).is_ok() {
            // Nothing is left to do about lines that nobody reads.
            let _ = written.recv_timeout(FLUSH_PATIENCE);
        }
    }
}

enum Message {
    Line(Vec<u8>),
    Flush(SyncSender<()>),
}

struct Lines {
    sender: SyncSender<Message>,
    dropped: Arc<AtomicU64>,
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = &'a Lines;

    fn make_writer(&'a self) -> &'a Lines {
        self
    }
}

impl Write for &Lines {
    /// Takes the whole line; `fmt` hands over one line a call.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if let Err(TrySendError::Full(_)) = self.sender.try_send(Message::Line(fit_to_show(line))) {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The line without what could be a credential, and cut where it is too long.
fn fit_to_show(line: &[u8]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(line.len().min(MAX_LINE));
    for run in line.chunk_by(|one, next| is_of_word(*one) && is_of_word(*next)) {
        if shown.len() + run.len() > MAX_LINE {
            shown.extend_from_slice("…\n".as_bytes());
            break;
        }
        shown.extend_from_slice(if run.len() < SUSPICIOUS { run } else { "…".as_bytes() });
    }
    shown
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn write_out(receiver: &Receiver<Message>, dropped: &AtomicU64, mut out: impl Write) {
    while let Ok(first) = receiver.recv() {
        let mut batch = Vec::new();
        let mut flushed = None;
        let mut next = Some(first);
        while let Some(message) = next {
            match message {
                Message::Line(line) => batch.extend_from_slice(&line),
                Message::Flush(done) => flushed = Some(done),
            }
            next = if batch.len() < BATCH_BYTES && flushed.is_none() {
                receiver.try_recv().ok()
            } else {
                None
            };
        }
        let lost = dropped.swap(0, Ordering::Relaxed);
        if lost > 0 {
            batch.extend_from_slice(
                format!("{lost} log lines were dropped here: standard error did not keep up\n").as_bytes(),
            );
        }
        // A closed standard error is no reason to stop serving.
        let _ = out.write_all(&batch);
        if let Some(done) = flushed {
            let _ = done.send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_who_does_not_keep_up_costs_counted_lines() {
        let (sender, receiver) = mpsc::sync_channel(2);
        let dropped = Arc::new(AtomicU64::new(0));
        let lines = Lines {
            sender,
            dropped: dropped.clone(),
        };
        for line in ["one\n", "two\n", "three\n", "four\n"] {
            (&lines).write_all(line.as_bytes()).expect("lines never fail");
        }
        drop(lines);
        let mut out = Vec::new();
        write_out(&receiver, &dropped, &mut out);
        let text = String::from_utf8(out).expect("text");
        assert!(text.starts_with("one\ntwo\n2 log lines were dropped"), "{text}");
    }

    #[test]
    fn what_could_be_a_credential_is_left_out() {
        let secret = contract::operator_token::mint();
        let line = format!("GET path=\"/keys/{secret}\" x={secret}, id=0123456789abcdef 東京\n");
        let shown = String::from_utf8(fit_to_show(line.as_bytes())).expect("text");
        assert_eq!(shown, "GET path=\"/keys/…\" x=…, id=0123456789abcdef 東京\n");
    }

    #[test]
    fn a_line_is_cut_where_it_is_too_long() {
        let shown = fit_to_show("/ab".repeat(100_000).as_bytes());
        assert!(shown.len() < MAX_LINE + 10 && shown.ends_with("…\n".as_bytes()));
    }

    #[test]
    fn a_broken_filter_says_how_one_is_written() {
        let fault = start(Some("hitode=loud")).err().expect("refused");
        assert!(
            fault.contains("HITODE_LOG") && fault.contains("hitode=trace"),
            "{fault}"
        );
    }
}
