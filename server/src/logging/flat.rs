//! Lines of JSON: an object, in which the fields of what happened and those of the request stand side by side.

use std::fmt::{self, Debug};

use contract::support::observer;
use serde::Serialize;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

/// A line.
pub(super) struct Object;

impl<S, N> FormatEvent<S, N> for Object
where
    S: Subscriber + for<'l> LookupSpan<'l>,
    N: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut out: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let about = event.metadata();
        out.write_str("{\"timestamp\":\"")?;
        SystemTime.format_time(&mut out)?;
        write!(out, "\",\"level\":\"{}\"", about.level())?;
        context.format_fields(out.by_ref(), event)?;
        for span in context.event_scope().into_iter().flatten() {
            if let Some(fields) = span.extensions().get::<FormattedFields<N>>() {
                out.write_str(fields)?;
            }
        }
        writeln!(out, ",\"target\":\"{}\"}}", about.target())
    }
}

/// Fields as the members of an object that goes on: `,"status":200`. Whatever is recorded later can be appended, as long
/// as nothing is recorded twice, and nothing of ours is.
pub(super) struct Members;

impl<'w> FormatFields<'w> for Members {
    fn format_fields<R: RecordFields>(&self, out: Writer<'w>, fields: R) -> fmt::Result {
        let mut members = Written {
            out,
            caller: None,
            result: Ok(()),
        };
        fields.record(&mut members);
        members.result
    }
}

struct Written<'w> {
    out: Writer<'w>,
    /// What kind of caller it is, whose id comes next.
    caller: Option<String>,
    result: fmt::Result,
}

impl Written<'_> {
    fn member(&mut self, name: &str, value: impl Serialize) {
        let value = serde_json::to_string(&value).map_err(|_| fmt::Error);
        self.result = self.result.and_then(|()| write!(self.out, ",\"{name}\":{}", value?));
    }
}

impl Visit for Written<'_> {
    /// The id of a caller stands under what it is the id of: `"account":7`.
    fn record_i64(&mut self, field: &Field, value: i64) {
        match self.caller.take_if(|_| field.name() == observer::CALLER_ID) {
            Some(kind) => self.member(&kind, value),
            None => self.member(field.name(), value),
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.member(field.name(), value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.member(field.name(), value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.member(field.name(), value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.member(field.name(), value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let value = format!("{value:?}");
        self.member(field.name(), &value);
        if field.name() == observer::CALLER {
            self.caller = Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tracing::field::Empty;
    use tracing::{info, info_span, record_all};

    use super::*;
    use crate::logging::tests::logged;

    /// What is in the lines, each of which is an object, without when and whence they came.
    #[track_caller]
    fn objects(log: &str) -> Vec<Value> {
        let object = |line: &str| {
            let mut object: Value = serde_json::from_str(line).unwrap_or_else(|fault| panic!("{fault}: {line}"));
            let members = object.as_object_mut().expect("an object");
            for name in ["timestamp", "level", "target"] {
                assert!(
                    members.remove(name).is_some_and(|value| value.is_string()),
                    "{name}: {line}"
                );
            }
            object
        };
        log.lines().map(object).collect()
    }

    #[test]
    fn what_is_recorded_of_a_span_stands_beside_what_happened() {
        let log = logged(Members, Object, || {
            let span = info_span!("some", first = "one", second = Empty, third = Empty);
            record_all!(span, second = 2, third = Some("\"}"));
            span.in_scope(|| info!(ratio = 0.5, is_so = true, "done"));
            let none = info_span!("none", first = Empty);
            none.record("first", None::<u64>);
            none.in_scope(|| info!("done"));
            info!("\"}},{{\n");
        });
        let expected = [
            json!({ "message": "done", "ratio": 0.5, "is_so": true, "first": "one", "second": 2, "third": "\"}" }),
            json!({ "message": "done" }),
            json!({ "message": "\"},{\n" }),
        ];
        assert_eq!(objects(&log), expected);
    }

    #[test]
    fn the_id_of_a_caller_stands_under_its_kind() {
        let log = logged(Members, Object, || {
            for (kind, id) in [("account", Some(7_i64)), ("operator", None)] {
                let span = info_span!("request", caller = Empty, caller_id = Empty);
                record_all!(span, caller = display(kind), caller_id = id);
                span.in_scope(|| info!("done"));
            }
        });
        let expected = [
            json!({ "message": "done", "caller": "account", "account": 7 }),
            json!({ "message": "done", "caller": "operator" }),
        ];
        assert_eq!(objects(&log), expected);
    }
}
