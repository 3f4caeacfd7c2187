//! The log: structured lines on standard error, as text or JSON, filtered by `HITODE_LOG`; on a terminal the lines
//! are short, and successful requests are not logged.
//!
//! A [`layer`] renders a line, and a [`queue`] passes it to a separate thread: with a slow standard error, lines are dropped and
//! counted, and requests are not delayed. Everything that looks like a credential is redacted, and each entry is one line of
//! bounded length, because clients may put anything into a path.

mod json;
mod layer;
mod queue;
mod redact;
mod short;
#[cfg(test)]
mod tests;
mod values;

use std::io::{self, IsTerminal};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::ValueEnum;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use self::layer::{Form, LogLayer};
use self::queue::Queue;
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

/// How long [`flush`] waits for a slow standard error.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// The lines of this process, after the start of its log.
static LINES: OnceLock<Arc<Queue>> = OnceLock::new();

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
    let lines = Arc::<Queue>::default();
    lines
        .start(io::stderr(), move |dropped| form.dropped(dropped))
        .map_err(|error| format!("the thread of the log cannot be started: {error}"))?;
    let _ = LINES.set(Arc::clone(&lines));
    tracing_subscriber::registry()
        .with(filter)
        .with(LogLayer::new(form, lines))
        .init();
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
    if let Some(lines) = LINES.get() {
        lines.flush(FLUSH_TIMEOUT);
    }
}

/// Parses a filter. A single word must be a level: if a mistyped level counted as a module name, it would silence
/// everything else.
fn filter_of(text: &str) -> Result<Targets, String> {
    let mut filter = Targets::new().with_default(LevelFilter::OFF);
    let (mut server, mut storage) = (None, None);
    let is_empty = text.chars().all(|c| c == ',' || c.is_whitespace());
    let text = if is_empty { "info" } else { text };
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (target, level) = match part.split_once('=') {
            Some((target, level)) => (Some(target.trim()), level.trim()),
            None => (None, part),
        };
        let is_of_target = |c: char| c.is_ascii_alphanumeric() || "_:-".contains(c);
        if let Some(target) = target.filter(|target| target.is_empty() || !target.chars().all(is_of_target)) {
            return Err(format!("`{target}` is not a target"));
        }
        // An empty text would be a level, too.
        let parsed = level.parse::<LevelFilter>().ok().filter(|_| !level.is_empty());
        let level = parsed.ok_or_else(|| format!("`{level}` is not a level"))?;
        match target {
            None => filter = filter.with_default(level),
            Some(target) => filter = filter.with_target(target, level),
        }
        match target {
            Some("hitode") => server = Some(level),
            Some("codegen_store") => storage = Some(level),
            _ => {}
        }
    }
    // Storage is a part of the server, though a crate of its own.
    Ok(match storage.or(server) {
        Some(level) => filter.with_target("codegen_store", level),
        None => filter,
    })
}
