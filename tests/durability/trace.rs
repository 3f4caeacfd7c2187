//! Reads a trace of strace: the system calls of all threads in one order.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use test_support::process::DEADLINE;

/// A system call. Its start and its end are positions in one order of all starts and ends.
#[derive(Debug)]
pub(crate) struct Call {
    /// The id of the thread.
    pub(crate) thread: String,
    pub(crate) name: String,
    /// The text between the parentheses, as strace writes it.
    pub(crate) args: String,
    pub(crate) begun: usize,
    pub(crate) ended: usize,
    /// Its result; `None` if it failed or never returned.
    pub(crate) result: Option<i64>,
}

impl Call {
    /// Whether it uses a file with this name.
    pub(crate) fn is_on(&self, file: &str) -> bool {
        let descriptor = self.args.split(['>', ',']).next().unwrap_or_default();
        descriptor.ends_with(&format!("/{file}"))
    }

    pub(crate) fn is_write(&self) -> bool {
        matches!(self.name.as_str(), "write" | "pwrite64" | "writev")
    }

    pub(crate) fn is_sync(&self) -> bool {
        matches!(self.name.as_str(), "fdatasync" | "fsync") && self.result.is_some()
    }

    /// Whether it sends the start of an answer. Interim responses count, too.
    pub(crate) fn is_answer(&self) -> bool {
        matches!(self.name.as_str(), "sendto" | "write" | "writev") && self.args.contains("\"HTTP/1.1 ")
    }
}

/// Reads the output of strace once all traced processes have ended.
pub(crate) fn read(file: &Path) -> Vec<Call> {
    let begun = Instant::now();
    loop {
        let text = String::from_utf8_lossy(&std::fs::read(file).expect("a trace")).into_owned();
        // The main thread is the first one in the trace, and the last one to end.
        let first = text.split_whitespace().next().unwrap_or_default().to_owned();
        if text
            .lines()
            .rev()
            .take(3)
            .any(|line| line.starts_with(&first) && line.contains("+++ exited"))
        {
            return parse(&text);
        }
        assert!(
            begun.elapsed() < DEADLINE,
            "the trace does not end: {:?}",
            text.lines().last()
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The calls of a trace.
pub(crate) fn parse(text: &str) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    let mut unfinished: HashMap<&str, usize> = HashMap::new();
    for (place, line) in text.lines().enumerate() {
        // strace pads short thread ids.
        let Some((thread, (_time, rest))) = line
            .split_once(' ')
            .and_then(|(thread, line)| Some((thread, line.trim_start().split_once(' ')?)))
        else {
            continue;
        };
        if rest.starts_with("<... ") {
            if let Some(begun) = unfinished.remove(thread) {
                calls[begun].ended = place;
                calls[begun].result = result(rest);
            }
        } else if let Some((name, args)) = rest.split_once('(') {
            let mut call = Call {
                thread: thread.to_owned(),
                name: name.to_owned(),
                args: args.to_owned(),
                begun: place,
                ended: place,
                result: result(rest),
            };
            if rest.ends_with("<unfinished ...>") {
                (call.ended, call.result) = (usize::MAX, None);
                unfinished.insert(thread, calls.len());
            }
            calls.push(call);
        }
    }
    calls
}

fn result(line: &str) -> Option<i64> {
    let (_, result) = line.rsplit_once(" = ")?;
    let digits = result.split(|other: char| !other.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn calls_of_several_threads_keep_their_order() {
        let calls = parse(concat!(
            "10 06:00:00.1 pwrite64(3</d/db>, \"a, (b) \\\"c\\\"\", 9, 0 <unfinished ...>\n",
            "9  06:00:00.2 fdatasync(3</d/db>) = 0\n",
            "10 06:00:00.3 <... pwrite64 resumed>) = 9\n",
            "9  06:00:00.4 fdatasync(3</d/db>) = -1 EIO (Input/output error)\n",
            "10 06:00:00.5 sendto(4<socket:[1]>, \"HTTP/1.1 201 Created\\r\\n\", 24, 0, NULL, 0) = 24\n",
            "10 06:00:00.6 +++ exited with 0 +++\n",
        ));
        let places: Vec<_> = calls.iter().map(|call| (call.begun, call.ended)).collect();
        assert_eq!(places, [(0, 2), (1, 1), (3, 3), (4, 4)]);
        let results: Vec<_> = calls.iter().map(|call| call.result).collect();
        assert_eq!(results, [Some(9), Some(0), None, Some(24)]);
        assert!(calls[0].is_on("db") && calls[0].is_write());
        assert!(calls[1].is_sync() && !calls[2].is_sync() && calls[3].is_answer());
    }
}
