//! Writes the lines of the log in batches, after formatting and redaction.

use std::io::{self, Write};
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::entry::Entry;
use super::redact;

/// The approximate maximum bytes of one batch.
const BATCH_BYTES: usize = 64 * 1024;
/// How long a line waits for others of its batch: waking the writer for each line costs more than the line.
const GATHERING: Duration = Duration::from_millis(5);

/// The format of the output, and so of its input: short lines and JSON are made from JSON, others from text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Short,
    Text,
    /// Text on a terminal.
    Coloured,
    Json,
}

impl Form {
    /// Renders the formatted `line`; empty if a short log omits it.
    fn render(self, line: &[u8]) -> Vec<u8> {
        match self {
            Form::Text => redact::text(line, false),
            Form::Coloured => redact::text(line, true),
            Form::Json => Entry::read(line).render_json(),
            Form::Short => match Entry::read(line).render_short() {
                Some(line) => redact::text(line.as_bytes(), false),
                None => Vec::new(),
            },
        }
    }

    /// The line that reports dropped lines.
    fn dropped(self, lines: usize) -> Vec<u8> {
        let message = format!("{lines} log lines were dropped here because standard error was too slow");
        match self {
            Form::Short | Form::Text | Form::Coloured => format!("{message}\n").into_bytes(),
            Form::Json => Entry::warning(message).render_json(),
        }
    }
}

/// The output of the log. It never fails: a closed standard error must not stop the server.
pub(super) struct LogOutput<W> {
    out: W,
    form: Form,
    batch: Vec<u8>,
    /// Whether the batch has waited for more lines.
    has_gathered: bool,
    /// The number of lines that were dropped before they reached this output.
    dropped: fn() -> usize,
    /// How many of them were reported.
    reported: usize,
    /// Receives a message when everything before an empty line is written.
    flushed: Sender<()>,
}

impl<W: Write> LogOutput<W> {
    pub(super) fn new(out: W, form: Form, dropped: fn() -> usize, flushed: Sender<()>) -> LogOutput<W> {
        LogOutput {
            out,
            form,
            batch: Vec::new(),
            has_gathered: false,
            dropped,
            reported: 0,
            flushed,
        }
    }
}

impl<W: Write> Write for LogOutput<W> {
    /// Receives one whole line of `tracing-appender`.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if !self.has_gathered {
            std::thread::sleep(GATHERING);
            self.has_gathered = true;
        }
        self.batch.extend(self.form.render(line));
        if self.batch.len() >= BATCH_BYTES {
            self.flush()?;
        }
        Ok(line.len())
    }

    fn write_all(&mut self, line: &[u8]) -> io::Result<()> {
        if line.is_empty() {
            self.flush()?;
            // The receiver may have timed out.
            let _ = self.flushed.send(());
            return Ok(());
        }
        self.write(line).map(|_| ())
    }

    fn flush(&mut self) -> io::Result<()> {
        let dropped = (self.dropped)();
        if dropped > self.reported {
            self.batch.extend(self.form.dropped(dropped - self.reported));
            self.reported = dropped;
        }
        let _ = self.out.write_all(&self.batch);
        self.batch.clear();
        self.has_gathered = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use serde_json::Value;

    use super::*;

    /// The output of two lines if `dropped` counts dropped lines.
    fn output_for(form: Form, line: &str, dropped: fn() -> usize) -> String {
        let (sender, flushed) = mpsc::channel();
        let mut output = LogOutput::new(Vec::new(), form, dropped, sender);
        for _ in 0..2 {
            output.write_all(line.as_bytes()).expect("it never fails");
        }
        assert!(
            output.out.is_empty() && flushed.try_recv().is_err(),
            "it waits for more"
        );
        output.write_all(b"").expect("it never fails");
        assert!(flushed.try_recv().is_ok());
        output.write_all(b"").expect("it never fails");
        String::from_utf8(output.out).expect("text")
    }

    #[test]
    fn a_reader_who_does_not_keep_up_costs_counted_lines() {
        assert_eq!(output_for(Form::Text, "one\n", || 0), "one\none\n");
        let text = output_for(Form::Text, "one\n", || 2);
        assert!(
            text.starts_with("one\none\n2 log lines were dropped") && text.lines().count() == 3,
            "{text}"
        );
        let text = output_for(Form::Json, r#"{"timestamp":"t","level":"INFO","target":"a"}"#, || 1);
        let dropped: Value = serde_json::from_str(text.lines().nth(2).expect("a line")).expect("JSON");
        let member = |name: &str| dropped[name].as_str().unwrap_or_default();
        assert!(member("message").starts_with("1 log lines"), "{dropped}");
        assert!(
            member("timestamp").starts_with("20") && member("level") == "WARN",
            "{dropped}"
        );
    }
}
