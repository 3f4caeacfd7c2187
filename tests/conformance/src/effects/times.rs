//! The time of a new record is the time of the request, in UTC.

use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::suite::description::traces;
use crate::times::{http_date, unix};
use codegen::model::{AnswerFrom, Resource};
use serde_json::Value as Json;
use std::time::{SystemTime, UNIX_EPOCH};

/// The largest difference between two clocks, in seconds; a time also loses its fraction of a second.
const SLACK: u64 = 2;

impl Attempt {
    /// These fields of a new record show the time of the request, wherever they are shown.
    #[track_caller]
    pub(crate) fn dates_new_records(self, resource: &'static Resource, fields: &'static [&'static str]) {
        let stage = self.stage(false);
        let begun = now();
        let answer = self.done(&stage);
        let span = Span::from_answer(&answer, begun);
        for (member, from) in answer.operation.answers() {
            if matches!(from, AnswerFrom::Field(_, field) if fields.contains(&field.as_str())) {
                span.expect(&answer, member, &answer.data()[member]);
            }
        }
        let Some(record) = answer.made(resource).first().copied() else {
            return;
        };
        for shows in traces::showing(self.operation.contract, resource) {
            let members = fields.iter().filter_map(|field| shows.view.member_of(field));
            let members: Vec<_> = members.collect();
            let Some(place) = shows.place(resource).filter(|_| !members.is_empty()) else {
                continue;
            };
            let Some(reading) = self.reading(place, record) else {
                return;
            };
            if let Some(found) = reading.find(Some(record.id)) {
                for member in members {
                    span.expect(&found.answer, &member.shown, &found.row[&member.shown]);
                }
            }
        }
    }
}

/// The time of a request, in seconds since 1970.
pub(super) struct Span {
    from: u64,
    to: u64,
}

impl Span {
    /// By the clock of the server, if it tells the time (RFC 9110, section 6.6.1), or else by ours.
    pub(super) fn from_answer(answer: &Answer, begun: u64) -> Self {
        let date = answer.response.header("date").and_then(http_date);
        let (first, last) = (begun, now());
        let took = last - first;
        let to = date.unwrap_or(last);
        let from = date.map_or(first, |date| date.saturating_sub(took));
        Self {
            from: from - SLACK,
            to: to + SLACK,
        }
    }

    #[track_caller]
    pub(super) fn expect(&self, answer: &Answer, member: &str, came: &Json) {
        let is_within = |time: u64| (self.from..=self.to).contains(&time);
        if !came.as_str().and_then(unix).is_some_and(is_within) {
            let wanted = format!("`{member}` as the time of the request that made it, in UTC");
            answer.fail(&wanted, &format!("it is {came}"));
        }
    }
}

/// In seconds since 1970.
pub(super) fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs())
}
