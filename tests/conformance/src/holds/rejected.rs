//! A rejected request changes nothing, at whatever step it was rejected.

use super::reading::{Reading, Write};
use super::states::States;
use super::trace::{Landing, Reader, Rows, Trace};
use crate::attempt::Attempt;
use crate::contract::Step;
use crate::precedence::Spoilt;
use crate::sample::sample;
use crate::stage::Stage;
use crate::types::Type;
use crate::value::word;
use serde_json::Value as Json;
use std::sync::Arc;

impl Attempt {
    /// A rejection by these steps leaves everything readable unchanged. (Points in time are left out: a last-seen time goes
    /// on.)
    #[track_caller]
    pub fn changes_nothing_when_rejected(self, steps: &[Step], states: Option<&States>) {
        let telling = self.telling(states);
        for step in steps {
            telling.expect_nothing_changed(*step);
        }
    }

    #[track_caller]
    fn expect_nothing_changed(&self, step: Step) {
        let mut spoilt = Spoilt::new(self, None);
        let stage = Arc::clone(&spoilt.stage);
        spoilt.spoil(step);
        let before = self.shown_apart(&stage);
        let answer = spoilt.attempt.send(&spoilt.stage.caller, &spoilt.stage.arranged);
        if answer.is_success() {
            let row = self.contract.row(step);
            let wanted = format!(
                "a refusal, {} by the row {} of the error table ({})",
                row.status, row.name, row.at
            );
            answer.fail(&wanted, "it is accepted");
        }
        for ((operation, before), (_, after)) in before.iter().zip(self.shown_apart(&stage)) {
            if *before != after {
                answer.fail(
                    &format!("{operation} to read as before: {before}"),
                    &format!("it reads {after}"),
                );
            }
        }
    }

    /// The same request with content whose effect would be visible.
    fn telling(&self, states: Option<&States>) -> Self {
        let mut attempt = self.clone();
        if let (true, Some(Type::Object(members))) = (self.operation.partial, self.operation.body) {
            for member in *members {
                attempt = attempt.with(member.name, sample(member.of));
            }
        }
        let next = states.and_then(|states| {
            let mut words = states.words.iter();
            words.find(|to| **to != states.initial && states.may_become(states.initial, to))
        });
        match (self.operation.transitions.as_ref(), next) {
            (Some(moves), Some(to)) => attempt.with(moves.member, word(to)),
            _ => attempt,
        }
    }

    /// The answers of the operations that show what this one writes, as far as only this caller changes it, each with
    /// its name.
    #[track_caller]
    fn shown_apart(&self, stage: &Stage) -> Vec<(&'static str, Json)> {
        let write = Write {
            attempt: self,
            caller: &stage.caller,
            arranged: &stage.arranged,
            answer: None,
        };
        let shown = |trace: &'static Trace| {
            let id = write.ids(trace.landing).first().copied();
            let reading = Reading::of(&write, trace, id)?;
            let mut shown = match (trace.is_apart, id) {
                (true, _) => reading.page(0).data(),
                (false, Some(_)) => reading.find(id)?.row,
                (false, None) => return None,
            };
            if trace.is_apart {
                without_times(trace.operation.data?, &mut shown);
            } else {
                without_times(trace.row_type()?, &mut shown);
            }
            Some((trace.operation.name, shown))
        };
        let can_be_asked = |trace: &&Trace| trace.reader != Reader::Newcomer && trace.operation.plan.is_none();
        self.operation
            .traces
            .iter()
            .filter(can_be_asked)
            .filter_map(shown)
            .collect()
    }

    /// The state of the moved resource, if it can be read.
    #[track_caller]
    pub(super) fn state_shown(&self, stage: &Stage) -> Option<String> {
        let moves = self.operation.transitions.as_ref()?;
        let write = Write {
            attempt: self,
            caller: &stage.caller,
            arranged: &stage.arranged,
            answer: None,
        };
        let state = |trace: &'static Trace| {
            let shows = trace.members.iter().find(|one| one.member == Some(moves.member))?;
            let id = write.ids(Landing::Named(moves.resource)).first().copied();
            let found = Reading::of(&write, trace, id)?.find(id)?;
            found.row[shows.shown].as_str().map(str::to_owned)
        };
        self.operation.traces.iter().find_map(state)
    }
}

impl Trace {
    /// The type of one item.
    fn row_type(&self) -> Option<&'static Type> {
        match (self.operation.data?, self.rows) {
            (Type::List { of, .. }, Rows::All) => Some(of),
            (of, Rows::Whole) => Some(of),
            (Type::Object(members), Rows::In(name)) => match members.iter().find(|one| one.name == name)?.of {
                Type::List { of, .. } => Some(of),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Removes all points in time from a value of this type.
fn without_times(of: &Type, value: &mut Json) {
    match (of, value) {
        (Type::Timestamp, value) => *value = Json::Null,
        (Type::List { of, .. }, Json::Array(items)) => items.iter_mut().for_each(|item| without_times(of, item)),
        (Type::Object(members), Json::Object(given)) => {
            for member in *members {
                if let Some(given) = given.get_mut(member.name) {
                    without_times(member.of, given);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Member;
    use serde_json::json;

    #[test]
    fn times_are_left_out_wherever_they_stand() {
        static ROW: Type = Type::Object(&[
            Member::required("id", &Type::Id("Cat")),
            Member::nullable("fed_at", &Type::Timestamp),
        ]);
        static ROWS: Type = Type::List {
            of: &ROW,
            min: 0,
            max: None,
            unique: None,
        };
        let mut value = json!([{ "id": 1, "fed_at": "2026-01-31T12:00:00" }, { "id": 2, "fed_at": null }]);
        without_times(&ROWS, &mut value);
        assert_eq!(value, json!([{ "id": 1, "fed_at": null }, { "id": 2, "fed_at": null }]));
    }
}
