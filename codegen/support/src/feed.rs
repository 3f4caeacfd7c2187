//! Feeds of events: the place where a request begins, the events of a response, and the requests that wait.
//! Must not know any event; generated code does.

use super::arrival::EndOfWait;
use super::decode::{self, choice};
use super::encoded::{Encoded, View};
use super::fault::{Code, Fault};
use super::key::{Column, Key, KeyBytes};
use super::rows::Rows;
use super::scalar::Timestamp;
use super::secret::mint;
use super::text::{proposal, shortened};
use super::validation_errors::ValidationErrors;
use super::value::Value;
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::sync::Arc;
use tokio::sync::Notify;

/// Whose feed an event is in: a record of one of several resources. Its key begins with a byte for the resource.
pub trait Recipient: Key + Copy + Hash + Serialize + DeserializeOwned {
    /// The columns of its key.
    const COLUMNS: &'static [Column];

    /// The resource.
    fn resource(&self) -> &'static str;
    /// The key of the record.
    fn record_key(&self) -> KeyBytes;
}

/// Each recipient of an event once, however many records lead to it.
pub fn each_once<R: Recipient + Eq>(to: Vec<R>) -> impl Iterator<Item = R> {
    let mut told = HashSet::new();
    to.into_iter().filter(move |one| told.insert(*one))
}

/// The recipients of a contract without events: there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Nobody {}

impl Key for Nobody {
    fn write(&self, _: &mut KeyBytes) {
        match *self {}
    }

    fn split(_: &[u8]) -> Option<(Self, &[u8])> {
        None
    }

    fn text(&self) -> String {
        match *self {}
    }

    fn number(&self) -> Option<i64> {
        match *self {}
    }
}

impl Recipient for Nobody {
    const COLUMNS: &'static [Column] = &[];

    fn resource(&self) -> &'static str {
        match *self {}
    }

    fn record_key(&self) -> KeyBytes {
        match *self {}
    }
}

/// What is wrong with a place that the feed does not have.
pub fn unknown_cursor() -> Fault<'static> {
    Fault::new(Code::Cursor, "must be a cursor that this feed has returned, or `now`")
}

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
                errors.report(&decode::empty());
                return None;
            }
            Value::Raw(text) | Value::Text(text) => text,
            _ => String::new(),
        };
        let after = parse(&text);
        if after.is_none() {
            errors.report(&unknown_cursor());
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
        errors.report(&decode::empty());
        return None;
    }
    let unknown = text.split(',').find(|name| !known.contains(name));
    if let Some(name) = unknown {
        let text = format!("names no event with `{}`{}", shortened(name), proposal(name, known));
        errors.report(&Fault::new(Code::Choice, text).with(known));
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

/// The requests that wait for events. Their callers share a number of places.
#[derive(Clone, Debug)]
pub struct Waits {
    taken: Arc<Mutex<TakenPlaces>>,
    max: usize,
}

/// A caller: the kind of caller, and the caller's id.
pub type WaitKey = (u16, i64);

/// The places of the callers who have any, the oldest first.
#[derive(Debug, Default)]
struct TakenPlaces {
    of_callers: HashMap<WaitKey, VecDeque<Place>>,
    count: usize,
}

/// A place: it is given up when this is notified.
type Place = Arc<Notify>;

/// One request that waits, until this is dropped.
#[derive(Debug)]
pub struct Waiting {
    waits: Waits,
    of: WaitKey,
    place: Place,
}

impl Waits {
    /// Nothing waits; at most `max` requests may.
    pub fn new(max: usize) -> Self {
        let taken = Arc::default();
        Self { taken, max }
    }

    /// A place for one more request of a caller. If all are taken, the caller with the most gives up its oldest one, if it
    /// then still has at least as many as this caller. `None` if nobody has so many.
    pub fn begin(&self, of: WaitKey) -> Option<Waiting> {
        let mut taken = self.taken.lock();
        if taken.count >= self.max {
            let own = taken.of_callers.get(&of).map_or(0, VecDeque::len);
            let of_callers = taken.of_callers.iter();
            let (most, places) = of_callers.max_by_key(|(_, places)| places.len())?;
            let (most, given_up) = (*most, places.front().filter(|_| places.len() >= own + 2)?.clone());
            taken.free(most, &given_up);
            given_up.notify_one();
        }
        let place = Place::default();
        taken.of_callers.entry(of).or_default().push_back(Arc::clone(&place));
        taken.count += 1;
        let waits = self.clone();
        Some(Waiting { waits, of, place })
    }

    /// How many requests wait.
    pub fn len(&self) -> usize {
        self.taken.lock().count
    }

    /// Whether no request waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl TakenPlaces {
    /// Frees a place, unless it was given up before.
    fn free(&mut self, of: WaitKey, place: &Place) {
        let Entry::Occupied(mut places) = self.of_callers.entry(of) else {
            return;
        };
        let before = places.get().len();
        places.get_mut().retain(|one| !Arc::ptr_eq(one, place));
        self.count -= before - places.get().len();
        if places.get().is_empty() {
            places.remove();
        }
    }
}

impl Waiting {
    /// The answer to a request that waits. Once its client has gone or its place is given up, that to the same request
    /// without waiting.
    pub async fn answer<R, A: Future>(
        &self,
        departed: EndOfWait,
        (waiting, at_once): (R, R),
        answer: impl Fn(R) -> A,
    ) -> A::Output {
        tokio::select! {
            biased;
            answered = answer(waiting) => return answered,
            () = departed => {}
            () = self.place.notified() => {}
        }
        answer(at_once).await
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.waits.taken.lock().free(self.of, &self.place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded<T>(text: &str, decode: impl Fn(Value, &mut ValidationErrors) -> Option<T>) -> Result<T, String> {
        let mut errors = ValidationErrors::new();
        let decoded = decode(Value::Raw(text.to_owned()), &mut errors);
        decoded.ok_or_else(|| errors.text())
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
                Err(format!("the body {}", unknown_cursor().text)),
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

    const ANN: WaitKey = (0, 1);
    const BOB: WaitKey = (0, 2);
    const OTHER_KIND: WaitKey = (1, 1);

    #[test]
    fn so_many_requests_wait_and_no_more() {
        let waits = Waits::new(2);
        let first = waits.begin(ANN).expect("a place");
        let second = waits.begin(BOB).expect("a place");
        assert!(waits.begin(ANN).is_none() && waits.begin(OTHER_KIND).is_none());
        drop(first);
        let third = waits.begin(OTHER_KIND).expect("a place");
        assert_eq!(waits.len(), 2);
        drop((second, third));
        assert!(waits.is_empty());
    }

    /// Whether a request has given up its place.
    async fn has_given_up(waiting: &Waiting) -> bool {
        let departed: EndOfWait = Box::pin(std::future::pending());
        let answer = |is_waiting| async move {
            if is_waiting {
                tokio::task::yield_now().await;
            }
            !is_waiting
        };
        waiting.answer(departed, (true, false), answer).await
    }

    #[tokio::test]
    async fn who_has_most_places_gives_up_the_oldest() {
        let waits = Waits::new(4);
        let of_ann: Vec<_> = (0..4).map(|_| waits.begin(ANN).expect("a place")).collect();
        let _of_bob = [waits.begin(BOB).expect("a place"), waits.begin(BOB).expect("a place")];
        assert!(waits.begin(BOB).is_none(), "both have two");
        let _other = waits.begin(OTHER_KIND).expect("a place of one of them");
        assert!(waits.begin(OTHER_KIND).is_none(), "nobody has two more");
        assert_eq!(waits.len(), 4);
        assert!(has_given_up(&of_ann[0]).await && has_given_up(&of_ann[1]).await);
        assert!(!has_given_up(&of_ann[3]).await);
        drop(of_ann);
        assert!(waits.len() <= 3, "what was given up is not freed again");
    }

    #[tokio::test]
    async fn a_request_whose_client_has_gone_is_answered_without_waiting() {
        let waits = Waits::new(1);
        let waiting = waits.begin(ANN).expect("a place");
        let answer = |seconds| async move {
            match seconds {
                0 => "at once",
                _ => std::future::pending().await,
            }
        };
        let departed = Box::pin(std::future::ready(()));
        assert_eq!(waiting.answer(departed, (30, 0), answer).await, "at once");
    }
}
