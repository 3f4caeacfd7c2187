//! What lines of all forms are made of.

use std::cell::RefCell;
use std::fmt::{self, Debug, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use contract::Timestamp;
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// The fields of a span, rendered for the form of the log.
#[derive(Default)]
pub(super) struct SpanFields(pub(super) Vec<(&'static str, String)>);

/// Appends the present time, such as `2026-11-29T21:52:43.123456Z`.
pub(super) fn push_time(out: &mut String) {
    thread_local! {
        /// The last second that was rendered, and its text without a fraction.
        static SECOND: RefCell<(i64, String)> = const { RefCell::new((i64::MIN, String::new())) };
    }
    // A clock before 1970 shows the beginning of that year.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
    SECOND.with_borrow_mut(|(second, text)| {
        if *second != seconds {
            *second = seconds;
            *text = Timestamp::from_unix(seconds).to_string();
            text.truncate(text.trim_end_matches('Z').len());
        }
        out.push_str(text);
    });
    let micros = now.subsec_micros();
    let digits = [100_000, 10_000, 1_000, 100, 10, 1].map(|unit| char::from(b'0' + (micros / unit % 10) as u8));
    out.push('.');
    out.extend(digits);
    out.push('Z');
}

/// Appends a value. Writing to a string does not fail, but the value may.
pub(super) fn push_debug(out: &mut String, value: impl Debug) {
    let _: fmt::Result = write!(out, "{value:?}");
}

/// Calls `show` with each field of the span in which an event happened, rendered.
pub(super) fn each_field_of_span<S>(
    event: &Event<'_>,
    context: &Context<'_, S>,
    mut show: impl FnMut(&'static str, &str),
) where
    S: Subscriber + for<'l> LookupSpan<'l>,
{
    if let Some(span) = context.event_span(event)
        && let Some(fields) = span.extensions().get::<SpanFields>()
    {
        fields.0.iter().for_each(|(name, value)| show(name, value));
    }
}
