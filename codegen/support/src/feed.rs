//! Feeds of events: the place where a request begins, the events of a response, and a bound on the requests that wait.
//! Must not know any event; generated code does.

use super::decode::choice;
use super::encoded::{Encoded, View};
use super::rows::Rows;
use super::scalar::Timestamp;
use super::secret::mint;
use super::text::{proposal, shortened};
use super::validation_errors::ValidationErrors;
use super::value::Value;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is wrong with a place that the feed does not have.
pub const UNKNOWN_CURSOR: &str = "must be a cursor that this feed has returned, or `now`";

/// Where a request to a feed begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// After the event with this number; 0 is before the first one.
    Event(i64),
    /// After the latest event.
    Now,
}

impl After {
    /// Reads a cursor, or `now`.
    pub fn decode(value: Value, errors: &mut ValidationErrors) -> Option<Self> {
        let text = match value {
            Value::Raw(text) if text.is_empty() => {
                errors.report("must not be empty");
                return None;
            }
            Value::Raw(text) | Value::Text(text) => text,
            _ => String::new(),
        };
        let after = parse(&text);
        if after.is_none() {
            errors.report(UNKNOWN_CURSOR);
        }
        after
    }
}

/// A number has only one form.
fn parse(text: &str) -> Option<After> {
    if text == "now" {
        return Some(After::Now);
    }
    let number: i64 = text.parse().ok()?;
    (number >= 0 && number.to_string() == text).then_some(After::Event(number))
}

/// Reads names that commas separate, as their places among `known`.
pub fn names(value: Value, errors: &mut ValidationErrors, known: &[&'static str]) -> Option<Vec<usize>> {
    let (Value::Raw(text) | Value::Text(text)) = &value else {
        return choice(value, errors, known).map(|place| vec![place]);
    };
    if text.is_empty() {
        errors.report("must not be empty");
        return None;
    }
    let unknown = text.split(',').find(|name| !known.contains(name));
    if let Some(name) = unknown {
        errors.report(&format!(
            "names no event with `{}`{}",
            shortened(name),
            proposal(name, known)
        ));
        return None;
    }
    let place = |name| known.iter().position(|one| *one == name);
    text.split(',').map(place).collect()
}

/// A new id of an event: `evt_` and 131 random bits, so that no other event of the service has it, in no feed and after no
/// restore, and nobody can count events by it. It is stored with the event.
pub fn mint_event_id() -> String {
    mint("evt_", 22)
}

/// An event in a feed.
#[derive(Debug)]
pub struct Occurrence;

/// The members of an event in a feed.
#[derive(Debug)]
pub struct OccurrenceRow<'a> {
    /// Its id, which no other event of the service has.
    pub id: &'a str,
    /// Its number in the feed.
    pub number: i64,
    /// The name of its kind.
    pub name: &'a str,
    /// When it happened.
    pub timestamp: Timestamp,
    /// Its data, as JSON.
    pub data: &'a RawValue,
}

impl View for Occurrence {
    type Row<'a> = OccurrenceRow<'a>;
}

impl Serialize for OccurrenceRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Members<'a> {
            #[serde(rename = "eventId")]
            event_id: &'a str,
            name: &'a str,
            timestamp: Timestamp,
            data: &'a RawValue,
            cursor: String,
        }
        let Self {
            id: event_id,
            number,
            name,
            timestamp,
            data,
        } = *self;
        let cursor = number.to_string();
        Members {
            event_id,
            name,
            timestamp,
            data,
            cursor,
        }
        .serialize(serializer)
    }
}

/// An event in a feed, whose data is the JSON of `data`.
pub fn occurrence(
    (id, number): (&str, i64),
    name: &str,
    timestamp: Timestamp,
    data: &impl Serialize,
) -> Encoded<Occurrence> {
    let data = serde_json::value::to_raw_value(data).expect("events have text keys and finite numbers");
    Encoded::encode(&OccurrenceRow {
        id,
        number,
        name,
        timestamp,
        data: &data,
    })
}

/// A part of a feed.
#[derive(Debug)]
pub struct FeedPage {
    /// The events, the oldest first.
    pub events: Vec<Encoded<Occurrence>>,
    /// The number of the last event that was looked at.
    pub cursor: i64,
    /// Whether there are more events.
    pub has_more: bool,
    /// Whether events after the place where the request begins are no longer kept.
    pub truncated: bool,
}

impl FeedPage {
    /// The events, to be written.
    pub fn rows(&mut self) -> Rows<Occurrence> {
        std::mem::take(&mut self.events).into()
    }
}

/// A member of a response beside its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sibling {
    /// A number.
    Number(i64),
    /// A number as a text.
    Text(i64),
    /// `true` or `false`.
    Flag(bool),
}

/// How many requests wait for events, and how many may.
#[derive(Clone, Debug)]
pub struct Waits {
    waiting: Arc<AtomicUsize>,
    max: usize,
}

/// One request that waits, until this is dropped.
#[derive(Debug)]
pub struct Waiting(Arc<AtomicUsize>);

impl Waits {
    /// Nothing waits; at most `max` requests may.
    pub fn new(max: usize) -> Self {
        let waiting = Arc::default();
        Self { waiting, max }
    }

    /// Counts one more request, unless the maximum is reached.
    pub fn begin(&self) -> Option<Waiting> {
        let count = |waiting| (waiting < self.max).then_some(waiting + 1);
        let counted = self.waiting.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count);
        counted.ok().map(|_| Waiting(Arc::clone(&self.waiting)))
    }

    /// How many requests wait.
    pub fn len(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Whether no request waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded<T>(text: &str, decode: impl Fn(Value, &mut ValidationErrors) -> Option<T>) -> Result<T, String> {
        let mut errors = ValidationErrors::new();
        let decoded = decode(Value::Raw(text.to_owned()), &mut errors);
        decoded.ok_or_else(|| errors.into_text())
    }

    #[test]
    fn a_cursor_has_one_form() {
        for (text, after) in [
            ("now", After::Now),
            ("0", After::Event(0)),
            ("1042", After::Event(1042)),
        ] {
            assert_eq!(decoded(text, After::decode), Ok(after));
        }
        for text in ["01", "-1", "+1", "1.0", "NOW", "abc", " 1", "99999999999999999999"] {
            assert_eq!(
                decoded(text, After::decode),
                Err(format!("the body {UNKNOWN_CURSOR}")),
                "{text}"
            );
        }
    }

    #[test]
    fn unknown_events_are_answered_with_the_nearest_one() {
        let known = ["loan.created", "loan.ended"];
        let names = |text| decoded(text, |value, errors| names(value, errors, &known));
        assert_eq!(names("loan.ended"), Ok(vec![1]));
        assert_eq!(names("loan.ended,loan.created"), Ok(vec![1, 0]));
        assert_eq!(
            names("loan.ended,loan.craeted"),
            Err("the body names no event with `loan.craeted`, did you mean `loan.created`?".to_owned())
        );
        assert!(names("loan.ended,").is_err() && names("").is_err());
    }

    #[test]
    fn so_many_requests_wait_and_no_more() {
        let waits = Waits::new(2);
        let first = waits.begin();
        assert!(first.is_some() && waits.begin().is_some_and(|_| waits.len() == 1 || waits.len() == 2));
        let second = waits.begin();
        assert!(second.is_some() && waits.begin().is_none());
        drop(first);
        assert!(waits.begin().is_some());
        drop(second);
        assert!(waits.is_empty());
    }
}
