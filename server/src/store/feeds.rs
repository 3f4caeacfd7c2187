//! The feeds of events: appending in the transaction of the cause, and reading.

use std::borrow::Cow;

use codegen_store::{Bytes, Entry};
use contract::events::{Event, Name, Recipient};
use contract::support::Encoded;
use contract::support::feed::{After, FeedPage, Occurrence, OccurrenceRow, mint_event_id};
use contract::{AccountId, HumanId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::error::{StoreError, StoreResult};
use super::events::{FeedRequest, Retention, UnknownCursor};
use super::keys::{self, Id as _};
use super::kind::{Column, Entered, Kind, read as read_line, remove_entry, written};
use super::record::decode;
use super::tables;
use super::transaction::{TransactionError, Tx, last_id_name};
use super::trees::Trees;

/// The maximum number of events that one new event removes from its feed. More than one, so that a feed that is too
/// long becomes shorter.
const MAX_REMOVED: usize = 2;

/// Whose feed it is, such as `{"account":1}`.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Owner {
    Account(i64),
    Human(i64),
}

impl From<Recipient> for Owner {
    fn from(of: Recipient) -> Self {
        match of {
            Recipient::Account(id) => Self::Account(id.get()),
            Recipient::Human(id) => Self::Human(id.get()),
        }
    }
}

impl From<Owner> for Recipient {
    fn from(of: Owner) -> Self {
        match of {
            Owner::Account(id) => Self::Account(AccountId::from_number(id)),
            Owner::Human(id) => Self::Human(HumanId::from_number(id)),
        }
    }
}

/// A feed, with the numbers of its first and its last event, as a backup holds it.
#[derive(Serialize, Deserialize)]
struct FeedLine {
    of: Owner,
    first: i64,
    last: i64,
}

/// The kind of feeds.
///
/// All numbers of events of a backup are raised by a gap, as new ids are; feeds that begin later begin after it. So a cursor from
/// after the backup is an old one: its page has `truncated`.
pub(crate) const FEEDS: Kind = Kind {
    tree: tables::FEEDS,
    noun: "feed",
    key: &[Column::Small("recipient_kind"), Column::Number("recipient_id")],
    comes_last: false,
    is_numbered: false,
    line: |key, value| {
        let (of, Span { first, last }) = (keys::recipient_of(key)?.into(), Span::decode(value)?);
        written(&FeedLine { of, first, last })
    },
    enter: |tx, json, from| {
        let FeedLine { of, first, last } = read_line(json)?;
        let [first, last] = [first, last].map(|number| number.saturating_add(from.gap()));
        write_span(tx, of.into(), Span { first, last });
        if matches!(from, Entered::Log) {
            tx.woken(of.into());
        }
        Ok(())
    },
    remove: None,
};

/// An event in a feed, as a backup holds it.
#[derive(Serialize, Deserialize)]
struct EventLine {
    of: Owner,
    number: i64,
    /// As it is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    timestamp: Timestamp,
    name: String,
    data: Box<RawValue>,
}

/// The kind of events, which keep their ids.
pub(crate) const EVENTS: Kind = Kind {
    tree: tables::EVENTS,
    noun: "event",
    key: &[
        Column::Small("recipient_kind"),
        Column::Number("recipient_id"),
        Column::Number("number"),
    ],
    comes_last: false,
    is_numbered: true,
    line: |key, value| {
        let (of, number) = key.split_at_checked(9)?;
        let event: StoredEvent = decode(value).ok()?;
        written(&EventLine {
            of: keys::recipient_of(of)?.into(),
            number: keys::number(number)?,
            id: event.id,
            timestamp: event.timestamp,
            name: event.name,
            data: event.data,
        })
    },
    enter: |tx, json, from| {
        let (line, gap): (EventLine, _) = (read_line(json)?, from.gap());
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
        write_event(tx, line.of.into(), line.number.saturating_add(gap), &event);
        Ok(())
    },
    remove: Some(remove_entry),
};

/// An event as it is stored.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredEvent {
    /// Its id. `None` if it was stored before ids were unique over all feeds: it is the former one then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    /// The number of the commit that stored it: until that is on disk, the event is not shown. Otherwise a power cut
    /// could give its number to another event, which a reader of the first one would never see.
    pub(crate) commit: u64,
    /// When it happened.
    pub(crate) timestamp: Timestamp,
    /// The name of its kind.
    pub(crate) name: String,
    /// What it says.
    pub(crate) data: Box<RawValue>,
}

/// The id of an event that is stored without one, of the number that it had then: unique in its feed only.
fn former_id(number: i64) -> String {
    format!("evt_{number}")
}

/// The numbers of the events in a feed. Those that were removed come before the first one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    /// The first event that is stored.
    pub(crate) first: i64,
    /// The last event.
    pub(crate) last: i64,
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
    pub(crate) fn decode(value: &[u8]) -> Option<Self> {
        let (first, last) = value.split_at_checked(8)?;
        let span = Self {
            first: keys::number(first)?,
            last: keys::number(last)?,
        };
        (span.first >= 1 && span.first <= span.last).then_some(span)
    }
}

/// Stores events with their cause: appends them to the feeds of their recipients.
pub(crate) fn emit(tx: &mut Tx<'_>, caused: Vec<(Recipient, Event)>, now: Timestamp) -> Result<(), TransactionError> {
    append(tx, caused, now, Retention::DECLARED)
}

/// The same with another retention.
pub(crate) fn append(
    tx: &mut Tx<'_>,
    caused: Vec<(Recipient, Event)>,
    now: Timestamp,
    retention: Retention,
) -> Result<(), TransactionError> {
    caused
        .into_iter()
        .try_for_each(|(of, event)| append_one(tx, of, &event, now, retention))
}

fn append_one(
    tx: &mut Tx<'_>,
    of: Recipient,
    event: &Event,
    now: Timestamp,
    retention: Retention,
) -> Result<(), TransactionError> {
    let key = keys::feed(of);
    let mut span = match tx.read(tables::FEEDS, &key)? {
        None => Span::after(tx.last_id(tables::EVENTS)?),
        Some(value) => Span::decode(&value).ok_or_else(|| broken("a feed has no span"))?,
    };
    span.last += 1;
    let stored = StoredEvent {
        id: Some(mint_event_id()),
        commit: tx.commit(),
        timestamp: now,
        name: event.name().as_str().to_owned(),
        data: serde_json::value::to_raw_value(event).expect("events have text keys and finite numbers"),
    };
    write_event(tx, of, span.last, &stored);
    for _ in 0..MAX_REMOVED {
        if span.first == span.last {
            break;
        }
        let oldest = keys::event(of, span.first);
        let is_too_many = span.last - span.first >= retention.max;
        if !is_too_many && !is_over(tx, &oldest, now, retention)? {
            break;
        }
        tx.write(tables::EVENTS, &oldest, None);
        span.first += 1;
    }
    write_span(tx, of, span);
    tx.woken(of);
    Ok(())
}

/// Writes the entry of a feed.
pub(crate) fn write_span(tx: &mut Tx<'_>, of: Recipient, span: Span) {
    tx.write(tables::FEEDS, &keys::feed(of), Some(span.encode()));
}

/// Writes an event of a feed.
pub(crate) fn write_event(tx: &mut Tx<'_>, of: Recipient, number: i64, event: &StoredEvent) {
    let value = serde_json::to_vec(event).expect("events have text keys and finite numbers");
    tx.write(tables::EVENTS, &keys::event(of, number), Some(value.into()));
}

/// The number of the latest event in the feed of a recipient.
pub(crate) fn newest(tx: &Tx<'_>, of: Recipient) -> Result<i64, TransactionError> {
    let span = tx.read(tables::FEEDS, &keys::feed(of))?;
    let span = span.map(|value| Span::decode(&value).ok_or_else(|| broken("a feed has no span")));
    match span.transpose()? {
        Some(span) => Ok(span.last),
        None => tx.last_id(tables::EVENTS),
    }
}

fn is_over(tx: &Tx<'_>, key: &[u8], now: Timestamp, retention: Retention) -> Result<bool, TransactionError> {
    let value = tx
        .read(tables::EVENTS, key)?
        .ok_or_else(|| broken("a feed lacks an event"))?;
    let event: StoredEvent = decode(&value).map_err(|misread| broken(&format!("an event: {misread}")))?;
    Ok(retention.is_over(event.timestamp, now))
}

fn broken(cause: &str) -> TransactionError {
    TransactionError::Broken(cause.to_owned())
}

/// A part of the feed of a recipient, without the events of commits after `durable`.
pub(crate) fn page(
    trees: &Trees,
    durable: u64,
    of: Recipient,
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
        let range = keys::event(of, expected)..=keys::event(of, last);
        for entry in trees.range(tables::EVENTS, range, request.limit + 1) {
            let (number, event) = read(entry?)?;
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
fn last(trees: &Trees, durable: u64, of: Recipient) -> StoreResult<i64> {
    let Some(span) = trees.value(tables::FEEDS, &keys::feed(of))? else {
        return trees.meta(&last_id_name(tables::EVENTS));
    };
    let span = Span::decode(&span).ok_or_else(|| StoreError::damaged("a feed has no span"))?;
    for number in (span.first..=span.last).rev() {
        // A missing one belongs to a commit that is being written.
        if let Some(value) = trees.value(tables::EVENTS, &keys::event(of, number))? {
            let event: StoredEvent = decode(&value).map_err(StoreError::damaged)?;
            if event.commit <= durable {
                return Ok(number);
            }
        }
    }
    // All events of the feed are of commits that are not on disk.
    Ok(span.first - 1)
}

fn read((key, value): Entry) -> StoreResult<(i64, StoredEvent)> {
    let number = key.get(9..).and_then(keys::number);
    let number = number.ok_or_else(|| StoreError::damaged("an event without a number"))?;
    Ok((number, decode(&value).map_err(StoreError::damaged)?))
}

/// Whether the request asks for events of this kind. Kinds that the contract no longer has are left out.
fn is_listed(event: &StoredEvent, request: &FeedRequest) -> bool {
    let asked = |name| request.names.as_ref().is_none_or(|names| names.contains(&name));
    Name::parse(&event.name).is_some_and(asked)
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
