//! The data of two answers: views, members and values.

use super::compare::{Answers, Comparer};
use super::found::{Placed, Verdict, describe_field, differ, keys, same};
use super::ids::of_json;
use crate::level::Level;
use crate::times;
use codegen::model::{
    AnswerFrom, Data, Field, Kind, Origin, RecordId, Resource, Source, Span, Target, Type, TypeRule, ValueCounts,
    ViewMember,
};
use serde_json::Value;
use std::collections::BTreeMap;

impl<'m> Comparer<'m> {
    pub(super) fn data(&mut self, answers: Answers<'_, 'm>, of: [&Value; 2]) -> Verdict {
        let operation = answers.call.operation.map(|(_, operation)| operation);
        match operation.and_then(|operation| Some((operation, operation.data.as_ref()?))) {
            Some((_, Data::One { resource, view })) => self.view(answers, resource, view, of),
            Some((_, Data::Many { resource, view })) => self.rows(answers, resource, view, of),
            Some((operation, Data::Members(members))) => {
                let verdict = same("members of the data", &keys(of[0]), &keys(of[1]));
                self.unless_known(verdict)?;
                for (nth, member) in members.iter().enumerate() {
                    let of = of.map(|value| &value[&member.name]);
                    let verdict = match operation.answers.get(nth) {
                        Some(AnswerFrom::Undeclared) if member.of.optional && of[1].is_null() => Ok(()),
                        Some(AnswerFrom::Undeclared | AnswerFrom::Secret(_)) => {
                            same("type of a member", &of[0].is_string(), &of[1].is_string())
                        }
                        Some(AnswerFrom::Field(Target::Made(resource) | Target::Found(resource), field)) => {
                            self.field(answers, resource, (field, None), &member.of, of)
                        }
                        Some(AnswerFrom::Field(Target::Caller, _)) => Ok(()),
                        _ => self.value(answers, &member.name, &member.of, of),
                    };
                    verdict.at(member.at, || format!("{}: {}", answers.call.name(), member.name))?;
                }
                Ok(())
            }
            Some((_, Data::Counts(counts))) => self.counts(answers, counts, of),
            Some((_, Data::Events)) => self.events(answers, of),
            None => same("data", of[0], of[1]),
        }
    }

    /// Values with their numbers. Records of others, which the model does not know, stay as many as they are.
    fn counts(&mut self, answers: Answers<'_, 'm>, counts: &ValueCounts, of: [&Value; 2]) -> Verdict {
        if answers.known.has_all(&counts.resource) {
            return same("values with their numbers", of[0], of[1]);
        }
        let name = counts.value.name.as_str();
        let [wanted, got] = of.map(|of| {
            let rows = of.as_array().into_iter().flatten();
            let row = |row: &Value| Some((row[name].as_str()?.to_owned(), row[ValueCounts::COUNT].as_u64()?));
            rows.filter_map(row).collect::<BTreeMap<String, u64>>()
        });
        // With more values than are shown, any of them can be left out.
        if !self.has_values() || got.len() >= counts.max as usize {
            return Ok(());
        }
        for value in wanted.keys().chain(got.keys()) {
            let [known, shown] = [&wanted, &got].map(|all| all.get(value).copied().unwrap_or_default());
            let key = format!("{}?{}#{value}", answers.call.name(), answers.call.query.join("&"));
            let others = *self.foreign.entry(key).or_insert(shown.saturating_sub(known));
            if shown != known + others {
                return differ(format!("number of `{name}` {value:?}"), shown, known + others);
            }
        }
        Ok(())
    }

    /// Events, which every server numbers in the same way. Their ids are chosen by the server: one for each event of all
    /// feeds.
    fn events(&mut self, answers: Answers<'_, 'm>, of: [&Value; 2]) -> Verdict {
        let [Some(a), Some(b)] = of.map(Value::as_array) else {
            return same("events", of[0], of[1]);
        };
        if a.len() != b.len() {
            return differ("number of events", Value::from(b.len()), Value::from(a.len()));
        }
        for (a, b) in a.iter().zip(b) {
            same("members of an event", &keys(a), &keys(b))?;
            same("`name` of an event", &a["name"], &b["name"])?;
            let kind = &a["name"];
            for (name, a) in a.as_object().into_iter().flatten() {
                let of = [a, &b[name]];
                match name.as_str() {
                    "eventId" => self.event_id(of)?,
                    "timestamp" => self.single("`timestamp` of an event", &Kind::Timestamp, of)?,
                    "data" => self.event_data(answers, kind, of)?,
                    _ => same(&format!("`{name}` of an event"), of[0], of[1])?,
                }
            }
        }
        Ok(())
    }

    /// The data of an event, each member like the field that it shows.
    fn event_data(&mut self, answers: Answers<'_, 'm>, name: &Value, of: [&Value; 2]) -> Verdict {
        same("members of the data of an event", &keys(of[0]), &keys(of[1]))?;
        let Some(kind) = self.model.event_kinds().iter().find(|kind| *name == *kind.name) else {
            return same("data of an event", of[0], of[1]);
        };
        for member in &kind.data {
            let resource = member.path.ids.last().map_or(&kind.of, |(_, resource)| resource);
            let shown = of.map(|value| &value[&member.field.name]);
            let verdict = self.field(answers, resource, (&member.path.field, None), &member.field.of, shown);
            verdict.at(member.field.at, || {
                format!("`{}` of an event's data", member.field.name)
            })?;
        }
        Ok(())
    }

    /// An id belongs to one event, and an event has one id, however often it is read.
    fn event_id(&mut self, of: [&Value; 2]) -> Verdict {
        same("type of the id of an event", &of[0].is_string(), &of[1].is_string())?;
        for (ids, id, other) in [(0, of[0], of[1]), (1, of[1], of[0])] {
            let known = self.event_ids[ids].entry(id.clone()).or_insert_with(|| other.clone());
            if known != other {
                return differ("id of an event, which is that of another or has changed", of[0], of[1]);
            }
        }
        Ok(())
    }

    pub(super) fn view(
        &mut self,
        answers: Answers<'_, 'm>,
        resource: &'m str,
        view: &'m str,
        of: [&Value; 2],
    ) -> Verdict {
        if of[0].is_null() || of[1].is_null() {
            return same(&format!("{resource}.{view}"), of[0], of[1]);
        }
        same("members of the data", &keys(of[0]), &keys(of[1]))?;
        let declared = self.model.resource(resource);
        let mut views = declared.views.iter();
        let members = views.find(|one| one.name == view).map_or(&[][..], |view| &view.members);
        let id = of_json(&of[0]["id"]);
        let row = of[0];
        for member in members {
            let of = of.map(|value| &value[&member.shown]);
            let verdict = match &member.source {
                Source::Joined(field) if leads_nowhere(answers, (declared, members), field, row) => Ok(()),
                Source::Stored(field) | Source::Joined(field) => {
                    self.field(answers, resource, (field, id), &member.of, of)
                }
                Source::Each(field, _) if self.undeclared.contains(&(resource, field)) => Ok(()),
                Source::Each(field, _) => self.value(answers, &format!("{resource}.{field}"), &member.of, of),
            };
            let field = member.source.field();
            let place = || place_of(declared.fields.iter().chain(&declared.joined), field);
            let verdict = verdict.at(place(), || describe_field(declared, field));
            self.unless_known(verdict)?;
        }
        Ok(())
    }

    fn field(
        &mut self,
        answers: Answers<'_, 'm>,
        resource: &str,
        (field, id): (&str, Option<RecordId>),
        shown: &'m Type,
        of: [&Value; 2],
    ) -> Verdict {
        if self.undeclared.contains(&(resource, field)) {
            return Ok(());
        }
        let what = format!("{resource}.{field}");
        let declared = self.model.resource(resource);
        let mut fields = declared.fields.iter().chain(&declared.joined);
        let declared = fields.find(|one| one.name == field);
        match declared.and_then(|field| field.origin.as_ref()) {
            Some(Origin::Start(_)) if self.level < Level::Texts => {
                let start = |value: &Value| value.as_str().map(|text| text.trim_end_matches(['.', '…']).to_owned());
                if start(of[0]) == start(of[1]) {
                    return Ok(());
                }
                same(&what, of[0], of[1])
            }
            Some(Origin::LastUse { seconds, credential }) => {
                let mut known = answers.known.credentials.iter();
                let has_use = known.any(|one| one.kind == *credential && Some(one.holder) == id && one.uses > 0);
                let times = of.map(|value| value.as_str().and_then(times::unix));
                match times {
                    [Some(a), Some(b)] if a.abs_diff(b) <= u64::from(*seconds) + self.slack => Ok(()),
                    // Whether a rejected request or this one counts is not declared.
                    [Some(_), None] if of[1].is_null() && !has_use => Ok(()),
                    _ => same(&what, of[0], of[1]),
                }
            }
            _ => self.value(answers, &what, shown, of),
        }
    }

    pub(super) fn value(
        &mut self,
        answers: Answers<'_, 'm>,
        what: &str,
        of_type: &'m Type,
        of: [&Value; 2],
    ) -> Verdict {
        let (is_list, kind) = match &of_type.kind {
            Kind::Named(name) => match &self.model.named_type(name).rule {
                TypeRule::List { of, .. } => (true, &of.kind),
                _ => (of_type.list, &of_type.kind),
            },
            kind => (of_type.list, kind),
        };
        let pairs: Vec<[&Value; 2]> = match (is_list, of[0].as_array(), of[1].as_array()) {
            (true, Some(a), Some(b)) => {
                if a.len() != b.len() && self.has_values() {
                    return differ(format!("number of items of {what}"), of[1], of[0]);
                }
                a.iter().zip(b).map(|(a, b)| [a, b]).collect()
            }
            _ => vec![of],
        };
        pairs.into_iter().try_for_each(|of| match kind {
            Kind::View(resource, view) => self.view(answers, resource, view, of),
            Kind::Object(name) if of[0].is_object() && of[1].is_object() => {
                same(&format!("members of {what}"), &keys(of[0]), &keys(of[1]))?;
                let members = &self.model.object(name).members;
                members.iter().try_for_each(|member| {
                    let of = of.map(|value| &value[&member.name]);
                    self.member(answers, &format!("{what}.{}", member.name), (name, member), of)
                })
            }
            kind => self.single(what, kind, of),
        })
    }

    fn single(&self, what: &str, kind: &Kind, of: [&Value; 2]) -> Verdict {
        let rule = match kind {
            Kind::Named(name) => Some(&self.model.named_type(name).rule),
            _ => None,
        };
        let is_equal = match (kind, rule) {
            _ if !self.has_values() => return self.kind(what, of),
            (Kind::Timestamp, _) => return self.time(what, of),
            (_, Some(TypeRule::Number { .. } | TypeRule::FreeForm { .. })) if self.level < Level::Texts => {
                is_alike(of[0], of[1])
            }
            _ => of[0] == of[1],
        };
        if is_equal { Ok(()) } else { differ(what, of[1], of[0]) }
    }

    /// A time that each server took from its own clock.
    pub(super) fn time(&self, what: &str, of: [&Value; 2]) -> Verdict {
        let ends = of.map(|value| value.as_str().map(|text| text.get(19..)));
        let is_near = match of.map(|value| value.as_str().and_then(times::unix)) {
            [Some(a), Some(b)] if self.slack > 0 => ends[0] == ends[1] && a.abs_diff(b) <= self.slack,
            _ => of[0] == of[1],
        };
        if is_near { Ok(()) } else { differ(what, of[1], of[0]) }
    }

    fn member(
        &mut self,
        answers: Answers<'_, 'm>,
        what: &str,
        (object, member): (&'m str, &'m Field),
        of: [&Value; 2],
    ) -> Verdict {
        match (&member.origin, of.map(Value::as_i64)) {
            (Some(Origin::NumberOf(_)), [Some(a), Some(b)]) => {
                let has_others = !self.has_all_with(answers, object);
                let verdict = self.number(what, object, [a, b], has_others);
                verdict.at(member.at, || format!("{object}.{}", member.name))
            }
            _ => self.value(answers, what, &member.of, of),
        }
    }
}

impl<'m> Comparer<'m> {
    /// Whether the model knows all records with items of an object.
    fn has_all_with(&self, answers: Answers<'_, 'm>, object: &str) -> bool {
        let mut resources = self.model.resources.iter();
        let has_items = |of: &Type| self.model.items(of).is_some_and(|items| items.name == object);
        resources.all(|resource| {
            let mut fields = resource.fields.iter();
            !fields.any(|field| has_items(&field.of)) || answers.known.has_all(&resource.name)
        })
    }

    /// Two numbers of items of an object: the same ones belong together each time. With `has_others`, records that the model
    /// does not know may have an item that returns, so that the subject does not give it a new number.
    pub(super) fn number(&mut self, what: &str, object: &'m str, [a, b]: [i64; 2], has_others: bool) -> Verdict {
        let numbers = self.numbers.entry(object).or_default();
        if has_others {
            numbers.retain(|known, other| *other != b || *known >= a);
        }
        let is_other = numbers.iter().any(|(known, other)| (*known == a) != (*other == b));
        numbers.insert(a, b);
        if is_other { differ(what, b, a) } else { Ok(()) }
    }
}

/// Whether a joined member that cannot be null follows an id that no record has: then the contract states no value.
fn leads_nowhere(answers: Answers, (resource, members): (&Resource, &[ViewMember]), field: &str, row: &Value) -> bool {
    let joined = resource.joined.iter().find(|one| one.name == field && !one.of.optional);
    let Some(Origin::Follow { ids, .. }) = joined.and_then(|joined| joined.origin.as_ref()) else {
        return false;
    };
    let shown = |field: &str| {
        let is_it = |member: &&ViewMember| matches!(&member.source, Source::Stored(stored) if stored == field);
        of_json(&row[&members.iter().find(is_it)?.shown])
    };
    let mut at = (resource.name.as_str(), of_json(&row["id"]));
    for (nth, (link, next)) in ids.iter().enumerate() {
        let known = || answers.known.record(at.0, at.1?)?.link(link);
        let id = shown(link).filter(|_| nth == 0).or_else(known);
        if id.is_some_and(|id| answers.known.record(next, id).is_none()) {
            return true;
        }
        at = (next, id);
    }
    false
}

fn place_of<'f>(mut fields: impl Iterator<Item = &'f Field>, name: &str) -> Span {
    fields
        .find(|field| field.name == name)
        .map_or_else(Span::default, |field| field.at)
}

/// Whether two values are equal if numbers are IEEE 754 doubles, in any notation.
fn is_alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_alike(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            let is_in_other = |(name, a): (&String, &Value)| b.get(name).is_some_and(|b| is_alike(a, b));
            a.len() == b.len() && a.iter().all(is_in_other)
        }
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::super::call::Call;
    use super::super::known::Knowledge;
    use super::*;
    use crate::exchange::Response;
    use serde_json::json;

    /// No answer has said when the record was made, so that the model has the time of its own clock.
    #[test]
    fn a_time_in_the_data_of_an_event_may_differ_as_elsewhere() {
        let contract = include_str!("../../../durability/services/work.yaml");
        let model = codegen::compile(contract).expect("a contract");
        let mut comparer = Comparer::of(&model, Level::Texts, 2);
        let response = Response {
            status: 200,
            headers: Vec::new(),
            body: Vec::new(),
        };
        let answers = Answers {
            call: &Call::default(),
            known: &Knowledge::default(),
            model: &response,
            subject: &response,
            unpaged: &|| Value::Null,
        };
        let event = |id: u64, second: u64| {
            let data =
                json!({"job_id": id, "job_status": "withdrawn", "posted_at": format!("2026-11-30T06:57:{second}")});
            json!([{"eventId": "evt_1", "name": "job.withdrawn", "timestamp": "2026-11-30T06:57:30", "data": data, "cursor": "1"}])
        };
        let mut cause = |other: Value| {
            let found = comparer.events(answers, [&event(7, 28), &other]).err()?;
            Some((found.cause, found.place?.1))
        };
        assert_eq!(cause(event(7, 28)), None);
        assert_eq!(cause(event(7, 30)), None);
        let place = |member: &str| format!("`{member}` of an event's data");
        assert_eq!(
            cause(event(7, 31)),
            Some(("Job.posted_at".to_owned(), place("posted_at")))
        );
        assert_eq!(cause(event(8, 28)), Some(("Job.id".to_owned(), place("job_id"))));
    }
}
