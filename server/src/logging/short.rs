//! A line for a person at a terminal, such as `18:31:34Z GET /api/v1/humans/99: 404 in 0.5 ms`.

use std::fmt::Debug;

use contract::support::observer;
use http::StatusCode;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::values::{each_field_of_span, push_debug, push_time};

/// What a short line shows of an event.
#[derive(Default)]
pub(super) struct ShortLine {
    message: String,
    method: String,
    path: String,
    status: Option<u64>,
    duration_ms: f64,
    /// The other fields, each after a space.
    others: String,
}

impl ShortLine {
    /// Writes the line of an event; `false` for a request that succeeded, which has none.
    pub(super) fn write_event<S>(event: &Event<'_>, context: &Context<'_, S>, line: &mut String) -> bool
    where
        S: Subscriber + for<'s> LookupSpan<'s>,
    {
        let is_end = event.metadata().target() == observer::TARGET;
        let mut short = Self::default();
        event.record(&mut short);
        let status = short
            .status
            .and_then(|status| StatusCode::from_u16(u16::try_from(status).ok()?).ok());
        if is_end && status.is_some_and(|status| !status.is_client_error() && !status.is_server_error()) {
            return false;
        }
        each_field_of_span(event, context, |name, value| match name {
            "method" => value.clone_into(&mut short.method),
            "path" => value.clone_into(&mut short.path),
            _ => {}
        });
        short.write(event, is_end, line);
        true
    }

    fn write(&self, event: &Event<'_>, is_end: bool, line: &mut String) {
        let mut time = String::new();
        push_time(&mut time);
        line.extend([&time[11..19], "Z "]);
        let level = event.metadata().level();
        if *level != Level::INFO {
            line.extend([level.as_str(), " "]);
        }
        if !self.method.is_empty() {
            line.extend([&*self.method, " ", &self.path, ": "]);
        }
        let duration_ms = self.duration_ms;
        match (is_end, self.status) {
            (false, _) => line.extend([&*self.message, &self.others]),
            (true, Some(status)) => line.push_str(&format!("{status} in {duration_ms} ms")),
            (true, None) => line.push_str(&format!("{} after {duration_ms} ms", self.message)),
        }
        line.push('\n');
    }

    fn add(&mut self, field: &Field, value: &str) {
        match field.name() {
            "message" => value.clone_into(&mut self.message),
            "method" => value.clone_into(&mut self.method),
            "path" => value.clone_into(&mut self.path),
            name => self.others.extend([" ", name, "=", value]),
        }
    }
}

impl Visit for ShortLine {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let mut text = String::new();
        push_debug(&mut text, value);
        self.add(field, &text);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "status" {
            self.status = Some(value);
        }
        self.add(field, &value.to_string());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        if field.name() == "duration_ms" {
            self.duration_ms = value;
        }
        self.add(field, &value.to_string());
    }
}
