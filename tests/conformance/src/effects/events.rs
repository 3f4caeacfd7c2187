//! Feeds: each cause shows as one event, to those whom it concerns and to nobody else, and each event once after a cursor.

use super::causes::{Caused, Done};
use super::feed::text;
use super::times::{Span, now};
use crate::attempt::Attempt;
use crate::suite::leave_out;
use crate::types::Type;
use serde_json::Value as Json;

/// Events for the tests of pages, where limits count their causes.
const FEW: usize = 3;

/// Most events that one test causes.
const MOST: usize = 101;

impl Attempt {
    /// The cause shows as one event in the feed of its recipient, and in no other one.
    #[track_caller]
    pub(crate) fn shows_event(self, caused: &'static Caused) {
        let Some(cause) = self.cause(caused) else { return };
        let Some(feed) = self.feed_of(&cause) else { return };
        let others = self.feeds_of_others(&cause, caused);
        let others: Vec<_> = others.into_iter().map(|feed| (feed.end(), feed)).collect();
        let (begin, since) = (feed.end(), now());
        let Some(request) = cause.requests(1).pop() else {
            return leave_out("no request causes it");
        };
        let done = cause.happen(request);
        let span = Span::from_answer(&done.answer, since);
        let (page, event) = feed.only_event(&begin, &done);
        span.expect(&page, "timestamp", &event["timestamp"]);
        let cursor = text(&page, &event["cursor"]);
        if page.json()["cursor"] != cursor {
            page.fail(
                &format!("`cursor` as {cursor}, that of the last event"),
                "it is another one",
            );
        }
        feed.expect_kept(&event);
        feed.expect_nothing(&[(feed.declared.after.as_str(), &cursor)], "after its cursor", &done);
        feed.expect_types(&begin, &event, &done);
        for (begin, other) in &others {
            let query = [(other.declared.after.as_str(), begin.as_str())];
            other.expect_nothing(&query, "for any other caller", &done);
        }
        if caused.by.transitions.is_some() {
            cause.repeat(&done);
            let query = [(feed.declared.after.as_str(), cursor.as_str())];
            feed.expect_nothing(&query, "where the same is set again", &done);
        }
    }

    /// Pages of any size show each event once, in the order of their causes.
    #[track_caller]
    pub(crate) fn pages_of_events(self, causes: &'static [Caused]) {
        let Some(declared) = self.operation.declared.feed.as_ref() else {
            return;
        };
        let default = self.number(&declared.size).and_then(|size| usize::try_from(size).ok());
        let most = match self.operation.query(&declared.size).map(|size| size.of) {
            _ if self.world.is_limited() => FEW,
            Some(Type::Integer { max: Some(max), .. }) => usize::try_from(*max).unwrap_or(MOST).min(MOST),
            _ => MOST,
        };
        let wanted = default.map_or(FEW, |size| size + 1).min(most);
        let arranged = |caused: &'static Caused| {
            let cause = self.cause(caused)?;
            let requests = cause.requests(wanted);
            Some((cause, requests))
        };
        let mut all = causes.iter().filter_map(arranged);
        let Some((cause, requests)) = all.find(|(_, requests)| requests.len() > 1) else {
            return leave_out("no cause can be repeated");
        };
        let Some(feed) = self.feed_of(&cause) else { return };
        let begin = feed.end();
        let done: Vec<Done> = requests.into_iter().map(|request| cause.happen(request)).collect();
        let count = done.len();
        let (page, whole) = feed.page(&begin, Some(count));
        if whole.len() != count {
            page.fail(
                &format!("the {count} events that were caused"),
                &format!("there are {}", whole.len()),
            );
        }
        done.iter()
            .zip(&whole)
            .for_each(|(done, event)| done.expect_event(&page, event));
        for (index, event) in whole.iter().enumerate() {
            let is_same = |other: &Json| other["cursor"] == event["cursor"] || other["eventId"] == event["eventId"];
            if whole[..index].iter().any(is_same) {
                page.fail(
                    "events with a cursor and an id of their own",
                    &format!("{event} has those of another"),
                );
            }
        }
        if let Some(size) = default {
            feed.expect_page(&begin, None, &whole, size);
        }
        for size in [1, 2, count - 1, count] {
            let mut after = begin.clone();
            for from in (0..count).step_by(size) {
                after = feed.expect_page(&after, Some(size), &whole[from..], size);
            }
        }
    }
}
