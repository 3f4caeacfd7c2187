//! A line of JSON: one flat object in ASCII, without secrets, of bounded length.

use std::fmt::{Debug, Write};

use contract::support::observer;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::redact;
use super::values::{each_field_of_span, push_debug, push_time};

/// An object that is being written. The id of a caller is named by its kind: `"account":7`.
pub(super) struct JsonLine<'l> {
    out: &'l mut String,
    /// The maximum bytes of a text.
    most: usize,
    /// The names that it has.
    names: Vec<&'static str>,
    /// What kind of caller the event names.
    caller: Option<String>,
}

impl<'l> JsonLine<'l> {
    /// Writes the line of an event, with the fields of the span in which it happened.
    pub(super) fn write_event<S>(event: &Event<'_>, context: &Context<'_, S>, out: &mut String)
    where
        S: Subscriber + for<'s> LookupSpan<'s>,
    {
        let metadata = event.metadata();
        let mut bytes = 0;
        for most in [redact::MAX_LINE, redact::MAX_TEXT] {
            let mut line = JsonLine::new(out, metadata.level().as_str(), most);
            event.record(&mut line);
            each_field_of_span(event, context, |name, value| line.rendered(name, value));
            line.end(metadata.target());
            if out.len() <= redact::MAX_LINE {
                return;
            }
            bytes = out.len();
        }
        let mut line = JsonLine::new(out, metadata.level().as_str(), redact::MAX_LINE);
        line.text(
            "message",
            &format!("omitted a line of {bytes} bytes because it is too long"),
        );
        line.end(metadata.target());
    }

    /// An object with the present time and a level.
    pub(super) fn new(out: &'l mut String, level: &str, most: usize) -> Self {
        out.clear();
        out.push_str("{\"timestamp\":\"");
        push_time(out);
        out.extend(["\",\"level\":\"", level, "\""]);
        let names = vec!["timestamp", "level", "target"];
        Self {
            out,
            most,
            names,
            caller: None,
        }
    }

    /// Ends the object and the line.
    pub(super) fn end(self, target: &str) {
        self.out.push_str(",\"target\":");
        push_text(self.out, target, self.most);
        self.out.push_str("}\n");
    }

    /// A text of a span as it stands in the line.
    pub(super) fn value_of_text(text: &str) -> String {
        let mut value = String::new();
        push_text(&mut value, text, redact::MAX_TEXT);
        value
    }

    /// Adds a member whose value is JSON.
    fn rendered(&mut self, name: &'static str, value: &str) {
        self.name(name);
        self.out.push_str(value);
    }

    pub(super) fn text(&mut self, name: &'static str, text: &str) {
        self.name(name);
        push_text(self.out, text, self.most);
    }

    /// Begins a member. A name that is taken gets a number, so that nothing is lost.
    fn name(&mut self, name: &'static str) {
        self.out.extend([",\"", name]);
        let same = self.names.iter().filter(|taken| **taken == name).count();
        if same > 0 {
            // Writing to a string does not fail.
            let _ = write!(self.out, "_{}", same + 1);
        }
        self.out.push_str("\":");
        self.names.push(name);
    }
}

impl Visit for JsonLine<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let mut text = String::new();
        push_debug(&mut text, value);
        self.text(field.name(), &text);
        if field.name() == observer::CALLER {
            self.caller = Some(text);
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.text(field.name(), value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        match &self.caller {
            Some(kind) if field.name() == observer::CALLER_ID => {
                // A kind is a name of the contract.
                let _ = write!(self.out, ",\"{kind}\":{value}");
            }
            _ => self.rendered(field.name(), &value.to_string()),
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.rendered(field.name(), &value.to_string());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        let value = if value.is_finite() {
            format!("{value:?}")
        } else {
            "null".to_owned()
        };
        self.rendered(field.name(), &value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.rendered(field.name(), if value { "true" } else { "false" });
    }
}

/// Appends a text in quotes, redacted, cut and in ASCII.
fn push_text(out: &mut String, text: &str, most: usize) {
    let text = redact::value(text, most);
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            ' '..='~' => out.push(letter),
            _ => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    // Writing to a string does not fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}
