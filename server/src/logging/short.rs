//! Short lines for a person at a terminal, where what was printed once has to stay readable: a request has a line only where
//! it did not succeed, and that has no more than what was asked for and what came of it.

use std::fmt::{self, Debug};

use contract::support::observer;
use http::StatusCode;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

/// A line: `18:31:34Z GET /api/v1/humans/99: 404 in 0.5 ms`.
pub(super) struct Line;

impl<S, N> FormatEvent<S, N> for Line
where
    S: Subscriber + for<'l> LookupSpan<'l>,
    N: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut out: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let about = event.metadata();
        let mut said = Said::default();
        event.record(&mut said);
        let is_request = about.target() == observer::TARGET;
        let is_error = |status: StatusCode| status.is_client_error() || status.is_server_error();
        if is_request && !said.status.is_none_or(is_error) {
            return Ok(());
        }
        let mut now = String::new();
        SystemTime.format_time(&mut Writer::new(&mut now))?;
        write!(out, "{}Z ", now.get(11..19).unwrap_or(&now))?;
        if *about.level() != Level::INFO {
            write!(out, "{} ", about.level())?;
        }
        for span in context.event_scope().into_iter().flatten() {
            if let Some(subject) = span.extensions().get::<FormattedFields<N>>() {
                write!(out, "{}: ", subject.trim_end())?;
            }
        }
        match (is_request, said.status) {
            (false, _) => writeln!(out, "{}{}", said.message, said.fields),
            (true, Some(status)) => writeln!(out, "{} in {} ms", status.as_u16(), said.duration_ms),
            (true, None) => writeln!(out, "{} after {} ms", said.message, said.duration_ms),
        }
    }
}

/// What a request is for: `GET /docs`.
pub(super) struct Subject;

impl<'w> FormatFields<'w> for Subject {
    fn format_fields<R: RecordFields>(&self, mut out: Writer<'w>, fields: R) -> fmt::Result {
        let mut said = Said::default();
        fields.record(&mut said);
        let Said { method, path, .. } = said;
        match path.is_empty() {
            true => Ok(()),
            false => write!(out, "{method} {path}"),
        }
    }
}

#[derive(Default)]
struct Said {
    message: String,
    method: String,
    path: String,
    status: Option<StatusCode>,
    duration_ms: f64,
    /// All others.
    fields: String,
}

impl Visit for Said {
    fn record_u64(&mut self, field: &Field, value: u64) {
        match field.name() {
            "status" => {
                self.status = u16::try_from(value)
                    .ok()
                    .and_then(|code| StatusCode::from_u16(code).ok())
            }
            _ => self.record_debug(field, &value),
        }
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        match field.name() {
            "duration_ms" => self.duration_ms = value,
            _ => self.record_debug(field, &value),
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "path" => self.path = value.to_owned(),
            _ => self.record_debug(field, &value),
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let value = format!("{value:?}");
        match field.name() {
            "message" => self.message = value,
            "method" => self.method = value,
            name => self.fields += &format!(" {name}={value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use tracing::{error, info, info_span, warn};

    use super::*;
    use crate::logging::tests::logged;

    #[test]
    fn a_line_is_short_and_a_request_that_succeeded_has_none() {
        let log = logged(Subject, Line, || {
            info!(data = "/d", "open");
            warn!("full");
            let request = info_span!("request", request_id = "7", method = display("GET"), path = "/docs");
            request.in_scope(|| {
                error!("broken");
                for status in [Some(200_u16), Some(304), Some(404), Some(500), None] {
                    info!(target: observer::TARGET, status, duration_ms = 0.5, "abandoned");
                }
            });
        });
        let lines: Vec<&str> = log
            .lines()
            .map(|line| line.split_once("Z ").expect("a time").1)
            .collect();
        let expected = [
            "open data=\"/d\"",
            "WARN full",
            "ERROR GET /docs: broken",
            "GET /docs: 404 in 0.5 ms",
            "GET /docs: 500 in 0.5 ms",
            "GET /docs: abandoned after 0.5 ms",
        ];
        assert_eq!(lines, expected);
    }
}
