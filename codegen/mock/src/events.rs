//! Events: caused by operations, kept for each recipient, and shown by feeds.

use crate::calendar;
use crate::decode::UNKNOWN_CURSOR;
use crate::envelope::{Rejection, invalid};
use crate::exchange::Exchange;
use crate::mock::{Mock, State};
use crate::outcome::{Answered, Outcome};
use crate::random::{mixed, secret};
use crate::store::Record;
use crate::validation_errors::Faults;
use crate::value::Value;
use codegen::model::{EventKind, Feed, FieldPath, Recipient, RecordId, Target};
use std::collections::HashSet;

/// The member of an event that no other event has.
const EVENT_ID: &str = "eventId";

/// A record that an event is about, as it was before its cause.
pub(crate) struct Subject {
    kind: &'static EventKind,
    target: &'static Target,
    former: Option<Record>,
}

/// A part of a feed.
pub(crate) struct FeedPage {
    rows: Vec<Value>,
    cursor: i64,
    has_more: bool,
    truncated: bool,
}

/// How many seconds a request waits for an event.
#[derive(Clone, Copy)]
pub(crate) struct Waits(pub(crate) u64);

impl FeedPage {
    /// Whether a request that may wait for an event does.
    fn is_empty(&self) -> bool {
        self.rows.is_empty() && !self.truncated
    }
}

/// The table of the events of a recipient.
fn table(caller: &str, id: RecordId) -> String {
    format!("#events {caller} {id}")
}

impl Mock {
    /// The records that the events of an operation are about, before it runs.
    pub(crate) fn subjects(&self, state: &State, exchange: &Exchange) -> Vec<Subject> {
        let caused = self.model.events_of(exchange.surface, exchange.operation);
        let subject = |(kind, target): (&'static EventKind, &'static Target)| {
            let found = exchange.id_of(target).filter(|_| !matches!(target, Target::Made(_)));
            let former = found.and_then(|(resource, id)| state.store.get(resource, id).cloned());
            Subject { kind, target, former }
        };
        caused.map(subject).collect()
    }

    /// Stores the events that an operation has caused. One that has changed nothing causes none.
    pub(crate) fn emit(
        &self,
        state: &mut State,
        exchange: &Exchange,
        outcome: &Outcome,
        subjects: Vec<Subject>,
        now: u64,
    ) {
        for Subject { kind, target, former } in subjects {
            let Some((resource, id)) = outcome.id_of(exchange, target) else {
                continue;
            };
            if state.store.get(resource, id) == former.as_ref() {
                continue;
            }
            let data = kind.data.iter().map(|member| {
                let value = self.followed(state, resource, id, &member.path);
                (member.field.name.clone(), value)
            });
            let data = Value::Object(data.collect());
            let to: Vec<&Recipient> = kind.recipients_of(self.model, exchange.surface).collect();
            let mut told = HashSet::new();
            for recipient in to {
                for of in self.recipients(state, resource, id, recipient) {
                    if !told.insert((&recipient.caller, of)) {
                        continue;
                    }
                    self.append(state, &table(&recipient.caller, of), &kind.name, data.clone(), now);
                }
            }
        }
    }

    fn recipients(&self, state: &State, resource: &str, id: RecordId, to: &Recipient) -> Vec<RecordId> {
        let max = self.model.events.as_ref().map_or(1, |events| events.recipients);
        let of = |resource: &str, id| self.followed(state, resource, id, &to.path).as_id();
        match &to.each {
            None => of(resource, id).into_iter().collect(),
            Some((each, via)) => {
                let max = usize::try_from(max).unwrap_or(usize::MAX);
                let records = state.store.referring(each, via, id).take(max);
                records.filter_map(|record| of(each, record)).collect()
            }
        }
    }

    fn followed(&self, state: &State, resource: &str, id: RecordId, path: &FieldPath) -> Value {
        let (mut resource, mut id) = (resource.to_owned(), id);
        for (field, next) in &path.ids {
            match self.field(state, &resource, id, field).as_id() {
                Some(found) => (resource, id) = (next.clone(), found),
                None => return Value::Null,
            }
        }
        self.field(state, &resource, id, &path.field)
    }

    fn append(&self, state: &mut State, table: &str, name: &str, data: Value, now: u64) {
        let number = state.store.next_number(table);
        let members = [
            (EVENT_ID, Value::Text(self.event_id(table, number))),
            ("timestamp", Value::Text(calendar::timestamp(now))),
            ("name", Value::text(name)),
            ("data", data),
        ];
        let event = members.map(|(name, value)| (name.to_owned(), value));
        state.store.set(table, RecordId::Number(number), Some(event.into()));
        let max = self.model.events.as_ref().map_or(u64::MAX, |events| events.max);
        let oldest = number.saturating_sub(i64::try_from(max).unwrap_or(i64::MAX));
        if oldest > 0 {
            state.store.set(table, RecordId::Number(oldest), None);
        }
    }

    /// The id of an event, which no other has.
    fn event_id(&self, table: &str, number: i64) -> String {
        let place = table
            .bytes()
            .fold(number.unsigned_abs(), |place, byte| mixed(place, byte.into()));
        let seed = mixed(self.seed, place);
        let mut count = 0;
        secret("evt_", 22, || {
            count += 1;
            mixed(seed, count)
        })
    }

    /// Rejects a request to a feed after a place that the feed does not have.
    pub(crate) fn check_cursor(&self, state: &State, exchange: &Exchange) -> Result<(), Rejection> {
        let Some((feed, table)) = self.feed_of(exchange) else {
            return Ok(());
        };
        let after = exchange.input.query(&feed.after).and_then(cursor);
        if after > Some(last(state, &table)) {
            let faults = format!("`{}` {UNKNOWN_CURSOR}", feed.after);
            let faults = Faults::one(faults, &format!("{};cursor", feed.after));
            return Err(invalid(self.model, faults));
        }
        Ok(())
    }

    fn feed_of(&self, exchange: &Exchange) -> Option<(&'static Feed, String)> {
        let feed = exchange.operation.feed.as_ref()?;
        let (caller, id) = exchange.caller.as_ref()?.record.as_ref()?;
        Some((feed, table(caller, *id)))
    }

    /// How long a request waits for an event; `None` if it does not.
    pub(crate) fn waits(&self, state: &State, exchange: &Exchange, now: u64) -> Option<Waits> {
        let (feed, table) = self.feed_of(exchange)?;
        let is_now = exchange.input.query(&feed.after).and_then(Value::as_text) == Some("now");
        let seconds = exchange.input.query(feed.wait.as_ref()?)?.as_integer()?;
        let waits = Waits(u64::try_from(seconds).ok().filter(|seconds| *seconds > 0 && !is_now)?);
        let page = self.page(state, exchange, (feed, &table), now);
        page.is_empty().then_some(waits)
    }

    /// The answer of a feed.
    pub(crate) fn feed(&self, state: &State, exchange: &Exchange, now: u64) -> Option<Answered> {
        let (feed, table) = self.feed_of(exchange)?;
        let page = self.page(state, exchange, (feed, &table), now);
        let siblings = [
            ("cursor", Value::Text(page.cursor.to_string())),
            ("has_more", Value::Bool(page.has_more)),
            ("truncated", Value::Bool(page.truncated)),
        ];
        Some(Answered {
            data: Some(Value::List(page.rows)),
            siblings: siblings.map(|(name, value)| (name.to_owned(), value)).into(),
            total: 0,
            headers: Vec::new(),
        })
    }

    fn page(&self, state: &State, exchange: &Exchange, (feed, table): (&Feed, &str), now: u64) -> FeedPage {
        let input = |name: &str| exchange.input.query(name);
        let last = last(state, table);
        let mut page = FeedPage {
            rows: Vec::new(),
            cursor: last,
            has_more: false,
            truncated: false,
        };
        let after = input(&feed.after);
        if after.and_then(Value::as_text) == Some("now") {
            return page;
        }
        let begin = after.and_then(cursor).unwrap_or(0);
        let size = input(&feed.size).and_then(Value::as_integer).unwrap_or(0);
        let types = feed.types.as_ref().and_then(|types| input(types)).map(Value::items);
        let keep = self.model.events.as_ref().map_or(0, |events| events.keep_seconds);
        let is_over = |event: &Record| {
            let at = event.get("timestamp").and_then(Value::as_text).and_then(calendar::unix);
            at.is_some_and(|at| at + keep < now)
        };
        let kept: Vec<(i64, &Record)> = state
            .store
            .ids(table)
            .into_iter()
            .filter_map(|id| Some((id.number()?, state.store.get(table, id)?)))
            .skip_while(|(_, event)| is_over(event))
            .collect();
        let first = kept.first().map_or(last + 1, |(number, _)| *number);
        page.truncated = after.is_some() && begin + 1 < first;
        for (number, event) in kept.into_iter().filter(|(number, _)| *number > begin) {
            let name = event.get("name").cloned().unwrap_or(Value::Null);
            if types.is_some_and(|types| !types.contains(&name)) {
                continue;
            }
            if i64::try_from(page.rows.len()) == Ok(size) {
                page.has_more = true;
                break;
            }
            page.cursor = number;
            page.rows.push(row(number, event));
        }
        if !page.has_more {
            page.cursor = last;
        }
        page
    }
}

fn row(number: i64, event: &Record) -> Value {
    let member = |name: &str| (name.to_owned(), event.get(name).cloned().unwrap_or(Value::Null));
    Value::Object(vec![
        member(EVENT_ID),
        member("name"),
        member("timestamp"),
        member("data"),
        ("cursor".to_owned(), Value::Text(number.to_string())),
    ])
}

fn cursor(value: &Value) -> Option<i64> {
    value.as_text()?.parse().ok()
}

fn last(state: &State, table: &str) -> i64 {
    state.store.last(table)
}
