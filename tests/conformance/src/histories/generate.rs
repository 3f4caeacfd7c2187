//! The next call: an operation, a caller, the ids in the path, the query and the body.

use super::call::Call;
use super::known::Knowledge;
use super::learn::is_declared;
use super::random::Random;
use super::values::Values;
use codegen::Model;
use codegen::model::{Body, Data, Effect, FilterBy, IdSource, Operation, Surface};
use serde_json::Value;
use std::net::IpAddr;

/// Makes the calls of a history.
pub(super) struct Generator<'m> {
    pub(super) model: &'m Model,
    pub(super) random: Random,
    pub(super) operations: Vec<(&'m Surface, &'m Operation)>,
    /// Reads that have succeeded.
    reads: Vec<Call<'m>>,
    /// A call that is repeated so many times, to reach its limit.
    pub(super) burst: Option<(Call<'m>, usize)>,
    is_limited: bool,
}

impl<'m> Generator<'m> {
    pub(super) fn new(model: &'m Model, seed: u64, is_limited: bool) -> Self {
        let operations = model.operations().filter(|(_, operation)| is_declared(operation));
        Self {
            model,
            random: Random::new(seed),
            operations: operations.collect(),
            reads: Vec::new(),
            burst: None,
            is_limited,
        }
    }

    pub(super) fn next(&mut self, known: &Knowledge<'m>) -> Call<'m> {
        if let Some((call, left)) = &mut self.burst
            && *left > 0
        {
            *left -= 1;
            return call.clone();
        }
        let call = self.new_call(known);
        if self.is_limited && self.random.percent(2) {
            let length = if call.credential.is_none() {
                310
            } else {
                *self.random.of(&[25, 25, 65, 110]).unwrap_or(&25)
            };
            self.burst = Some((call.clone(), length));
        }
        call
    }

    fn new_call(&mut self, known: &Knowledge<'m>) -> Call<'m> {
        if self.random.percent(25)
            && let Some(read) = self.random.recent(&self.reads)
        {
            return read.clone();
        }
        let weights: Vec<f64> = self
            .operations
            .iter()
            .map(|(surface, operation)| self.weight(known, surface, operation))
            .collect();
        let (surface, operation) = self.operations[self.random.weighted(&weights)];
        let mut call = Call {
            operation: Some((surface, operation)),
            method: operation.method.clone(),
            peer: Some(IpAddr::from([127, 0, 0, if self.random.percent(80) { 1 } else { 2 }])),
            ..Call::default()
        };
        self.caller(&mut call, known, surface);
        let caller = call.credential.map(|index| known.credentials[index].caller);
        self.path(&mut call, known, surface, operation, caller);
        let resource = match &operation.data {
            Some(Data::Many { resource, .. }) => Some(resource.as_str()),
            _ => None,
        };
        let mut values = Values {
            model: self.model,
            random: &mut self.random,
            known,
        };
        call.query = values.query(resource, operation);
        if let Some(body) = self.model.body(operation) {
            self.body(&mut call, known, body);
        }
        if self.random.percent(2) {
            self.elsewhere(&mut call);
        }
        call
    }

    /// A read that has succeeded is repeated later.
    pub(super) fn succeeded(&mut self, call: Call<'m>) {
        const KEPT: usize = 60;
        if call.is_read() {
            self.reads.push(call);
            if self.reads.len() > KEPT {
                self.reads.remove(0);
            }
        }
    }

    /// Operations that make something are called less often the more there is.
    fn weight(&self, known: &Knowledge<'m>, surface: &Surface, operation: &Operation) -> f64 {
        const RARE: f64 = 0.2;
        let has_caller = self.model.credential_of(surface).is_none_or(|credential| {
            credential.caller.is_none()
                || known
                    .credentials
                    .iter()
                    .any(|one| one.kind == credential.name && !one.has_ended)
        });
        let has_records = operation
            .exists
            .iter()
            .all(|guard| !known.records(&guard.resource).is_empty());
        if !has_caller || !has_records {
            return RARE;
        }
        let of_effects = operation.effects.iter().map(|effect| match effect {
            Effect::Make { resource, .. } => {
                let is_caller = |credential: &codegen::model::Credential| {
                    credential
                        .caller
                        .as_ref()
                        .is_some_and(|caller| caller.resource == *resource)
                };
                let enough = if self.model.credentials.iter().any(is_caller) {
                    4.0
                } else {
                    9.0
                };
                let count = known.records(resource).len() as f64;
                (20.0 * enough / count.max(1.0)).min(20.0)
            }
            Effect::End { resource, .. } => (known.records(resource).len() as f64 / 2.0).min(5.0),
            Effect::Renew { .. } => 3.0,
            Effect::Change { .. } => 12.0,
        });
        let by_query = operation
            .filters
            .iter()
            .filter(|filter| matches!(filter.by, FilterBy::Query(..)));
        of_effects
            .reduce(f64::min)
            .unwrap_or(8.0 + 4.0 * by_query.count() as f64)
    }

    /// A caller, mostly one of the first ones.
    fn caller(&mut self, call: &mut Call<'m>, known: &Knowledge<'m>, surface: &Surface) {
        let Some(credential) = self.model.credential_of(surface) else {
            return;
        };
        let all = || {
            known
                .credentials
                .iter()
                .enumerate()
                .filter(|(_, one)| one.kind == credential.name)
        };
        let living: Vec<usize> = all()
            .filter(|(_, one)| !one.has_ended)
            .map(|(index, _)| index)
            .collect();
        let ended: Vec<usize> = all().filter(|(_, one)| one.has_ended).map(|(index, _)| index).collect();
        let among = match self.random.below(100) {
            0 => &[][..],
            1..4 if !ended.is_empty() => &ended,
            4..60 => &living[..living.len().min(3)],
            _ => &living,
        };
        call.credential = self.random.of(among).copied();
        if call.credential.is_none() || self.random.percent(1) {
            let wrong = self
                .random
                .word(&["", "x", "htd_0000000000000000000000000000000000000000"]);
            if self.random.percent(70) {
                call.other_secret = Some((credential.header.clone(), wrong.to_owned()));
            }
        }
    }

    fn path(
        &mut self,
        call: &mut Call<'m>,
        known: &Knowledge<'m>,
        surface: &Surface,
        operation: &'m Operation,
        caller: Option<i64>,
    ) {
        let acting = self
            .model
            .credential_of(surface)
            .and_then(|credential| credential.caller.as_ref());
        for parameter in &operation.path {
            let from_path = IdSource::Path(parameter.name.clone());
            let Some(guard) = operation.exists.iter().find(|guard| guard.id == from_path) else {
                call.path.push((&parameter.name, "1".to_owned()));
                continue;
            };
            let resource = self.model.resource(&guard.resource);
            let parent = guard.parent.as_ref().and_then(|(parent, field)| {
                let of_parent = operation.exists.iter().find(|guard| guard.resource == *parent)?;
                let IdSource::Path(name) = &of_parent.id else {
                    return None;
                };
                let sent = call.path.iter().find(|(known, _)| known == name)?;
                Some((field, sent.1.parse::<i64>().ok()?))
            });
            let owner = acting.and_then(|acting| resource.owner.iter().find(|(owner, _)| *owner == acting.resource));
            let prefers_own = self.random.percent(80);
            let prefers_child = self.random.percent(92);
            let fits = |record: &&super::known::Record| {
                let is_own = owner.is_none_or(|(_, field)| record.link(field) == caller);
                let is_child = parent.is_none_or(|(field, id)| record.link(field) == Some(id));
                (is_own || !prefers_own) && (is_child || !prefers_child)
            };
            let all = known.records(&guard.resource);
            // A parent without such a record leads nowhere: one that has some is preferred.
            let children = operation.exists.iter().filter_map(|child| match &child.parent {
                Some((of, field)) if *of == guard.resource => Some((&child.resource, field)),
                _ => None,
            });
            let children: Vec<_> = children.collect();
            let has_children = |record: &&super::known::Record| {
                children.iter().all(|(child, field)| {
                    known
                        .records(child)
                        .iter()
                        .any(|one| one.link(field) == Some(record.id))
                })
            };
            let fitting: Vec<i64> = all
                .iter()
                .filter(fits)
                .filter(has_children)
                .map(|record| record.id)
                .collect();
            // A quota is reached sooner if it is always the same one's.
            let quota = operation.quota.as_ref().map(|quota| self.model.quota(quota));
            let is_counted = quota.is_some_and(|quota| quota.per == guard.resource);
            let text = match self.random.below(100) {
                0 => self
                    .random
                    .word(&["abc", "01", "+1", "1.0", "-1", "9223372036854775808", "1 ", "é"])
                    .to_owned(),
                1 => self
                    .random
                    .word(&["0", "999999", "9007199254740991", "9007199254740992"])
                    .to_owned(),
                2 => self
                    .random
                    .of(known.ended(&guard.resource))
                    .copied()
                    .unwrap_or(7)
                    .to_string(),
                3..8 => self.random.of(all).map_or(1, |record| record.id).to_string(),
                8..50 if is_counted => fitting.first().copied().unwrap_or(1).to_string(),
                _ => self.random.recent(&fitting).copied().unwrap_or(1).to_string(),
            };
            call.path.push((&parameter.name, text));
        }
    }

    fn body(&mut self, call: &mut Call<'m>, known: &Knowledge<'m>, body: &'m Body) {
        let mut values = Values {
            model: self.model,
            random: &mut self.random,
            known,
        };
        let resource = body.resource.as_deref();
        let mut members: Vec<String> = body
            .members
            .iter()
            .filter_map(|member| values.member(member, resource))
            .collect();
        if members.is_empty() && values.random.percent(90) {
            let member = values.random.of(&body.members);
            members.extend(member.map(|member| {
                let place = resource.map(|resource| (resource, member.field.name.as_str()));
                format!("\"{}\":{}", member.field.name, values.valid(&member.field.of, place))
            }));
        }
        if values.random.percent(9) {
            let any = values.random.below(members.len());
            let declared = values.random.of(&body.members);
            match (values.random.below(5), declared) {
                (0, _) if !members.is_empty() => drop(members.remove(any)),
                (1, _) => members.extend(members.get(any).cloned()),
                (2, _) => members.push("\"unknown_member\":1".to_owned()),
                (3, Some(member)) => members.push(format!("\"{}s\":1", member.field.name)),
                (_, Some(member)) => {
                    let key = format!("\"{}\":", member.field.name);
                    members.retain(|written| !written.starts_with(&key));
                    members.push(format!("{key}{}", values.invalid(&member.field.of)));
                }
                _ => {}
            }
        }
        let text = format!("{{{}}}", members.join(","));
        call.json = serde_json::from_str(&text).unwrap_or(Value::Null);
        call.body = Some(text);
        call.media_type = Some("application/json");
        match self.random.below(200) {
            0 => call.media_type = None,
            1 => call.media_type = Some("text/plain"),
            2 => call.body = Some(String::new()),
            3 => call.body = call.body.take().map(|text| text + "}"),
            4 => call.body = Some("[]".to_owned()),
            5 => call.media_type = Some("application/json; charset=utf-8"),
            _ => {}
        }
    }

    /// Another method, or another path.
    fn elsewhere(&mut self, call: &mut Call<'m>) {
        if self.random.percent(60) {
            let method = self
                .random
                .word(&["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
            if method != call.method {
                method.clone_into(&mut call.method);
            }
        }
        let (surface, operation) = self.operations[self.random.below(self.operations.len())];
        let route = format!("{}{}", surface.base, operation.route);
        let filled: Vec<&str> = route
            .split('/')
            .map(|part| if part.starts_with(':') { "1" } else { part })
            .collect();
        let has_method = |(of, one): (&Surface, &Operation)| {
            one.method == call.method && format!("{}{}", of.base, one.route) == route
        };
        let end = match self.model.operations().any(has_method) {
            true => self.random.word(&["/", "//"]),
            false => self.random.word(&["", "/", "//"]),
        };
        call.operation = None;
        call.other_path = Some(filled.join("/") + end);
    }
}
