//! The fields of a span as JSON, to which others can be added without reading those that are there.

use std::fmt;

use tracing::span::Record;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::format::{JsonFields, Writer};
use tracing_subscriber::fmt::{FormatFields, FormattedFields};

/// [`JsonFields`] alone would parse and write all fields of a span again whenever one is recorded, which made up a third of
/// what a request's line costs. They can as well be appended, as long as none is recorded twice, and none of ours is.
pub(super) struct Appended(JsonFields);

impl Appended {
    pub(super) fn new() -> Self {
        Self(JsonFields::new())
    }
}

impl<'w> FormatFields<'w> for Appended {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'w>, fields: R) -> fmt::Result {
        self.0.format_fields(writer, fields)
    }

    fn add_fields(&self, current: &'w mut FormattedFields<Self>, fields: &Record<'_>) -> fmt::Result {
        let mut added = String::new();
        self.0.format_fields(Writer::new(&mut added), fields)?;
        let members = |object: &str| object.len() > "{}".len();
        if !members(&current.fields) {
            current.fields = added;
        } else if members(&added) {
            current.fields.pop();
            current.fields.push(',');
            current.fields.push_str(&added[1..]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use tracing::field::Empty;
    use tracing::{info, info_span, record_all, subscriber};

    use super::*;

    #[test]
    fn what_is_recorded_later_stands_beside_what_was_there() {
        let log = Arc::new(Mutex::new(Vec::new()));
        let out = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .json()
            .fmt_fields(Appended::new())
            .with_writer(move || Out(out.clone()))
            .finish();
        subscriber::with_default(subscriber, || {
            let span = info_span!("some", first = "one", second = Empty, third = Empty);
            record_all!(span, second = 2, third = Some("\"}"));
            let bare = info_span!("bare", first = Empty, second = Empty);
            bare.record("second", true);
            let none = info_span!("none", first = Empty);
            none.record("first", None::<u64>);
            for span in [span, bare, none] {
                span.in_scope(|| info!("done"));
            }
        });
        let log = String::from_utf8(log.lock().expect("no holder panics").clone()).expect("text");
        let spans: Vec<_> = log
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["span"].take())
            .collect();
        let expected = [
            serde_json::json!({ "name": "some", "first": "one", "second": 2, "third": "\"}" }),
            serde_json::json!({ "name": "bare", "second": true }),
            serde_json::json!({ "name": "none" }),
        ];
        assert_eq!(spans, expected);
    }

    struct Out(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Out {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no holder panics").extend_from_slice(line);
            Ok(line.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
