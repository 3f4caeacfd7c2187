//! Passes lines to a thread that writes them in batches, so that a slow standard error delays no request.

use std::io::{ErrorKind, Write};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

/// The maximum bytes that wait to be written. Further lines are dropped and counted.
const MAX_WAITING: usize = 4 * 1024 * 1024;
/// How long a line waits for others of its batch: waking the thread for each line costs more than the line.
const GATHERING: Duration = Duration::from_millis(5);

/// The lines that are not yet written.
#[derive(Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    filled: Condvar,
    written: Condvar,
}

#[derive(Default)]
struct Waiting {
    bytes: Vec<u8>,
    dropped: usize,
    /// The number of batches that were taken, and of those that were written.
    taken: u64,
    written: u64,
    /// Whether somebody waits in [`Queue::flush`].
    is_flushed: bool,
}

impl Queue {
    /// Adds a line, or drops it.
    pub(super) fn push(&self, line: &[u8]) {
        let mut waiting = self.waiting.lock();
        if waiting.bytes.len() + line.len() > MAX_WAITING {
            waiting.dropped += 1;
            return;
        }
        let is_first = waiting.bytes.is_empty();
        waiting.bytes.extend_from_slice(line);
        drop(waiting);
        if is_first {
            self.filled.notify_one();
        }
    }

    /// The lines that wait.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> Vec<u8> {
        self.waiting.lock().bytes.clone()
    }

    /// Waits until all lines that were added so far are written, but not longer than `most`.
    pub(super) fn flush(&self, most: Duration) {
        let mut waiting = self.waiting.lock();
        let batch = match waiting.bytes.is_empty() && waiting.dropped == 0 {
            true => waiting.taken,
            false => waiting.taken + 1,
        };
        waiting.is_flushed = true;
        self.filled.notify_one();
        self.written
            .wait_while_for(&mut waiting, |waiting| waiting.written < batch, most);
    }

    /// Starts the thread that writes to `out`; `dropped` is the line that reports so many dropped ones. It never ends. A closed
    /// standard error must not stop the server, so errors of `out` are ignored.
    pub(super) fn start(
        self: &Arc<Self>,
        mut out: impl Write + Send + 'static,
        dropped: impl Fn(usize) -> Vec<u8> + Send + 'static,
    ) -> std::io::Result<()> {
        let queue = Arc::clone(self);
        let write = move || {
            let (mut batch, mut lost) = (Vec::new(), 0);
            loop {
                let is_cut = lost > 0;
                lost += queue.take(&mut batch);
                if is_cut {
                    let _ = write(&mut out, b"\n");
                }
                let lines = batch.len();
                if lost > 0 {
                    batch.extend(dropped(lost));
                }
                let rest = write(&mut out, &batch);
                // The report is no line of the log: it comes again.
                let unwritten = &batch[(batch.len() - rest.len()).min(lines)..lines];
                let unwritten = unwritten.iter().filter(|byte| **byte == b'\n').count();
                lost = if rest.is_empty() { 0 } else { lost + unwritten };
                batch.clear();
                queue.waiting.lock().written += 1;
                queue.written.notify_all();
            }
        };
        std::thread::Builder::new().name("log".to_owned()).spawn(write)?;
        Ok(())
    }

    /// Waits for lines and takes them all; returns how many were dropped behind them.
    fn take(&self, batch: &mut Vec<u8>) -> usize {
        let mut waiting = self.waiting.lock();
        self.filled
            .wait_while(&mut waiting, |waiting| waiting.bytes.is_empty() && waiting.dropped == 0);
        self.filled
            .wait_while_for(&mut waiting, |waiting| !waiting.is_flushed, GATHERING);
        waiting.is_flushed = false;
        waiting.taken += 1;
        std::mem::swap(&mut waiting.bytes, batch);
        std::mem::take(&mut waiting.dropped)
    }
}

/// Writes, and returns what could not be written. An output that takes nothing at present is waited for.
fn write<'b>(out: &mut impl Write, mut bytes: &'b [u8]) -> &'b [u8] {
    while !bytes.is_empty() {
        match out.write(bytes) {
            Ok(0) => break,
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(GATHERING),
            Err(_) => break,
        }
    }
    let _ = out.flush();
    bytes
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::mpsc::{self, Receiver, Sender};

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    /// An output that waits for a permit before each write.
    struct Slow(Receiver<()>, Sender<Vec<u8>>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.recv().expect("a permit");
            self.1.send(bytes.to_vec()).expect("the test listens");
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn slow(queue: &Arc<Queue>) -> (Sender<()>, Receiver<Vec<u8>>) {
        let ((tell, told), (send, written)) = (mpsc::channel(), mpsc::channel());
        let report = |lines| format!("{lines} dropped\n").into_bytes();
        queue.start(Slow(told, send), report).expect("a thread");
        (tell, written)
    }

    #[test]
    fn a_flush_waits_for_all_lines_before_it() {
        let queue = Arc::<Queue>::default();
        let (tell, written) = slow(&queue);
        // Nothing was added.
        queue.flush(LONG);
        queue.push(b"one\n");
        queue.push(b"two\n");
        queue.flush(Duration::from_millis(20));
        assert!(written.try_recv().is_err(), "it waits no longer than its limit");
        queue.push(b"three\n");
        tell.send(()).expect("it listens");
        tell.send(()).expect("it listens");
        queue.flush(LONG);
        assert_eq!(written.try_iter().collect::<Vec<_>>().concat(), b"one\ntwo\nthree\n");
    }

    /// Takes a part, then nothing, then fails, then takes all.
    struct Failing(u8, Sender<Vec<u8>>);

    impl Write for Failing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            let taken = match self.0 {
                1 => 6,
                2 => return Err(ErrorKind::WouldBlock.into()),
                3 => 2,
                4 => return Err(ErrorKind::BrokenPipe.into()),
                _ => bytes.len(),
            };
            self.1.send(bytes[..taken].to_vec()).expect("the test listens");
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_output_that_fails_costs_counted_lines_and_one_that_is_full_none() {
        let queue = Arc::<Queue>::default();
        let (send, written) = mpsc::channel();
        let report = |lines| format!("{lines} dropped\n").into_bytes();
        queue.push(b"one\ntwo\nthree\nfour\n");
        queue.start(Failing(0, send), report).expect("a thread");
        queue.flush(LONG);
        queue.push(b"five\n");
        queue.flush(LONG);
        let written = String::from_utf8(written.try_iter().collect::<Vec<_>>().concat());
        assert_eq!(written.as_deref(), Ok("one\ntwo\n\nfive\n2 dropped\n"));
    }

    #[test]
    fn a_reader_who_does_not_keep_up_costs_counted_lines() {
        let queue = Arc::<Queue>::default();
        let line = [b"x".repeat(1_023), b"\n".to_vec()].concat();
        let (all, lost) = (MAX_WAITING / line.len(), 7);
        for _ in 0..all + lost {
            queue.push(&line);
        }
        let (tell, written) = slow(&queue);
        tell.send(()).expect("it listens");
        queue.flush(LONG);
        let written = written.try_iter().collect::<Vec<_>>().concat();
        assert_eq!(written.len(), MAX_WAITING + b"7 dropped\n".len());
        assert!(written.ends_with(b"x\n7 dropped\n"));
        queue.push(b"again\n");
        tell.send(()).expect("it listens");
        queue.flush(LONG);
    }
}
