//! A feed as one caller reads it.

use super::causes::{Cause, Caused, Done};
use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::stage::Stage;
use codegen::model;
use serde_json::Value as Json;

/// A feed, as one caller reads it.
pub(super) struct Feed {
    pub(super) declared: &'static model::Feed,
    pub(super) attempt: Attempt,
    pub(super) stage: Stage,
}

impl Attempt {
    /// A feed of the contract that this caller reads.
    fn feed(&self, stage: Stage) -> Option<Feed> {
        let declared = self.operation.declared.feed.as_ref()?;
        let attempt = self.clone();
        Some(Feed {
            declared,
            attempt,
            stage,
        })
    }

    /// The feed of the one who gets the event.
    pub(super) fn feed_of(&self, cause: &Cause) -> Option<Feed> {
        self.feed(self.stage_for(cause.recipient)?)
    }

    /// The feed of another caller, and that of the one who causes the event.
    pub(super) fn feeds_of_others(&self, cause: &Cause, caused: &Caused) -> Vec<Feed> {
        let another = self.stage(false);
        let mut operations = self.operation.contract.operations().iter();
        let of_kind = |one: &&&'static Operation| {
            one.declared.feed.is_some() && one.surface.credential == caused.by.surface.credential
        };
        let senders = operations.find(of_kind).map(|feed| self.anew(feed));
        let senders = senders.and_then(|feed| feed.feed(cause.caller().clone()));
        self.feed((*another).clone()).into_iter().chain(senders).collect()
    }
}

impl Feed {
    #[track_caller]
    fn read(&self, query: &[(&str, &str)]) -> Answer {
        let attempt = self.attempt.clone();
        let attempt = query
            .iter()
            .fold(attempt, |attempt, (name, value)| attempt.parameter(name, value));
        attempt.accepted_on(&self.stage.caller, &self.stage.arranged)
    }

    /// The cursor after all events so far.
    #[track_caller]
    pub(super) fn end(&self) -> String {
        let page = self.read(&[(&self.declared.after, "now")]);
        if !rows(&page).is_empty() {
            page.fail("no event after `now`", "it shows one");
        }
        text(&page, &page.json()["cursor"])
    }

    /// The events after a cursor.
    #[track_caller]
    pub(super) fn page(&self, after: &str, size: Option<usize>) -> (Answer, Vec<Json>) {
        let size = size.map(|size| size.to_string());
        let size = size.as_ref().map(|size| (self.declared.size.as_str(), size.as_str()));
        let query: Vec<_> = [(self.declared.after.as_str(), after)]
            .into_iter()
            .chain(size)
            .collect();
        let page = self.read(&query);
        let rows = rows(&page);
        (page, rows)
    }

    /// The only event after a cursor, which must be that of this cause.
    #[track_caller]
    pub(super) fn only_event(&self, after: &str, done: &Done) -> (Answer, Json) {
        let (page, mut events) = self.page(after, None);
        if events.len() != 1 {
            let why = format!("there are {} after {}", events.len(), done.answer.request.curl());
            page.fail("one event", &why);
        }
        done.expect_event(&page, &events[0]);
        expect_flags(&page, false);
        (page, events.remove(0))
    }

    /// Without a cursor, all that are kept are there.
    #[track_caller]
    pub(super) fn expect_kept(&self, event: &Json) {
        let page = self.read(&[]);
        if rows(&page).last() != Some(event) {
            page.fail(&format!("all events that are kept, with {event} last"), "it is not");
        }
    }

    /// The page has no events.
    #[track_caller]
    pub(super) fn expect_nothing(&self, query: &[(&str, &str)], whence: &str, done: &Done) {
        let page = self.read(query);
        if !rows(&page).is_empty() {
            let why = format!("there is one after {}", done.answer.request.curl());
            page.fail(&format!("no event {whence}"), &why);
        }
    }

    /// The event is there if its kind is asked for, alone or beside others, and not if only others are.
    #[track_caller]
    pub(super) fn expect_types(&self, begin: &str, event: &Json, done: &Done) {
        let Some(types) = &self.declared.types else { return };
        let own = text(&done.answer, &event["name"]);
        let Operation { contract, surface, .. } = self.attempt.operation;
        let kinds = contract.model.events_for(surface);
        let others: Vec<&str> = kinds
            .map(|kind| kind.name.as_str())
            .filter(|name| *name != own)
            .collect();
        let after = (self.declared.after.as_str(), begin);
        for names in [own.clone(), [&[own.as_str()], others.as_slice()].concat().join(",")] {
            let page = self.read(&[after, (types, &names)]);
            if rows(&page) != [event.clone()] {
                page.fail(&format!("the event of the kind `{own}`"), "it is not there alone");
            }
        }
        if !others.is_empty() {
            self.expect_nothing(
                &[after, (types, &others.join(","))],
                &format!("of other kinds than `{own}`"),
                done,
            );
        }
    }

    /// The first of these events; the cursor to go on from.
    #[track_caller]
    pub(super) fn expect_page(&self, after: &str, asked: Option<usize>, events: &[Json], size: usize) -> String {
        let (page, rows) = self.page(after, asked);
        let wanted = &events[..size.min(events.len())];
        if rows != wanted {
            let ids = |rows: &[Json]| {
                rows.iter()
                    .map(|row| row["cursor"].to_string())
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            page.fail(
                &format!("the events {}", ids(wanted)),
                &format!("it shows {}", ids(&rows)),
            );
        }
        expect_flags(&page, wanted.len() < events.len());
        let cursor = page.json()["cursor"].take();
        if wanted.last().is_some_and(|last| last["cursor"] != cursor) {
            page.fail("`cursor` as that of the last event", &format!("it is {cursor}"));
        }
        text(&page, &cursor)
    }
}

/// Whether more events follow. Nothing was cut off in any test.
#[track_caller]
fn expect_flags(page: &Answer, has_more: bool) {
    for (name, wanted) in [("has_more", has_more), ("truncated", false)] {
        if page.json()[name] != wanted {
            page.fail(
                &format!("`{name}` as {wanted}"),
                &format!("it is {}", page.json()[name]),
            );
        }
    }
}

/// The events of a page.
pub(super) fn rows(page: &Answer) -> Vec<Json> {
    page.data().as_array().cloned().unwrap_or_default()
}

/// The value, which must be a text.
#[track_caller]
pub(super) fn text(page: &Answer, value: &Json) -> String {
    match value.as_str() {
        Some(text) => text.to_owned(),
        None => page.fail("a text", &format!("it is {value}")),
    }
}
