//! The log: structured lines on standard error, as text or JSON, filtered by `HITODE_LOG`; on a terminal the lines
//! are short, and successful requests are not logged.
//!
//! `tracing-subscriber` formats a line, and `tracing-appender` passes it to a separate thread: with a slow standard
//! error, lines are dropped and counted, and requests are not delayed. That thread redacts everything that looks like
//! a credential, and keeps each entry one line of bounded length, because clients may put anything into a path.

mod entry;
mod output;
mod redact;

use std::fmt::{self, Debug};
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use clap::ValueEnum;
use parking_lot::Mutex;
use tracing::field::Field;
use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::{self, Writer};

use self::output::{Form, LogOutput};
use codegen_store::panics;

/// The format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For a person at a terminal: of requests only those that did not succeed.
    Short,
    /// For people.
    Text,
    /// One object per line, in ASCII, for programs that collect logs.
    Json,
}

/// How many lines may wait for standard error before more are dropped.
const WAITING_LINES: usize = 8_192;
/// How long [`flush`] waits for a slow standard error.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// The log of this process, after its start.
static LOG: OnceLock<LogGuard> = OnceLock::new();

struct LogGuard {
    lines: NonBlocking,
    flushed: Mutex<Receiver<()>>,
    /// Dropping it ends the writing thread.
    _worker: WorkerGuard,
}

/// Starts the log. `filter` is the value of `HITODE_LOG`; if it is missing or empty, `info`. Without a format, it is
/// the one for people if standard error is a terminal.
///
/// # Errors
/// If the filter is invalid. The error is a sentence for the operator.
pub fn start(filter: Option<&str>, format: Option<LogFormat>) -> Result<(), String> {
    let filter = filter_of(filter.unwrap_or_default()).map_err(|error| {
        format!("HITODE_LOG is not a valid log filter ({error}): expected a filter such as `info`, `debug` or `info,hitode=trace`")
    })?;
    let is_terminal = io::stderr().is_terminal();
    let form = match (format, is_terminal) {
        (Some(LogFormat::Short), _) | (None, true) => Form::Short,
        (Some(LogFormat::Text), true) => Form::Coloured,
        (Some(LogFormat::Text), false) | (None, false) => Form::Text,
        (Some(LogFormat::Json), _) => Form::Json,
    };
    let (sender, flushed) = mpsc::channel();
    let (lines, worker) = NonBlockingBuilder::default()
        .buffered_lines_limit(WAITING_LINES)
        .thread_name("log")
        .finish(LogOutput::new(io::stderr(), form, dropped_lines, sender));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(form == Form::Coloured)
        .with_writer(lines.clone())
        // Reporting a failed write would write to standard error, too, and panic.
        .log_internal_errors(false);
    match form {
        Form::Text => subscriber.fmt_fields(format::debug_fn(field).delimited(" ")).init(),
        Form::Coloured => subscriber.init(),
        Form::Short | Form::Json => subscriber.json().flatten_event(true).with_span_list(false).init(),
    }
    let _ = LOG.set(LogGuard {
        lines,
        flushed: Mutex::new(flushed),
        _worker: worker,
    });
    std::panic::set_hook(Box::new(|panic| {
        if panics::are_caught() {
            return;
        }
        tracing::error!("{panic}");
        if panics::is_out_of_memory(panic.payload()) {
            // Before it unwinds: a commit of sled that unwinds is in the log in parts.
            flush();
            std::process::abort();
        }
    }));
    Ok(())
}

/// Waits until everything logged so far is written.
pub fn flush() {
    if let Some(log) = LOG.get() {
        let flushed = log.flushed.lock();
        // An empty line requests the flush. If it fails, nothing can be done.
        let asked = log.lines.clone().write_all(b"");
        let _ = asked.map(|()| flushed.recv_timeout(FLUSH_TIMEOUT));
    }
}

/// Writes a field without colours. The default writes the codes for none, which doubles the time for a line.
fn field(out: &mut Writer<'_>, field: &Field, value: &dyn Debug) -> fmt::Result {
    match field.name() {
        "message" => write!(out, "{value:?}"),
        name => write!(out, "{name}={value:?}"),
    }
}

fn dropped_lines() -> usize {
    LOG.get().map_or(0, |log| log.lines.error_counter().dropped_lines())
}

/// Parses a filter. A single word must be a level: if a mistyped level counted as a module name, it would silence
/// everything else.
fn filter_of(text: &str) -> Result<EnvFilter, String> {
    let text = if text.trim().is_empty() { "info" } else { text };
    let words = text.split(',').filter(|part| !part.contains(['=', '[']));
    for word in words {
        word.trim()
            .parse::<LevelFilter>()
            .map_err(|_| format!("`{word}` is not a level"))?;
    }
    let filter = EnvFilter::builder().parse(text).map_err(|error| error.to_string())?;
    // Storage is a part of the server, though a crate of its own.
    let level = text
        .split(',')
        .filter_map(|part| part.trim().strip_prefix("hitode="))
        .next_back();
    match level.map(|level| format!("codegen_store={level}").parse()) {
        Some(Ok(storage)) if !text.contains("codegen_store") => Ok(filter.add_directive(storage)),
        _ => Ok(filter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_is_no_level_is_rejected_instead_of_silencing_the_log() {
        for text in ["", " ", "warn", "info,hitode=trace", "off", "hitode=debug,warn"] {
            assert!(filter_of(text).is_ok(), "{text:?}");
        }
        assert_eq!(filter_of("").expect("a filter").to_string(), "info");
        let both = filter_of("info,hitode=trace").expect("a filter").to_string();
        assert!(
            both.contains("hitode=trace") && both.contains("codegen_store=trace"),
            "{both}"
        );
        for text in ["wran", "info,debg", "hitode=loud"] {
            assert!(filter_of(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_broken_filter_says_how_one_is_written() {
        let error = start(Some("hitode=loud"), None).expect_err("refused");
        assert!(
            error.contains("HITODE_LOG") && error.contains("hitode=trace"),
            "{error}"
        );
    }
}
