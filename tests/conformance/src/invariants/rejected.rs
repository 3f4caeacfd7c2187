//! A rejected request changes nothing, at whatever step it was rejected.

use super::reading::{Reading, Write};
use super::trace::{DataLocation, IdOrigin, Reader, Trace};
use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::precedence::SpoiltRequest;
use crate::sample::sample;
use crate::stage::Stage;
use crate::types::Type;
use codegen::model::ErrorEntry;
use codegen::step::Step;
use serde_json::Value as Json;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// By then, a server has done what it does with a new record.
const SETTLED: Duration = Duration::from_millis(500);

/// What a trial finds that waits this long after it has made its records. What the first one finds may be the server's own
/// doing, soon after it made a record: so it is repeated after a while.
pub(super) fn settled<T>(trial: impl Fn(Duration) -> Option<T>) -> Option<T> {
    trial(Duration::ZERO)?;
    trial(SETTLED)
}

impl Attempt {
    /// A rejection by these errors leaves everything readable unchanged. (Points in time are left out: a last-seen time goes
    /// on.)
    #[track_caller]
    pub fn changes_nothing_when_rejected(self, errors: &[&'static ErrorEntry]) {
        let with_visible_effect = self.with_visible_effect();
        for error in errors {
            with_visible_effect.expect_nothing_changed(error.step, error);
        }
        // A private resource is rejected as absent; no error of the step `owner` applies.
        if self.operation.is_private() {
            let absent = self.operation.contract.error(Step::Exists);
            with_visible_effect.expect_nothing_changed(Step::Owner, absent);
        }
    }

    /// A request that is spoilt for this step, and rejected by this error, changes nothing.
    #[track_caller]
    fn expect_nothing_changed(&self, step: Step, error: &ErrorEntry) {
        if let Some((answer, wanted, found)) = settled(|pause| self.changed_when_rejected(step, error, pause)) {
            answer.fail(&wanted, &found);
        }
    }

    /// Sends a request that is spoilt for this step, this time after what it needs was made. Returns the answer, what had to
    /// stay, and what it has become.
    #[track_caller]
    fn changed_when_rejected(
        &self,
        step: Step,
        error: &ErrorEntry,
        pause: Duration,
    ) -> Option<(Answer, String, String)> {
        let mut spoilt = SpoiltRequest::new(self, None);
        let stage = Arc::clone(&spoilt.stage);
        spoilt.spoil(step, &error.name);
        thread::sleep(pause);
        let before = self.readable_state(&stage);
        let answer = spoilt.attempt.send(&spoilt.stage.caller, &spoilt.stage.arranged);
        if answer.is_success() {
            let wanted = format!(
                "a refusal, {} by the row {} of the error table ({})",
                error.status,
                error.name,
                self.operation.contract.at(error.at)
            );
            answer.fail(&wanted, "it is accepted");
        }
        let after = self.readable_state(&stage);
        let mut states = before.iter().zip(after);
        let ((operation, before), (_, after)) = states.find(|((_, before), (_, after))| before != after)?;
        let wanted = format!("{operation} to read as before: {before}");
        Some((answer, wanted, format!("it reads {after}")))
    }

    /// The same request with content whose effect would be visible.
    fn with_visible_effect(&self) -> Self {
        let mut attempt = self.clone();
        for member in self.operation.members().iter().filter(|_| self.operation.is_partial()) {
            attempt = attempt.with(member.name, sample(member.of));
        }
        let next = self.operation.transitions.as_ref().and_then(|moves| {
            let initial = &moves.states.initial;
            let mut words = moves.words.iter();
            words.find(|to| *to != initial && moves.may_become(initial, to))
        });
        match next {
            Some(to) => attempt.moving_to(to),
            None => attempt,
        }
    }

    /// The answers of the operations that show what this one writes, as far as only this caller changes it, each with
    /// its name.
    #[track_caller]
    pub(super) fn readable_state(&self, stage: &Stage) -> Vec<(&'static str, Json)> {
        let write = Write {
            attempt: self,
            caller: &stage.caller,
            arranged: &stage.arranged,
            answer: None,
        };
        let read = |trace: &'static Trace| {
            let id = write.ids(trace.id_origin).first().copied();
            let reading = Reading::of_write(&write, trace, id)?;
            let mut read = match (trace.is_apart, id) {
                (true, _) => reading.page(0).data(),
                (false, Some(_)) => reading.find(id)?.row,
                (false, None) => return None,
            };
            if trace.is_apart {
                without_times(trace.operation.data?, &mut read);
            } else {
                without_times(trace.row_type()?, &mut read);
            }
            Some((trace.operation.name, read))
        };
        let is_readable = |trace: &&Trace| trace.reader != Reader::Newcomer && trace.operation.plan.is_none();
        self.operation
            .traces()
            .iter()
            .filter(is_readable)
            .filter_map(read)
            .collect()
    }

    /// The state of the moved resource, if it can be read.
    #[track_caller]
    pub(super) fn current_state(&self, stage: &Stage) -> Option<String> {
        let moves = self.operation.transitions.as_ref()?;
        let write = Write {
            attempt: self,
            caller: &stage.caller,
            arranged: &stage.arranged,
            answer: None,
        };
        let state = |trace: &'static Trace| {
            let shows = trace.members.iter().find(|one| one.member == Some(moves.member))?;
            let id = write.ids(IdOrigin::Named(&moves.resource.name)).first().copied();
            let found = Reading::of_write(&write, trace, id)?.find(id)?;
            found.row[shows.view_member].as_str().map(str::to_owned)
        };
        self.operation.traces().iter().find_map(state)
    }
}

impl Trace {
    /// The type of one item.
    fn row_type(&self) -> Option<&'static Type> {
        match (self.operation.data?, self.location) {
            (Type::List { of, .. }, DataLocation::All) => Some(of),
            (of, DataLocation::Whole) => Some(of),
            (of, DataLocation::In(name)) => match of.member(name)?.of {
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
        (Type::Object(members), Json::Object(object)) => {
            for member in *members {
                if let Some(value) = object.get_mut(member.name) {
                    without_times(member.of, value);
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
