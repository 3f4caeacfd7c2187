//! The next call: an operation, a caller, the ids in the path, the query and the body.

use super::awkward;
use super::call::Call;
use super::causes::Causes;
use super::known::{Knowledge, Known};
use super::learn::is_declared;
use super::random::Random;
use super::spoil::{SPOILED, can_be_copied};
use super::values::Values;
use super::wish::{Called, Wish};
use crate::contract::file_sample;
use codegen::Model;
use codegen::model::{Body, Effect, FilterBy, Operation, Surface};
use codegen::step::Step;
use serde_json::Value;
use std::rc::Rc;

/// Addresses, most of them of one network.
const PEERS: [&str; 6] = [
    "127.0.0.1",
    "127.0.0.1",
    "::ffff:127.0.0.1",
    "192.0.2.7",
    "2001:db8::1",
    "2001:db8::2:1",
];

/// Makes the calls of a history.
pub(super) struct Generator<'m> {
    pub(super) model: &'m Model,
    pub(super) random: Random,
    pub(super) operations: Vec<Called<'m>>,
    /// The time, in milliseconds since 1970.
    pub(super) now: u64,
    /// Whether each operation has succeeded.
    has_succeeded: Vec<bool>,
    /// Reads that have succeeded.
    pub(super) reads: Vec<Call<'m>>,
    /// Calls with idempotency keys that have succeeded.
    pub(super) keyed: Vec<Call<'m>>,
    /// The number of the last key.
    last_key: u64,
    /// A call that is repeated so many times, to reach its limit.
    pub(super) burst: Option<(Call<'m>, usize)>,
    pub(super) style: Style,
    causes: Rc<Causes>,
}

/// What kinds of calls are made.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// Whether one caller repeats its calls until a limit rejects them.
    pub(super) exhausts: bool,
    /// Whether calls are sent several times at once.
    pub(super) has_copies: bool,
    /// Whether forms are sent that the contract allows or rejects only by the letter.
    pub(super) is_strict: bool,
    /// Whether calls come from several addresses.
    pub(super) has_peers: bool,
}

impl<'m> Generator<'m> {
    pub(super) fn new(model: &'m Model, seed: u64, style: Style, causes: Rc<Causes>) -> Self {
        let operations: Vec<_> = model
            .operations()
            .filter(|(_, operation)| is_declared(operation))
            .collect();
        Self {
            model,
            random: Random::new(seed),
            now: 0,
            has_succeeded: vec![false; operations.len()],
            operations,
            reads: Vec::new(),
            keyed: Vec::new(),
            last_key: 0,
            burst: None,
            style,
            causes,
        }
    }

    /// Any call.
    pub(super) fn next(&mut self, known: &Knowledge<'m>) -> Call<'m> {
        if let Some((call, left)) = &mut self.burst
            && *left > 0
        {
            *left -= 1;
            return call.clone();
        }
        let mut call = self.any(known);
        let is_counted = call.operation.is_some_and(|(_, operation)| operation.limit.is_some());
        let chance = if call.credential.is_none() { 20 } else { 1 };
        if self.style.exhausts && is_counted && self.random.percent(chance) {
            let length = match call.credential {
                Some(_) => *self.random.of(&[25, 25, 65, 110]).unwrap_or(&25),
                None => 310,
            };
            self.burst = Some((call.clone(), length));
        }
        if self.style.has_copies && self.random.percent(4) && can_be_copied(self.model, &call) {
            call.copies = 3;
            // Which of them comes first is not known.
            call.key = None;
        }
        call
    }

    fn any(&mut self, known: &Knowledge<'m>) -> Call<'m> {
        if self.random.percent(25)
            && let Some(read) = self.random.recent(&self.reads).cloned()
            && read
                .credential
                .is_none_or(|index| known.credentials[index].rests_until <= self.now)
        {
            return read;
        }
        if self.random.percent(4)
            && let Some(repeated) = self.repeated(known)
        {
            return repeated;
        }
        let operations = self.operations.iter().zip(&self.has_succeeded);
        let weights: Vec<f64> = operations
            .map(|((surface, operation), has_succeeded)| {
                let weight = self.weight(known, surface, operation, *has_succeeded);
                weight * self.causes.weight(surface, operation)
            })
            .collect();
        let called = self.operations[self.random.weighted(&weights)];
        let is_doubly_wrong = self.random.percent(4);
        let wish = Wish {
            is_valid: is_doubly_wrong,
            ..Wish::default()
        };
        let mut call = self.call(known, called, &wish);
        if is_doubly_wrong {
            // Which of two errors is the answer?
            for _ in 0..2 {
                let step = *self.random.of(&SPOILED).unwrap_or(&Step::Decode);
                self.spoil(&mut call, known, step);
            }
            return call;
        }
        match self.random.below(100) {
            0..2 => self.elsewhere(&mut call),
            2..5 => awkward::change(&mut call, self.model, &mut self.random, self.style.is_strict),
            _ => {}
        }
        call
    }

    /// A call of this operation.
    pub(super) fn call(&mut self, known: &Knowledge<'m>, (surface, operation): Called<'m>, wish: &Wish) -> Call<'m> {
        let mut call = Call {
            operation: Some((surface, operation)),
            method: operation.method.text.clone(),
            ..Call::default()
        };
        if self.style.has_peers {
            call.peer = self.random.word(&PEERS).parse().ok();
        }
        self.caller(&mut call, known, surface, wish);
        let caller = call.credential.map(|index| known.credentials[index].caller);
        self.path(&mut call, known, (surface, operation), caller, wish);
        let resource = operation.listed();
        let list = format!("{}?", call.name());
        let mut values = Values {
            model: self.model,
            random: &mut self.random,
            known,
            wish,
            list: &list,
            is_strict: self.style.is_strict,
        };
        call.query = values.query(resource, operation);
        if let Some(body) = self.model.body(operation) {
            self.body(&mut call, known, body, wish);
        }
        if let Some((media_type, text)) = file_sample(operation) {
            call.media_type = Some(media_type);
            call.body = Some(format!("{text} {}", self.random.below(1000)));
        }
        if operation.keep_seconds.is_some() && (wish.has_key || self.random.percent(25)) {
            self.last_key += 1;
            call.key = Some(self.last_key);
        }
        call
    }

    /// A call with a key that was used: the same call, another one, or the same with another credential, of another caller or
    /// of the same.
    fn repeated(&mut self, known: &Knowledge<'m>) -> Option<Call<'m>> {
        let former = self.random.recent(&self.keyed)?.clone();
        let (surface, operation) = former.operation?;
        let is_living = |index: usize| !known.credentials[index].has_ended;
        let mut call = match self.random.below(5) {
            0 => self.call(known, (surface, operation), &Wish::valid()),
            1 => {
                let of_kind = |one: &Known| Some(&one.kind) == surface.credential.as_ref();
                self.by_another(known, &former, of_kind)
            }
            2 => {
                let caller = former.credential.map(|index| known.credentials[index].caller);
                let of_same =
                    |one: &Known| Some(&one.kind) == surface.credential.as_ref() && Some(one.caller) == caller;
                self.by_another(known, &former, of_same)
            }
            _ => former.clone(),
        };
        call.key = former.key;
        call.credential.is_some_and(is_living).then_some(call)
    }

    /// The same call with one of these credentials, other than its own if there is one.
    fn by_another(&mut self, known: &Knowledge<'m>, call: &Call<'m>, is_meant: impl Fn(&Known) -> bool) -> Call<'m> {
        let meant = known.credentials.iter().enumerate();
        let meant = meant.filter(|(index, one)| !one.has_ended && Some(*index) != call.credential && is_meant(one));
        let meant: Vec<usize> = meant.map(|(index, _)| index).collect();
        Call {
            credential: self.random.of(&meant).copied().or(call.credential),
            ..call.clone()
        }
    }

    /// A read that has succeeded is repeated later; an operation is called less often once it has succeeded.
    pub(super) fn succeeded(&mut self, call: Call<'m>) {
        const KEPT: usize = 60;
        let of_call = |(_, one): &(_, &Operation)| {
            call.operation
                .is_some_and(|(_, operation)| std::ptr::eq(operation, *one))
        };
        if let Some(place) = self.operations.iter().position(of_call) {
            self.has_succeeded[place] = true;
        }
        if call.key.is_some() {
            self.keyed.push(call.clone());
        }
        if call.is_read() {
            self.reads.push(call);
            if self.reads.len() > KEPT {
                self.reads.remove(0);
            }
        }
    }

    /// Operations that make something are called less often the more there is; all are called often until they succeed.
    fn weight(&self, known: &Knowledge<'m>, surface: &Surface, operation: &Operation, has_succeeded: bool) -> f64 {
        const RARE: f64 = 0.2;
        const OFTEN: f64 = 20.0;
        let has_caller = self.model.credential_of(surface).is_none_or(|credential| {
            credential.caller.is_none()
                || known
                    .credentials
                    .iter()
                    .any(|one| one.kind == credential.name && !one.has_ended)
        });
        let has_records = operation
            .exists()
            .filter(|guard| !guard.is_optional)
            .all(|guard| !known.records(&guard.resource).is_empty());
        if !has_caller || !has_records {
            return RARE;
        }
        if !has_succeeded || operation.transitions.is_some() {
            return OFTEN;
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
                (OFTEN * enough / count.max(1.0)).min(OFTEN)
            }
            Effect::End { resource, .. } => (known.records(resource).len() as f64 / 2.0).min(5.0),
            Effect::Renew { .. } | Effect::Revoke { .. } => 3.0,
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

    fn body(&mut self, call: &mut Call<'m>, known: &Knowledge<'m>, body: &'m Body, wish: &Wish) {
        let wish = &self.with_own_records(call, known, wish);
        let mut values = Values {
            model: self.model,
            random: &mut self.random,
            known,
            wish,
            list: "",
            is_strict: self.style.is_strict,
        };
        let resource = body.resource.as_deref();
        let mut members: Vec<String> = body
            .members
            .iter()
            // Other realms may have records of the server's own.
            .filter(|member| {
                let mut operation = call.operation.iter();
                !operation.any(|(_, one)| self.model.sets_realm(one, &member.field.name))
            })
            .filter_map(|member| values.member(member, resource))
            .collect();
        if members.is_empty() && (wish.is_valid || values.random.percent(90)) {
            let allowed = body
                .members
                .iter()
                .filter(|member| !wish.absent.contains(&member.field.name));
            let member = values.random.of(&allowed.collect::<Vec<_>>()).copied();
            members.extend(member.map(|member| {
                let place = resource.map(|resource| (resource, member.field.name.as_str()));
                format!("\"{}\":{}", member.field.name, values.valid(&member.field.of, place))
            }));
        }
        let mut chance = if wish.is_valid { 0 } else { 9 };
        while values.random.percent(chance) {
            values.spoil(&mut members, body);
            // A second error is reported with the first one.
            chance = 40;
        }
        let text = format!("{{{}}}", members.join(","));
        call.json = serde_json::from_str(&text).unwrap_or(Value::Null);
        call.body = Some(text);
        call.media_type = Some("application/json");
        if !wish.is_valid && self.random.percent(1) {
            call.media_type = self.random.of(&[None, Some("text/plain")]).copied().flatten();
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
