//! The log: structured lines on standard error, as text or JSON, filtered by the variable `HITODE_LOG`. On a terminal they
//! are short, and requests that succeeded have none.
//!
//! A line is formatted where it is born and written by a thread of its own, so that a reader of
//! standard error who does not keep up costs lines (which are counted) and never stalls a request.
//! Whoever logs whatever: what looks like a credential is left out here, and a line stays one line of bounded length. A
//! client may put its key into a path by mistake, and anything else on purpose.

mod flat;
mod redact;
mod short;

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::ValueEnum;
use serde_json::json;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};

use crate::panics;

/// What the lines of the log look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For a person at a terminal: of requests only those that did not succeed.
    Short,
    /// For people.
    Text,
    /// One object a line, in ASCII, for whoever collects logs.
    Json,
}

/// How many lines may wait for standard error before further ones are dropped.
const WAITING_LINES: usize = 8_192;
/// Lines that wait are written together, up to about this many bytes at a time.
const BATCH_BYTES: usize = 64 * 1024;
/// So long a line waits for others to be written with it: to wake the writer for each one costs more than the line itself.
const GATHERING: Duration = Duration::from_millis(5);
/// How long [`flush`] waits for lines that standard error does not take.
const FLUSH_PATIENCE: Duration = Duration::from_secs(1);

/// Where the lines go, once the log was started.
static SENDER: OnceLock<SyncSender<Message>> = OnceLock::new();

/// Starts the log. `filter` is the value of `HITODE_LOG`; none, or an empty one, means `info`. Without a format it is for a
/// person where standard error is a terminal.
///
/// # Errors
/// The error is a sentence for whoever set the variable.
pub fn start(filter: Option<&str>, format: Option<LogFormat>) -> Result<(), String> {
    let filter = filter_of(filter.unwrap_or_default()).map_err(|fault| {
        format!("HITODE_LOG is not a log filter ({fault}): write `info`, `debug` or `info,hitode=trace`")
    })?;
    let (sender, receiver) = mpsc::sync_channel(WAITING_LINES);
    let dropped = Arc::new(AtomicU64::new(0));
    let is_terminal = io::stderr().is_terminal();
    let format = format.unwrap_or(match is_terminal {
        true => LogFormat::Short,
        false => LogFormat::Text,
    });
    let form = match format {
        LogFormat::Text if is_terminal => Form::Coloured,
        LogFormat::Short | LogFormat::Text => Form::Text,
        LogFormat::Json => Form::Json,
    };
    let lines = Lines {
        form,
        sender: sender.clone(),
        dropped: dropped.clone(),
    };
    std::thread::Builder::new()
        .name("log".into())
        .spawn(move || write_out(&receiver, &dropped, form, io::stderr()))
        .map_err(|fault| format!("the log's thread cannot be started: {fault}"))?;
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(form == Form::Coloured)
        .with_writer(lines)
        // Reporting a failed write would itself write to standard error, and panic there.
        .log_internal_errors(false);
    match format {
        LogFormat::Short => subscriber.fmt_fields(short::Subject).event_format(short::Line).init(),
        LogFormat::Text => subscriber.init(),
        LogFormat::Json => subscriber.fmt_fields(flat::Members).event_format(flat::Object).init(),
    }
    let _ = SENDER.set(sender);
    std::panic::set_hook(Box::new(|panic| {
        if !panics::are_caught() {
            tracing::error!("{panic}");
        }
    }));
    Ok(())
}

/// Waits until what was logged so far is written.
pub fn flush() {
    let (done, written) = mpsc::sync_channel(1);
    let sent = SENDER.get().map(|sender| sender.send(Message::Flush(done)));
    if let Some(Ok(())) = sent {
        // Nothing is left to do about lines that nobody reads.
        let _ = written.recv_timeout(FLUSH_PATIENCE);
    }
}

/// A word alone has to be a level: taken for the name of a module, a mistyped one would silence everything else.
fn filter_of(text: &str) -> Result<EnvFilter, String> {
    let text = if text.trim().is_empty() { "info" } else { text };
    let words = text.split(',').filter(|part| !part.contains(['=', '[']));
    for word in words {
        word.trim()
            .parse::<LevelFilter>()
            .map_err(|_| format!("`{word}` is no level"))?;
    }
    EnvFilter::builder().parse(text).map_err(|fault| fault.to_string())
}

enum Message {
    Line(Vec<u8>),
    Flush(SyncSender<()>),
}

/// What lines look like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    /// Text on a terminal.
    Coloured,
    Json,
}

impl Form {
    fn fit(self, line: &[u8]) -> Vec<u8> {
        match self {
            Form::Text => redact::text(line, false),
            Form::Coloured => redact::text(line, true),
            Form::Json => redact::json(line),
        }
    }

    /// The line that stands for lines that nobody will see.
    fn lost(self, lines: u64) -> String {
        let message = format!("{lines} log lines were dropped here: standard error did not keep up");
        match self {
            Form::Text | Form::Coloured => format!("{message}\n"),
            Form::Json => {
                let mut now = String::new();
                // Writing to a text does not fail.
                let _ = SystemTime.format_time(&mut Writer::new(&mut now));
                format!("{}\n", json!({ "timestamp": now, "level": "WARN", "message": message }))
            }
        }
    }
}

struct Lines {
    form: Form,
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
        if let Err(TrySendError::Full(_)) = self.sender.try_send(Message::Line(self.form.fit(line))) {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_out(receiver: &Receiver<Message>, dropped: &AtomicU64, form: Form, mut out: impl Write) {
    while let Ok(first) = receiver.recv() {
        if matches!(first, Message::Line(_)) {
            std::thread::sleep(GATHERING);
        }
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
            batch.extend_from_slice(form.lost(lost).as_bytes());
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
    use std::sync::Mutex;

    use tracing_subscriber::Registry;
    use tracing_subscriber::fmt::{FormatEvent, FormatFields};

    use super::*;

    /// What `tell` logs, in lines of this form.
    pub(super) fn logged<N, E>(fields: N, line: E, tell: impl FnOnce()) -> String
    where
        N: for<'w> FormatFields<'w> + Send + Sync + 'static,
        E: FormatEvent<Registry, N> + Send + Sync + 'static,
    {
        let log = Arc::new(Mutex::new(Vec::new()));
        let out = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .fmt_fields(fields)
            .event_format(line)
            .with_writer(move || Out(out.clone()))
            .finish();
        tracing::subscriber::with_default(subscriber, tell);
        let log = log.lock().expect("no holder panics").clone();
        String::from_utf8(log).expect("text")
    }

    struct Out(Arc<Mutex<Vec<u8>>>);

    impl Write for Out {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no holder panics").extend_from_slice(line);
            Ok(line.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What comes of these lines where only two can wait.
    fn out(form: Form, all: &[&str]) -> String {
        let (sender, receiver) = mpsc::sync_channel(2);
        let dropped = Arc::new(AtomicU64::new(0));
        let lines = Lines {
            form,
            sender,
            dropped: dropped.clone(),
        };
        for line in all {
            (&lines).write_all(line.as_bytes()).expect("lines never fail");
        }
        drop(lines);
        let mut out = Vec::new();
        write_out(&receiver, &dropped, form, &mut out);
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_word_that_is_no_level_is_refused_instead_of_silencing_the_log() {
        for text in ["", " ", "warn", "info,hitode=trace", "off", "hitode=debug,warn"] {
            assert!(filter_of(text).is_ok(), "{text:?}");
        }
        assert_eq!(filter_of("").expect("a filter").to_string(), "info");
        for text in ["wran", "info,debg", "hitode=loud"] {
            assert!(filter_of(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_reader_who_does_not_keep_up_costs_counted_lines() {
        let text = out(Form::Text, &["one\n", "two\n", "three\n", "four\n"]);
        assert!(text.starts_with("one\ntwo\n2 log lines were dropped"), "{text}");
        let text = out(Form::Json, &["{}\n", "{}\n", "{}\n"]);
        let lost = text.strip_prefix("{}\n{}\n").expect("two lines");
        let lost: serde_json::Value = serde_json::from_str(lost).expect("JSON");
        assert!(
            lost["message"]
                .as_str()
                .is_some_and(|said| said.starts_with("1 log lines")),
            "{lost}"
        );
        assert!(
            lost["timestamp"].as_str().is_some_and(|now| now.starts_with("20")),
            "{lost}"
        );
    }

    #[test]
    fn a_broken_filter_says_how_one_is_written() {
        let fault = start(Some("hitode=loud"), None).expect_err("refused");
        assert!(
            fault.contains("HITODE_LOG") && fault.contains("hitode=trace"),
            "{fault}"
        );
    }
}
