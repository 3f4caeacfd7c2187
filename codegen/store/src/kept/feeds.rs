//! The feeds of events: appending in the transaction of the cause, and reading.

use std::borrow::Cow;

use codegen_support::feed::{After, FeedPage, Occurrence, OccurrenceRow, Recipient, mint_event_id};
use codegen_support::{Encoded, Key, KeyBytes, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::engine::{Bytes, Entry};
use crate::error::{StoreError, StoreResult};
use crate::kind::{Column, Entered, Kind, read as read_line, remove_entry, written};
use crate::record::decode;
use crate::service::{Retention, Service};
use crate::sled::number;
use crate::transaction::{TransactionError, Tx, last_id_name};
use crate::trees::Trees;

/// The maximum number of events that one new event removes from its feed. More than one, so that a feed that is too
/// long becomes shorter.
const MAX_REMOVED: usize = 2;

/// A part of a feed.
#[derive(Clone, Debug)]
pub struct FeedRequest {
    /// The place after which it begins. `None`: before the oldest event that is kept.
    pub after: Option<After>,
    /// The names of the kinds to list. Others are left out.
    pub names: Vec<&'static str>,
    /// The maximum number of events.
    pub limit: usize,
    /// The present time. Older events than the contract keeps are left out.
    pub now: Timestamp,
}

/// The feed has no such place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCursor;

/// An event that is to be stored.
pub struct NewEvent<R> {
    /// Whose feed it is in.
    pub of: R,
    /// The name of its kind.
    pub name: &'static str,
    /// What it says.
    pub data: Box<RawValue>,
}

impl<R> NewEvent<R> {
    /// An event that says `data`, which has text keys and finite numbers.
    pub fn new(of: R, name: &'static str, data: &impl Serialize) -> Self {
        let data = serde_json::value::to_raw_value(data).expect("events have text keys and finite numbers");
        Self { of, name, data }
    }
}

/// A feed, with the numbers of its first and its last event, as a backup holds it.
#[derive(Serialize, Deserialize)]
struct FeedLine<R> {
    of: R,
    first: i64,
    last: i64,
}

/// The kind of feeds.
///
/// All numbers of events of a backup are raised by a gap, as new ids are; feeds that begin later begin after it. So a cursor from
/// after the backup is an old one: its page has `truncated`.
#[must_use]
pub const fn kind<S: Service>() -> Kind<S> {
    Kind {
        tree: S::TREES.feeds,
        noun: "feed",
        text: None,
        key: const { &[S::Recipient::COLUMNS] },
        comes_last: false,
        is_numbered: false,
        line: |key, value| {
            let (of, Span { first, last }) = (S::Recipient::read(key)?, Span::decode(value)?);
            written(&FeedLine { of, first, last })
        },
        enter: |tx, _, json, from| {
            let FeedLine::<S::Recipient> { of, first, last } = read_line(json)?;
            let [first, last] = [first, last].map(|number| number.saturating_add(from.gap()));
            write_span(tx, of, Span { first, last });
            if matches!(from, Entered::Log) {
                tx.change_view(S::woken(of));
            }
            Ok(())
        },
        remove: None,
    }
}

/// An event in a feed, as a backup holds it.
#[derive(Serialize, Deserialize)]
struct EventLine<R> {
    of: R,
    number: i64,
    /// As it is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    timestamp: Timestamp,
    name: String,
    data: Box<RawValue>,
}

/// The kind of events, which keep their ids.
#[must_use]
pub const fn events_kind<S: Service>() -> Kind<S> {
    Kind {
        tree: S::TREES.events,
        noun: "event",
        text: None,
        key: const { &[S::Recipient::COLUMNS, &[Column::Number("number")]] },
        comes_last: false,
        is_numbered: true,
        line: |key, value| {
            let (of, number) = event_key::<S>(key)?;
            let event: StoredEvent = decode(value).ok()?;
            written(&EventLine {
                of,
                number,
                id: event.id,
                timestamp: event.timestamp,
                name: event.name,
                data: event.data,
            })
        },
        enter: |tx, _, json, from| {
            let (line, gap): (EventLine<S::Recipient>, _) = (read_line(json)?, from.gap());
            let event = StoredEvent {
                // Without a gap it is stored as it was.
                id: line.id.or_else(|| (gap != 0).then(|| former_id(line.number))),
                // One of a backup is shown at once.
                commit: match from {
                    Entered::Backup(_) => 0,
                    Entered::Log => tx.commit(),
                },
                timestamp: line.timestamp,
                name: line.name,
                data: line.data,
            };
            write_event(tx, line.of, line.number.saturating_add(gap), &event);
            Ok(())
        },
        remove: Some(remove_entry),
    }
}

/// The key of the event with this number in the feed of a recipient.
pub(crate) fn key_of<S: Service>(of: S::Recipient, number: i64) -> KeyBytes {
    (of, number).bytes()
}

/// The recipient and the number in such a key. `None` if it is malformed.
pub(crate) fn event_key<S: Service>(key: &[u8]) -> Option<(S::Recipient, i64)> {
    Key::read(key)
}

/// An event as it is stored.
#[derive(Serialize, Deserialize)]
pub struct StoredEvent {
    /// Its id. `None` if it was stored before ids were unique over all feeds: it is the former one then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The number of the commit that stored it: until that is on disk, the event is not shown. Otherwise a power cut
    /// could give its number to another event, which a reader of the first one would never see.
    pub commit: u64,
    /// When it happened.
    pub timestamp: Timestamp,
    /// The name of its kind.
    pub name: String,
    /// What it says.
    pub data: Box<RawValue>,
}

/// The id of an event that is stored without one, of the number that it had then: unique in its feed only.
fn former_id(number: i64) -> String {
    format!("evt_{number}")
}

/// The numbers of the events in a feed. Those that were removed come before the first one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The first event that is stored.
    pub first: i64,
    /// The last event.
    pub last: i64,
}

impl Span {
    /// Without an event. A restore leaves out numbers: those up to `last`.
    fn after(last: i64) -> Self {
        let first = last + 1;
        Self { first, last }
    }

    /// The bytes of the entry.
    fn encode(self) -> Bytes {
        let mut value = [0; 16];
        value[..8].copy_from_slice(&self.first.to_be_bytes());
        value[8..].copy_from_slice(&self.last.to_be_bytes());
        Bytes::from(&value)
    }

    /// Reads the entry. `None` if it is malformed.
    pub fn decode(value: &[u8]) -> Option<Self> {
        let (first, last) = value.split_at_checked(8)?;
        let span = Self {
            first: number(first)?,
            last: number(last)?,
        };
        (span.first >= 1 && span.first <= span.last).then_some(span)
    }
}

/// Stores events with their cause: appends them to the feeds of their recipients.
///
/// # Errors
/// If the feeds cannot be read.
pub fn emit<S: Service>(
    tx: &mut Tx<'_, S>,
    caused: impl IntoIterator<Item = NewEvent<S::Recipient>>,
    now: Timestamp,
) -> Result<(), TransactionError> {
    append(tx, caused, now, S::RETENTION)
}

/// The same with another retention.
///
/// # Errors
/// If the feeds cannot be read.
pub fn append<S: Service>(
    tx: &mut Tx<'_, S>,
    caused: impl IntoIterator<Item = NewEvent<S::Recipient>>,
    now: Timestamp,
    retention: Retention,
) -> Result<(), TransactionError> {
    caused
        .into_iter()
        .try_for_each(|event| append_one(tx, event, now, retention))
}

fn append_one<S: Service>(
    tx: &mut Tx<'_, S>,
    NewEvent { of, name, data }: NewEvent<S::Recipient>,
    now: Timestamp,
    retention: Retention,
) -> Result<(), TransactionError> {
    let mut span = match tx.read(S::TREES.feeds, &of.bytes())? {
        None => Span::after(tx.last_id(S::TREES.events)?),
        Some(value) => Span::decode(&value).ok_or_else(|| broken("a feed has no span"))?,
    };
    span.last += 1;
    let stored = StoredEvent {
        id: Some(mint_event_id()),
        commit: tx.commit(),
        timestamp: now,
        name: name.to_owned(),
        data,
    };
    write_event(tx, of, span.last, &stored);
    for _ in 0..MAX_REMOVED {
        if span.first == span.last {
            break;
        }
        let oldest = key_of::<S>(of, span.first);
        let is_too_many = span.last - span.first >= retention.max;
        if !is_too_many && !is_over(tx, &oldest, now, retention)? {
            break;
        }
        tx.write(S::TREES.events, &oldest, None);
        span.first += 1;
    }
    write_span(tx, of, span);
    tx.change_view(S::woken(of));
    Ok(())
}

/// Writes the entry of a feed.
pub fn write_span<S: Service>(tx: &mut Tx<'_, S>, of: S::Recipient, span: Span) {
    tx.write(S::TREES.feeds, &of.bytes(), Some(span.encode()));
}

/// Writes an event of a feed.
pub fn write_event<S: Service>(tx: &mut Tx<'_, S>, of: S::Recipient, number: i64, event: &StoredEvent) {
    let value = serde_json::to_vec(event).expect("events have text keys and finite numbers");
    tx.write(S::TREES.events, &key_of::<S>(of, number), Some(value.into()));
}

/// The number of the latest event in the feed of a recipient.
///
/// # Errors
/// If the feed cannot be read.
pub fn newest<S: Service>(tx: &Tx<'_, S>, of: S::Recipient) -> Result<i64, TransactionError> {
    let span = tx.read(S::TREES.feeds, &of.bytes())?;
    let span = span.map(|value| Span::decode(&value).ok_or_else(|| broken("a feed has no span")));
    match span.transpose()? {
        Some(span) => Ok(span.last),
        None => tx.last_id(S::TREES.events),
    }
}

/// Removes the feed of a recipient with its events.
///
/// # Errors
/// If the feed cannot be read.
pub fn forget<S: Service>(tx: &mut Tx<'_, S>, of: S::Recipient) -> Result<(), TransactionError> {
    let key = of.bytes();
    let Some(value) = tx.read(S::TREES.feeds, &key)? else {
        return Ok(());
    };
    let span = Span::decode(&value).ok_or_else(|| broken("a feed has no span"))?;
    for number in span.first..=span.last {
        tx.write(S::TREES.events, &key_of::<S>(of, number), None);
    }
    tx.write(S::TREES.feeds, &key, None);
    // The numbers of a later feed go on, so that no cursor names another event.
    tx.advance(S::TREES.events, span.last)
}

fn is_over<S: Service>(
    tx: &Tx<'_, S>,
    key: &[u8],
    now: Timestamp,
    retention: Retention,
) -> Result<bool, TransactionError> {
    let value = tx
        .read(S::TREES.events, key)?
        .ok_or_else(|| broken("a feed lacks an event"))?;
    let event: StoredEvent = decode(&value).map_err(|misread| broken(&format!("an event: {misread}")))?;
    Ok(retention.is_over(event.timestamp, now))
}

fn broken(cause: &str) -> TransactionError {
    TransactionError::Broken(cause.to_owned())
}

/// A part of the feed of a recipient, without the events of commits after `durable`.
pub fn page<S: Service>(
    trees: &Trees<S>,
    durable: u64,
    of: S::Recipient,
    request: &FeedRequest,
    retention: Retention,
) -> StoreResult<Result<FeedPage, UnknownCursor>> {
    let last = last(trees, durable, of)?;
    let after = match request.after {
        Some(After::Event(after)) if after > last => return Ok(Err(UnknownCursor)),
        Some(After::Event(after)) => after,
        Some(After::Now) => last,
        None => 0,
    };
    let mut page = FeedPage {
        events: Vec::new(),
        cursor: last,
        has_more: false,
        truncated: false,
    };
    let mut expected = after + 1;
    if after < last {
        let range = key_of::<S>(of, expected)..=key_of::<S>(of, last);
        for entry in trees.range(S::TREES.events, range, request.limit + 1) {
            let (number, event) = read::<S>(entry?)?;
            if retention.is_over(event.timestamp, request.now) && page.events.is_empty() {
                continue;
            }
            page.truncated |= number > expected;
            expected = number + 1;
            if !is_listed(&event, request) {
                continue;
            }
            if page.events.len() == request.limit {
                page.has_more = true;
                break;
            }
            page.cursor = number;
            page.events.push(row(number, &event));
        }
        page.truncated |= expected <= last && !page.has_more;
    }
    if !page.has_more {
        page.cursor = last;
    }
    page.truncated &= request.after.is_some();
    Ok(Ok(page))
}

/// The number of the last event that is on disk.
fn last<S: Service>(trees: &Trees<S>, durable: u64, of: S::Recipient) -> StoreResult<i64> {
    let Some(span) = trees.value(S::TREES.feeds, &of.bytes())? else {
        return trees.meta(&last_id_name(S::TREES.events));
    };
    let span = Span::decode(&span).ok_or_else(|| StoreError::damaged("a feed has no span"))?;
    for number in (span.first..=span.last).rev() {
        // A missing one belongs to a commit that is being written.
        if let Some(value) = trees.value(S::TREES.events, &key_of::<S>(of, number))? {
            let event: StoredEvent = decode(&value).map_err(StoreError::damaged)?;
            if event.commit <= durable {
                return Ok(number);
            }
        }
    }
    // All events of the feed are of commits that are not on disk.
    Ok(span.first - 1)
}

fn read<S: Service>((key, value): Entry) -> StoreResult<(i64, StoredEvent)> {
    let (_, number) = event_key::<S>(&key).ok_or_else(|| StoreError::damaged("an event without a number"))?;
    Ok((number, decode(&value).map_err(StoreError::damaged)?))
}

/// Whether the request asks for events of this kind.
fn is_listed(event: &StoredEvent, request: &FeedRequest) -> bool {
    request.names.contains(&event.name.as_str())
}

fn row(number: i64, event: &StoredEvent) -> Encoded<Occurrence> {
    let id = match &event.id {
        Some(id) => Cow::Borrowed(id.as_str()),
        None => Cow::Owned(former_id(number)),
    };
    Encoded::encode(&OccurrenceRow {
        id: &id,
        number,
        name: &event.name,
        timestamp: event.timestamp,
        data: &event.data,
    })
}
