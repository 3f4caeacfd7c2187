//! Renders each event as one line. A field is written once, straight into the line: what a span has is rendered when it is given,
//! so that an event copies it.

use std::cell::RefCell;
use std::fmt::Debug;
use std::sync::Arc;

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use super::json::JsonLine;
use super::queue::Queue;
use super::redact;
use super::short::ShortLine;
use super::values::{SpanFields, push_debug, push_time};

/// The form of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Short,
    Text,
    /// Text on a terminal.
    Coloured,
    Json,
}

impl Form {
    /// The line that reports dropped lines.
    pub(super) fn dropped(self, lines: usize) -> Vec<u8> {
        let message = format!("{lines} log lines were dropped here because standard error was too slow");
        match self {
            Self::Short | Self::Text | Self::Coloured => format!("{message}\n").into_bytes(),
            Self::Json => {
                let mut text = String::new();
                let mut line = JsonLine::new(&mut text, "WARN", redact::MAX_LINE);
                line.text("message", &message);
                line.end(module_path!());
                text.into_bytes()
            }
        }
    }
}

/// The layer that logs to a [`Queue`].
pub(super) struct LogLayer {
    form: Form,
    queue: Arc<Queue>,
}

impl LogLayer {
    pub(super) fn new(form: Form, queue: Arc<Queue>) -> Self {
        Self { form, queue }
    }
}

thread_local! {
    /// The line that a thread renders.
    static LINE: RefCell<String> = const { RefCell::new(String::new()) };
}

impl<S: Subscriber + for<'l> LookupSpan<'l>> Layer<S> for LogLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = SpanFields::default();
        attributes.record(&mut Rendered(self.form, &mut fields));
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(fields);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(fields) = span.extensions_mut().get_mut::<SpanFields>() {
            values.record(&mut Rendered(self.form, fields));
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let render = |line: &mut String| {
            line.clear();
            self.render(event, &context, line);
        };
        // It is taken while a value logs something itself.
        LINE.with(|line| match line.try_borrow_mut() {
            Ok(mut line) => render(&mut line),
            Err(_) => render(&mut String::new()),
        });
    }
}

impl LogLayer {
    fn render<S>(&self, event: &Event<'_>, context: &Context<'_, S>, line: &mut String)
    where
        S: Subscriber + for<'l> LookupSpan<'l>,
    {
        match self.form {
            Form::Text | Form::Coloured => {
                let is_coloured = self.form == Form::Coloured;
                text_line(event, context, is_coloured, line);
                self.queue.push(&redact::text(line.as_bytes(), is_coloured));
            }
            Form::Json => {
                JsonLine::write_event(event, context, line);
                self.queue.push(line.as_bytes());
            }
            Form::Short => {
                if ShortLine::write_event(event, context, line) {
                    self.queue.push(&redact::text(line.as_bytes(), false));
                }
            }
        }
    }
}

/// A line of text, with a line end.
fn text_line<S>(event: &Event<'_>, context: &Context<'_, S>, is_coloured: bool, line: &mut String)
where
    S: Subscriber + for<'l> LookupSpan<'l>,
{
    let (dim, plain) = if is_coloured {
        ("\u{1b}[2m", "\u{1b}[0m")
    } else {
        ("", "")
    };
    line.push_str(dim);
    push_time(line);
    line.push_str(plain);
    line.push(' ');
    let level = *event.metadata().level();
    if is_coloured {
        line.push_str(colour_of(level));
    }
    line.push_str(match level {
        Level::ERROR => "ERROR",
        Level::WARN => " WARN",
        Level::INFO => " INFO",
        Level::DEBUG => "DEBUG",
        Level::TRACE => "TRACE",
    });
    line.push_str(plain);
    line.push(' ');
    let mut is_in_span = false;
    for span in context
        .event_scope(event)
        .into_iter()
        .flat_map(|scope| scope.from_root())
    {
        line.push_str(span.name());
        let extensions = span.extensions();
        let fields = extensions.get::<SpanFields>().map_or(&[][..], |fields| &fields.0);
        for (place, (name, value)) in fields.iter().enumerate() {
            let before = if place == 0 { '{' } else { ' ' };
            line.extend([before]);
            line.extend([*name, "=", value]);
        }
        line.push_str(if fields.is_empty() { ":" } else { "}:" });
        is_in_span = true;
    }
    if is_in_span {
        line.push(' ');
    }
    line.extend([dim, event.metadata().target(), ":", plain]);
    let fields = line.len();
    event.record(&mut Fields(line));
    if is_coloured {
        // No colour comes after this.
        let shown = without_escapes(&line[fields..]);
        line.truncate(fields);
        line.push_str(&shown);
    }
    line.push('\n');
}

/// A text in which nothing begins a command of the terminal.
fn without_escapes(text: &str) -> String {
    text.replace('\u{1b}', "\\u{1b}")
}

fn colour_of(level: Level) -> &'static str {
    match level {
        Level::ERROR => "\u{1b}[31m",
        Level::WARN => "\u{1b}[33m",
        Level::INFO => "\u{1b}[32m",
        Level::DEBUG => "\u{1b}[34m",
        Level::TRACE => "\u{1b}[35m",
    }
}

/// Appends the fields of an event, each after a space.
struct Fields<'l>(&'l mut String);

impl Fields<'_> {
    fn name(&mut self, field: &Field) {
        self.0.push(' ');
        if field.name() != "message" {
            self.0.extend([field.name(), "="]);
        }
    }
}

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.name(field);
        push_debug(self.0, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.name(field);
        push_quoted(self.0, value);
    }
}

/// Appends a text as [`Debug`] shows it.
fn push_quoted(out: &mut String, text: &str) {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    match text.bytes().all(is_plain) {
        true => out.extend(["\"", text, "\""]),
        false => push_debug(out, text),
    }
}

/// Renders the fields of a span for a form.
struct Rendered<'f>(Form, &'f mut SpanFields);

impl Rendered<'_> {
    fn set(&mut self, field: &Field, value: String) {
        let fields = &mut self.1.0;
        let value = match self.0 {
            Form::Coloured => without_escapes(&value),
            _ => value,
        };
        match fields.iter_mut().find(|(name, _)| *name == field.name()) {
            Some((_, former)) => *former = value,
            None => fields.push((field.name(), value)),
        }
    }
}

impl Visit for Rendered<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let mut text = String::new();
        push_debug(&mut text, value);
        if self.0 == Form::Json {
            text = JsonLine::value_of_text(&text);
        }
        self.set(field, text);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let text = match self.0 {
            Form::Json => JsonLine::value_of_text(value),
            Form::Short => value.to_owned(),
            Form::Text | Form::Coloured => {
                let mut text = String::new();
                push_quoted(&mut text, value);
                text
            }
        };
        self.set(field, text);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field, value.to_string());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field, value.to_string());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field, value.to_string());
    }
}
