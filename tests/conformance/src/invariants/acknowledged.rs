//! Acknowledged writes are visible: written resources wherever the contract shows them, deleted ones in no place.

use super::reading::{Found, Reading, Write};
use super::trace::{DataLocation, ExpectedMember, IdOrigin, Trace};
use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::level::Level;
use crate::response_data::{as_shown, is_same};
use crate::types::Type;
use crate::value::{Value, raw};
use crate::world::{Caller, RequestedResources, shortened};
use codegen::step::Step;
use serde_json::Value as Json;

/// If there are more, only the first and the last one are requested.
const MANY: usize = 8;

impl Attempt {
    /// Written resources are readable afterwards, and still are after further writes.
    #[track_caller]
    pub fn is_there_afterwards(self) {
        self.is_there_whole();
        let stage = self.stage(false);
        if self.operation.is_partial() {
            self.expect_other_members_unchanged(&stage.caller, &stage.arranged);
        }
        let first = self.varied(1);
        let first_answer = first.accepted_on(&stage.caller, &stage.arranged);
        // `accepted_on` also checks that the writes are visible.
        let second = self.varied(2);
        let next = second.send(&stage.caller, &stage.arranged);
        if !next.is_success() {
            self.expect_rejection(&next, &self.all_rules());
            return;
        }
        second.expect_traces(&next, &stage.caller, &stage.arranged);
        let is_made = |trace: &&Trace| matches!(trace.id_origin, IdOrigin::InData(_));
        for trace in self.operation.traces().iter().filter(is_made) {
            first.expect_trace(trace, &first_answer, &stage.caller, &stage.arranged);
        }
    }

    /// A partial body changes only the members that it gives. Each member is given alone.
    #[track_caller]
    fn expect_other_members_unchanged(&self, caller: &Caller, arranged: &RequestedResources) {
        let write = Write {
            attempt: self,
            caller,
            arranged,
            answer: None,
        };
        let find = |trace: &'static Trace| {
            let id = write.ids(trace.id_origin).first().copied();
            Reading::of_write(&write, trace, id)?.find(id)
        };
        // In the second round no member has its default any more, and booleans get their other value.
        let rounds = if self.world.is_limited() { 1 } else { 2 };
        let all = (0..rounds).flat_map(|round| self.operation.members().iter().map(move |member| (round, member)));
        for (round, member) in all {
            let before: Vec<_> = self.operation.traces().iter().map(find).collect();
            let attempt = match (round, member.of) {
                (1, Type::Boolean) => self.clone().emptied().with(member.name, raw("false")),
                _ => self.clone().alone(member.name),
            };
            let answer = attempt.accepted_on(caller, arranged);
            for (trace, before) in self.operation.traces().iter().zip(before) {
                let (Some(before), Some(after)) = (before, find(trace)) else {
                    continue;
                };
                let others = trace.members.iter().filter(|one| one.member != Some(member.name));
                let mut others = others.map(|one| one.view_member);
                if let Some(other) = others.find(|other| !is_same(&before.row[other], &after.row[other])) {
                    let wanted = format!("`{other}` as it was: {}", before.row[other]);
                    let why = format!("it was not given in {}", answer.request.curl());
                    after.answer.fail(&wanted, &why);
                }
            }
        }
    }

    /// A deleted resource does not exist, and is not shown any more.
    #[track_caller]
    pub fn is_deleted_afterwards(self) {
        let stage = self.stage(false);
        let (caller, arranged) = (&stage.caller, &stage.arranged);
        let write = Write {
            attempt: &self,
            caller,
            arranged,
            answer: None,
        };
        let find = |trace: &'static Trace| {
            let id = write.ids(trace.id_origin).first().copied();
            Reading::of_write(&write, trace, id).and_then(|reading| reading.find(id))
        };
        let traces = self.operation.traces();
        let shown: Vec<&Trace> = traces.iter().filter(|trace| find(trace).is_some()).collect();
        let answer = self.accepted_on(caller, arranged);
        let last = self.operation.exists.last().expect("something is deleted");
        let values = [
            ("noun", last.resource.noun.clone()),
            ("id", arranged.id(&last.resource.name).to_string()),
        ];
        let again = self.send(caller, arranged);
        again.expect_error(self.operation.contract.error(Step::Exists), &values);
        let names_it = |trace: &&Trace| trace.named.iter().any(|(named, _)| *named == last.resource.name);
        let (named, lists): (Vec<&Trace>, Vec<&Trace>) = shown.into_iter().partition(names_it);
        for trace in named {
            let id = write.ids(trace.id_origin).first().copied();
            if let Some(reading) = Reading::of_write(&write, trace, id) {
                reading.expect_absent(&values);
            }
        }
        if let Some(found) = lists.into_iter().find_map(find) {
            let deleted = format!("it was deleted by {}", answer.request.curl());
            found.answer.fail("nothing of what was deleted", &deleted);
        }
    }

    /// The operation finds the new resource, whose id is this member of the answer, at once.
    #[track_caller]
    pub fn can_be_named_afterwards(self, member: &str, resource: &'static str, by: &'static Operation) {
        let stage = self.stage(false);
        let answer = self.accepted_on(&stage.caller, &stage.arranged);
        let Some(id) = answer.data()[member].as_i64() else {
            answer.fail(&format!("the id of a {resource} as `{member}`"), "it is none");
        };
        let naming = self.anew(by);
        let stage = naming.stage(false);
        let mut arranged = stage.arranged.clone();
        arranged.0.retain(|(known, _)| *known != resource);
        arranged.0.push((resource, id));
        naming.accepted_on(&stage.caller, &arranged);
    }

    /// The write is visible wherever the contract says that it can be read.
    #[track_caller]
    pub(crate) fn expect_traces(&self, answer: &Answer, caller: &Caller, arranged: &RequestedResources) {
        for trace in self.operation.traces().iter().filter(|_| !self.operation.deletes()) {
            self.expect_trace(trace, answer, caller, arranged);
        }
    }

    #[track_caller]
    fn expect_trace(&self, trace: &'static Trace, answer: &Answer, caller: &Caller, arranged: &RequestedResources) {
        let write = Write {
            attempt: self,
            caller,
            arranged,
            answer: Some(answer),
        };
        if !trace.is_declared && self.world.level() < Level::Texts {
            return;
        }
        let mut ids = match trace.id_origin {
            IdOrigin::Own => vec![None],
            id_origin => write.ids(id_origin).into_iter().map(Some).collect(),
        };
        let count = ids.len();
        if trace.location == DataLocation::Whole && count > MANY {
            ids = vec![ids[0], ids[count - 1]];
        }
        let mut found: Vec<Found> = Vec::new();
        for id in ids {
            let Some(reading) = Reading::of_write(&write, trace, id) else {
                return;
            };
            // One answer that shows all of them is requested once.
            let seen = found.last().filter(|_| trace.location != DataLocation::Whole);
            let seen = seen.and_then(|seen| reading.within(&seen.answer, id));
            let Some(one) = seen.or_else(|| reading.find(id)) else {
                let why = format!("it was written by {}", answer.request.curl());
                reading.page(0).fail(&format!("{id:?} among what is shown"), &why);
            };
            found.push(one);
        }
        match trace.items {
            Some(items) => self.expect_items(trace, (items, count), &found, &write),
            None => found.iter().for_each(|found| self.expect_members(trace, found, &write)),
        }
    }

    #[track_caller]
    fn expect_members(&self, trace: &Trace, found: &Found, write: &Write<'_>) {
        let sent = |name: &str| self.sent(name);
        let write_answer = write.answer.expect("it was accepted");
        let wrong = trace
            .members
            .iter()
            .find_map(|member| self.unlike(member, self.operation.body, sent, write, &found.row));
        let repeated = trace.repeated_members.iter().find_map(|(repeated, shown)| {
            let repeated = write_answer.data()[repeated].take();
            (!is_same(&found.row[shown], &repeated)).then_some((*shown, repeated))
        });
        if let Some((shown, wanted)) = wrong.or(repeated) {
            let wanted = format!("`{shown}` as {}", shortened(&wanted.to_string()));
            let why = format!("it was written by {}", write_answer.request.curl());
            found.answer.fail(&wanted, &why);
        }
        let secrets = write_answer.declared_secrets();
        let body = String::from_utf8_lossy(&found.answer.response.body);
        if secrets.iter().any(|secret| body.contains(secret)) {
            found
                .answer
                .fail("no credential that was shown before", "it is shown again");
        }
    }

    /// The number of written items is that of the request, and each one found is one of those sent.
    #[track_caller]
    fn expect_items(&self, trace: &Trace, (items, count): (&str, usize), found: &[Found], write: &Write<'_>) {
        let write_answer = write.answer.expect("it was accepted");
        let (Some(Value::List(sent)), Type::List { of, .. }) = (self.sent(items), self.type_at(items)) else {
            return;
        };
        if sent.len() != count {
            write_answer.fail(&format!("{} ids", sent.len()), &format!("there are {count}"));
        }
        let is_like = |item: &Value, found: &Found| {
            let unlike = |member| self.unlike(member, Some(of), |name| item.member(name), write, &found.row);
            trace.members.iter().find_map(unlike).is_none()
        };
        let strange = found.iter().find(|found| !sent.iter().any(|item| is_like(item, found)));
        if let Some(strange) = strange {
            let why = format!("nothing like {} was sent", shortened(&strange.row.to_string()));
            strange.answer.fail("one of the things that were sent", &why);
        }
        let is_found = |item: &Value| found.iter().any(|found| is_like(item, found));
        if found.len() == count && !sent.iter().all(is_found) {
            write_answer.fail("all that was sent to be shown", "something of it is not");
        }
    }

    /// The member's name and its expected value, if they differ.
    fn unlike<'v>(
        &self,
        member: &ExpectedMember,
        of: Option<&Type>,
        sent: impl Fn(&str) -> Option<&'v Value>,
        write: &Write<'_>,
        row: &Json,
    ) -> Option<(&'static str, Json)> {
        let sent = member
            .member
            .and_then(sent)
            .filter(|sent| **sent != crate::value::null() || self.operation.is_partial());
        let json = sent.map(|sent| sent.render(&|resource| write.arranged.id(resource).to_string()));
        let wanted = json.as_deref().or(member.otherwise)?;
        let wanted: Json = serde_json::from_str(wanted).expect("what was accepted was JSON");
        let declared = of.and_then(|of| of.member(member.member?));
        let wanted = match declared {
            Some(declared) => as_shown(wanted, declared.of),
            None => wanted,
        };
        (!is_same(&row[member.view_member], &wanted)).then_some((member.view_member, wanted))
    }

    /// The names of all business rules.
    fn all_rules(&self) -> Vec<&'static str> {
        let errors = self.operation.contract.model.errors.iter();
        let rules = errors.filter(|error| error.step == Step::Rule);
        rules.map(|error| error.name.as_str()).collect()
    }
}
