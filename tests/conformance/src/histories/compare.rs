//! Two responses to one call: whatever the contract declares must be equal.

use super::call::Call;
use super::envelope::{Content, body, content, error};
use super::known::Knowledge;
use super::same::{Verdict, keys, names, same, words};
use super::undeclared::undeclared;
use super::{Side, times};
use crate::world::Response;
use codegen::Model;
use codegen::model::{AnswerFrom, Data, Field, Kind, Operation, Origin, Source, Type, TypeRule};
use codegen::step::Step;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Compares responses.
pub(super) struct Comparer<'m> {
    model: &'m Model,
    /// Resources and fields whose values are the service's own.
    undeclared: HashSet<(&'m str, &'m str)>,
    /// By object: the numbers of the subject for those of the model.
    numbers: HashMap<&'m str, HashMap<i64, i64>>,
    /// Texts of faults that name the same members in other words.
    pub(super) worded: Vec<[String; 2]>,
}

impl<'m> Comparer<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Self {
            model,
            undeclared: undeclared(model),
            numbers: HashMap::new(),
            worded: Vec::new(),
        }
    }

    pub(super) fn compare(&mut self, call: &Call<'m>, known: &Knowledge, of: [&Response; 2]) -> Verdict {
        let [model, subject] = of;
        same("status", &model.status, &subject.status)?;
        self.headers(call, of)?;
        let bodies = [body(model), body(subject)];
        let (Some(a), Some(b)) = (bodies[0].as_object(), bodies[1].as_object()) else {
            return same("body", &model.body, &subject.body);
        };
        let names = |members: &serde_json::Map<String, Value>| members.keys().cloned().collect::<Vec<_>>();
        same("members of the body", &names(a), &names(b))?;
        let is_success = model.status < 400;
        let envelope = if is_success {
            &self.model.success
        } else {
            &self.model.error
        };
        for (name, value) in a {
            let other = &b[name];
            match content(envelope.get(name)) {
                Content::RequestId => {}
                Content::Data => self.data(call.operation.map(|(_, operation)| operation), known, [value, other])?,
                Content::Text => self.text(call, of, [value, other])?,
                Content::Other => same(name, value, other)?,
            }
        }
        Ok(())
    }

    /// The headers that the contract declares.
    fn headers(&self, call: &Call<'m>, of: [&Response; 2]) -> Verdict {
        let error = error(self.model, call.operation, of[0]);
        let of_service = self
            .model
            .headers
            .iter()
            .filter(|(_, template)| template.placeholders().is_empty());
        let of_limits = self.model.limit_headers.iter();
        let of_error = error.into_iter().flat_map(|error| &error.headers);
        let declared = of_service
            .chain(of_limits)
            .chain(of_error)
            .map(|(name, _)| name.as_str());
        for name in declared.chain(["content-type", "cache-control"]) {
            let values = |response: &Response| {
                let of_name = response
                    .headers
                    .iter()
                    .filter(|(known, _)| known.eq_ignore_ascii_case(name));
                let mut values: Vec<String> = of_name.map(|(_, value)| value.clone()).collect();
                if name.eq_ignore_ascii_case("allow") {
                    values = values.iter().flat_map(|value| words(value)).collect();
                    values.sort();
                }
                values
            };
            same(name, &values(of[0]), &values(of[1]))?;
        }
        for (name, _) in self.model.headers.iter() {
            let count = |response: &Response| {
                response
                    .headers
                    .iter()
                    .filter(|(known, _)| known.eq_ignore_ascii_case(name))
                    .count()
            };
            same(name, &count(of[0]), &count(of[1]))?;
        }
        Ok(())
    }

    /// The text of an error. Of faults, the names in it; of methods, the words.
    fn text(&mut self, call: &Call<'m>, responses: [&Response; 2], of: [&Value; 2]) -> Verdict {
        let step = error(self.model, call.operation, responses[0]).map(|error| error.step);
        let texts = of.map(|text| text.as_str().unwrap_or_default());
        match step {
            Some(Step::Decode) => {
                let names = names(self.model, call.operation.map(|(_, operation)| operation));
                let named = texts.map(|text| {
                    words(text)
                        .into_iter()
                        .filter(|word| names.contains(word.as_str()))
                        .collect::<HashSet<_>>()
                });
                if texts[0] != texts[1] {
                    self.worded.push(texts.map(str::to_owned));
                }
                if named[0] == named[1] {
                    Ok(())
                } else {
                    same("names in the text", &texts[0], &texts[1])
                }
            }
            Some(Step::Method) => {
                let [mut a, mut b] = texts.map(words);
                a.sort();
                b.sort();
                same("text", &a, &b)
            }
            _ => same("text", &texts[0], &texts[1]),
        }
    }

    fn data(&mut self, operation: Option<&'m Operation>, known: &Knowledge, of: [&Value; 2]) -> Verdict {
        match operation.and_then(|operation| Some((operation, operation.data.as_ref()?))) {
            Some((_, Data::One { resource, view })) => self.view(resource, view, known, of),
            Some((_, Data::Many { resource, view })) => self.rows(resource, view, known, of),
            Some((operation, Data::Members(members))) => {
                same("members of the data", &keys(of[0]), &keys(of[1]))?;
                for (nth, member) in members.iter().enumerate() {
                    let of = of.map(|value| &value[&member.name]);
                    match operation.answers.get(nth) {
                        Some(AnswerFrom::Undeclared | AnswerFrom::Secret(_)) => {
                            same(&member.name, &of[0].is_string(), &of[1].is_string())?
                        }
                        Some(AnswerFrom::Field(target, field)) => {
                            let resource = match target {
                                codegen::model::Target::Made(resource) | codegen::model::Target::Found(resource) => {
                                    resource
                                }
                                codegen::model::Target::Caller => continue,
                            };
                            self.field(resource, field, &member.of, known, of)?;
                        }
                        _ => self.value(&member.of, known, of)?,
                    }
                }
                Ok(())
            }
            None => same("data", of[0], of[1]),
        }
    }

    fn rows(&mut self, resource: &'m str, view: &'m str, known: &Knowledge, of: [&Value; 2]) -> Verdict {
        let (Some(a), Some(b)) = (of[0].as_array(), of[1].as_array()) else {
            return same(resource, of[0], of[1]);
        };
        let ids = |rows: &[Value]| rows.iter().map(|row| row["id"].clone()).collect::<Vec<_>>();
        same("rows", &ids(a), &ids(b))?;
        same("number of rows", &a.len(), &b.len())?;
        a.iter()
            .zip(b)
            .try_for_each(|(a, b)| self.view(resource, view, known, [a, b]))
    }

    fn view(&mut self, resource: &'m str, view: &'m str, known: &Knowledge, of: [&Value; 2]) -> Verdict {
        if of[0].is_null() {
            return same(view, of[0], of[1]);
        }
        same("members of the data", &keys(of[0]), &keys(of[1]))?;
        let mut views = self.model.resource(resource).views.iter();
        let declared = views.find(|one| one.name == view).map_or(&[][..], |view| &view.members);
        for member in declared {
            let of = of.map(|value| &value[&member.shown]);
            match &member.source {
                Source::Stored(field) | Source::Joined(field) => self.field(resource, field, &member.of, known, of),
                Source::Each(field, _) if self.undeclared.contains(&(resource, field)) => Ok(()),
                Source::Each(..) => self.value(&member.of, known, of),
            }
            .map_err(|found| format!("{resource}.{}: {found}", member.shown))?;
        }
        Ok(())
    }

    fn field(&mut self, resource: &str, field: &str, shown: &'m Type, known: &Knowledge, of: [&Value; 2]) -> Verdict {
        if self.undeclared.contains(&(resource, field)) {
            return Ok(());
        }
        let declared = self.model.resource(resource);
        let field = declared
            .fields
            .iter()
            .chain(&declared.joined)
            .find(|one| one.name == field);
        match field.and_then(|field| field.origin.as_ref()) {
            Some(Origin::Start(_)) => {
                let start = |side: Side| {
                    let text = of[side as usize].as_str().unwrap_or_default();
                    known.starting(side, text.trim_end_matches(['.', '…']))
                };
                let length = of.map(|value| value.as_str().map(|text| text.chars().count()));
                same("length of the start", &length[0], &length[1])?;
                match start(Side::Model) == start(Side::Subject) {
                    true => Ok(()),
                    false => same("start", of[0], of[1]),
                }
            }
            Some(Origin::LastUse { seconds, .. }) => {
                let times = of.map(|value| value.as_str().and_then(times::unix));
                match times {
                    [Some(a), Some(b)] if a.abs_diff(b) <= u64::from(*seconds) => Ok(()),
                    _ => same("last use", of[0], of[1]),
                }
            }
            _ => self.value(shown, known, of),
        }
    }

    fn value(&mut self, of_type: &'m Type, known: &Knowledge, of: [&Value; 2]) -> Verdict {
        let (is_list, kind) = match &of_type.kind {
            Kind::Named(name) => match &self.model.named_type(name).rule {
                TypeRule::List { of, .. } => (true, &of.kind),
                _ => (of_type.list, &of_type.kind),
            },
            kind => (of_type.list, kind),
        };
        let pairs: Vec<[&Value; 2]> = match (is_list, of[0].as_array(), of[1].as_array()) {
            (true, Some(a), Some(b)) => {
                same("number of items", &a.len(), &b.len())?;
                a.iter().zip(b).map(|(a, b)| [a, b]).collect()
            }
            _ => vec![of],
        };
        pairs.into_iter().try_for_each(|of| match kind {
            Kind::View(resource, view) => self.view(resource, view, known, of),
            Kind::Object(name) if of[0].is_object() => {
                same("members", &keys(of[0]), &keys(of[1]))?;
                let members = &self.model.object(name).members;
                members
                    .iter()
                    .try_for_each(|member| self.member(name, member, known, of.map(|value| &value[&member.name])))
            }
            _ => same("value", of[0], of[1]),
        })
    }

    fn member(&mut self, object: &'m str, member: &'m Field, known: &Knowledge, of: [&Value; 2]) -> Verdict {
        match (&member.origin, of.map(Value::as_i64)) {
            (Some(Origin::NumberOf(_)), [Some(a), Some(b)]) => {
                let numbers = self.numbers.entry(object).or_default();
                let is_other = numbers.iter().any(|(known, other)| (*known == a) != (*other == b));
                numbers.insert(a, b);
                if is_other { same("number", of[0], of[1]) } else { Ok(()) }
            }
            _ => self.value(&member.of, known, of),
        }
    }
}
