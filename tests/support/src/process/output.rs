//! Collects the output of a process, line by line, as it arrives.

use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Instant;

use super::DEADLINE;

/// The lines so far.
#[derive(Clone, Default)]
pub struct Output {
    lines: Arc<(Mutex<Vec<String>>, Condvar)>,
}

const END: &str = "\u{4}";

impl Output {
    /// The lines of this stream, and the thread that reads them.
    pub fn read(stream: impl Read + Send + 'static) -> (Output, JoinHandle<()>) {
        let output = Output::default();
        let lines = output.lines.clone();
        let read = std::thread::spawn(move || {
            let add = |line: String| {
                lines.0.lock().expect("a lock").push(line);
                lines.1.notify_all();
            };
            for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
                add(String::from_utf8_lossy(&line).into_owned());
            }
            add(END.to_owned());
        });
        (output, read)
    }

    /// The first line with `part` in it, as soon as there is one; `None` if the output ends without one.
    pub fn wait_for(&self, part: &str) -> Option<String> {
        self.wait_for_number(1, part)
    }

    /// The line with `part` in it that has this number, from 1.
    pub fn wait_for_number(&self, number: usize, part: &str) -> Option<String> {
        let begun = Instant::now();
        let mut lines = self.lines.0.lock().expect("a lock");
        loop {
            if let Some(line) = lines.iter().filter(|line| line.contains(part)).nth(number - 1) {
                return Some(line.clone());
            }
            let left = DEADLINE
                .checked_sub(begun.elapsed())
                .filter(|_| lines.last().is_none_or(|line| line != END))?;
            lines = self.lines.1.wait_timeout(lines, left).expect("a lock").0;
        }
    }

    pub(super) fn wait_for_end(&self) {
        self.wait_for(END).expect("its end");
    }

    /// All lines so far.
    pub fn text(&self) -> String {
        let lines = self.lines.0.lock().expect("a lock");
        lines
            .iter()
            .filter(|line| *line != END)
            .map(|line| format!("{line}\n"))
            .collect()
    }
}
