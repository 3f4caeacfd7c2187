//! Converts a line of the JSON formatter of `tracing-subscriber`: merges the request's fields into those of the event,
//! and can omit requests that succeeded. The formatter nests the request's fields and has no such filter.

use contract::support::observer;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};

use super::redact;

/// The content of one line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    timestamp: String,
    level: String,
    /// The fields of the request.
    #[serde(default, skip_serializing)]
    span: Map<String, Value>,
    /// The fields of the event. The server's own events have `message` among them.
    #[serde(flatten)]
    fields: Map<String, Value>,
    target: String,
}

impl Entry {
    /// Parses a formatted line. A line that has a field twice cannot be parsed; it becomes the message of a warning.
    pub(super) fn read(line: &[u8]) -> Entry {
        serde_json::from_slice(line)
            .unwrap_or_else(|_| Entry::warning(String::from_utf8_lossy(line).trim_end().to_owned()))
    }

    /// A warning about the log itself.
    pub(super) fn warning(message: String) -> Entry {
        let mut timestamp = String::new();
        // Writing to a string does not fail.
        let _ = SystemTime.format_time(&mut Writer::new(&mut timestamp));
        Entry {
            timestamp,
            level: "WARN".to_owned(),
            span: Map::new(),
            fields: Map::new(),
            target: module_path!().to_owned(),
        }
        .saying(message)
    }

    /// Replaces the fields by this message.
    fn saying(mut self, message: String) -> Entry {
        self.fields = Map::from_iter([("message".to_owned(), message.into())]);
        self
    }

    /// One flat JSON object in ASCII, without secrets. The id of a caller is named by its kind: `"account":7`.
    pub(super) fn render_json(mut self) -> Vec<u8> {
        let mut request = std::mem::take(&mut self.span);
        request.remove("name");
        let id = request.remove(observer::CALLER_ID);
        if let (Some(Value::String(kind)), Some(id)) = (request.get(observer::CALLER).cloned(), id) {
            request.insert(kind, id);
        }
        self.fields.extend(request);
        let mut bytes = 0;
        for most in [redact::MAX_LINE, redact::MAX_TEXT] {
            self.fields.values_mut().for_each(|value| redact::value(value, most));
            let line = self.line();
            if line.len() <= redact::MAX_LINE {
                return line;
            }
            bytes = line.len();
        }
        let message = format!("omitted a line of {bytes} bytes because it is too long");
        self.saying(message).line()
    }

    fn line(&self) -> Vec<u8> {
        redact::ascii(&serde_json::to_string(self).expect("it has text keys"))
    }

    /// A line for people, such as `18:31:34Z GET /api/v1/humans/99: 404 in 0.5 ms`; `None` for a request that
    /// succeeded.
    pub(super) fn render_short(&self) -> Option<String> {
        let status = self.fields.get("status").and_then(Value::as_u64);
        let status = status.and_then(|status| StatusCode::from_u16(u16::try_from(status).ok()?).ok());
        let is_request = self.target == observer::TARGET;
        let is_error = |status: StatusCode| status.is_client_error() || status.is_server_error();
        if is_request && !status.is_none_or(is_error) {
            return None;
        }
        let mut line = format!("{}Z ", self.timestamp.get(11..19).unwrap_or(&self.timestamp));
        if self.level != "INFO" {
            line += &format!("{} ", self.level);
        }
        if let (Some(method), Some(path)) = (self.span.get("method"), self.span.get("path")) {
            line += &format!("{} {}: ", plain(method), plain(path));
        }
        let message = self.fields.get("message").map(plain).unwrap_or_default();
        let duration_ms = self
            .fields
            .get("duration_ms")
            .and_then(Value::as_f64)
            .unwrap_or_default();
        line += &match (is_request, status) {
            (false, _) => message,
            (true, Some(status)) => format!("{} in {duration_ms} ms", status.as_u16()),
            (true, None) => format!("{message} after {duration_ms} ms"),
        };
        if !is_request {
            let others = self.fields.iter().filter(|(name, _)| *name != "message");
            others.for_each(|(name, value)| line += &format!(" {name}={}", plain(value)));
        }
        Some(line + "\n")
    }
}

/// A value, without quotes if it is a text.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    use serde_json::json;
    use tracing::field::Empty;
    use tracing::{error, info, info_span, record_all, warn};

    use super::*;

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

    /// The entries that `tell` logs.
    fn logged(tell: impl FnOnce()) -> Vec<Entry> {
        let log = Arc::new(Mutex::new(Vec::new()));
        let out = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .with_writer(move || Out(out.clone()))
            .finish();
        tracing::subscriber::with_default(subscriber, tell);
        let log = log.lock().expect("no holder panics").clone();
        log.split_inclusive(|byte| *byte == b'\n').map(Entry::read).collect()
    }

    /// The fields of the entries without time and target.
    #[track_caller]
    fn objects(log: Vec<Entry>) -> Vec<Value> {
        let object = |entry: Entry| {
            let line = entry.render_json();
            assert!(line.is_ascii() && line.len() <= redact::MAX_LINE && line.ends_with(b"}\n"));
            let mut object: Value = serde_json::from_slice(&line).expect("JSON");
            let members = object.as_object_mut().expect("an object");
            for name in ["timestamp", "level", "target"] {
                assert!(members.remove(name).is_some_and(|value| value.is_string()), "{name}");
            }
            object
        };
        log.into_iter().map(object).collect()
    }

    #[test]
    fn what_is_recorded_of_a_span_stands_beside_what_happened() {
        let log = logged(|| {
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
        assert_eq!(objects(log), expected);
    }

    #[test]
    fn a_line_that_has_a_field_twice_is_kept_as_a_message() {
        let log = logged(|| info!(level = "high", "the water rises"));
        let short = log[0].render_short().expect("a line");
        assert!(short.contains("WARN") && short.contains("the water rises"), "{short}");
        let message = objects(log)[0]["message"].to_string();
        assert!(
            message.contains("the water rises") && message.contains("high"),
            "{message}"
        );
    }

    #[test]
    fn the_id_of_a_caller_stands_under_its_kind() {
        let log = logged(|| {
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
        assert_eq!(objects(log), expected);
    }

    #[test]
    fn no_object_bears_a_credential_a_command_of_a_terminal_or_a_line_of_its_own() {
        let secret = contract::operator_token::mint();
        let hostile = "a\nb\r\tc\u{1b}[2J\u{9b}31m\u{202e}\u{2028}\u{7f}\0";
        let run = "a".repeat(64);
        let texts = ["\n", "\"", "\\", "\u{1}", "é"].map(|before| format!("{before}{run}"));
        let log = logged(|| {
            let request = info_span!("request", path = format!("/keys/{secret}"));
            request.in_scope(|| info!("{hostile}"));
            texts.iter().for_each(|text| info!("{text}"));
        });
        let mut expected = vec![json!({ "message": hostile, "path": "/keys/…" })];
        expected.extend(["\n…", "\"…", "\\…", "\u{1}…", "é…"].map(|text| json!({ "message": text })));
        assert_eq!(objects(log), expected);
    }

    #[test]
    fn a_line_of_json_is_cut_where_it_is_too_long() {
        for long in ["/ab", "東京/", "\"\\", "\u{9b}"].map(|piece| piece.repeat(100_000)) {
            let log = logged(|| info_span!("request", path = long, client = long).in_scope(|| info!("{long}")));
            assert_eq!(objects(log).len(), 1);
        }
    }

    #[test]
    fn a_short_line_is_short_and_a_request_that_succeeded_has_none() {
        let log = logged(|| {
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
        let short: String = log.iter().filter_map(Entry::render_short).collect();
        let lines = short.lines().map(|line| line.split_once("Z ").expect("a time").1);
        let expected = [
            "open data=/d",
            "WARN full",
            "ERROR GET /docs: broken",
            "GET /docs: 404 in 0.5 ms",
            "GET /docs: 500 in 0.5 ms",
            "GET /docs: abandoned after 0.5 ms",
        ];
        assert_eq!(lines.collect::<Vec<_>>(), expected);
    }
}
