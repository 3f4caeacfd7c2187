//! Calls with an aim: an outcome that was not met yet, a derived value whose source changes, a list longer than a page.
//! The model says in advance what a call would meet.

use super::call::Call;
use super::generate::Generator;
use super::known::{Knowledge, Record};
use super::learn::is_state;
use super::outcomes::{Goal, named, reachable_quota};
use super::wish::{Called, Wish};
use super::wishes::{has_credential, text, wish_for};
use codegen::model::{Condition, Effect, ErrorEntry, FieldIs, Kind, Operation, RecordId};
use codegen::step::Step;
use serde_json::Value;
use std::collections::{HashMap, HashSet, VecDeque};

/// How often an outcome is tried.
const MOST_TRIES: usize = 120;

/// What the model would answer to a call: the status and the error.
pub(super) type Forecast<'f, 'm> = &'f dyn Fn(&Call<'m>) -> (u16, Option<&'m ErrorEntry>);

/// The next calls.
enum Plan<'m> {
    /// This one.
    Call(Call<'m>),
    /// One with this outcome.
    Goal(Goal<'m>, Wish),
}

/// What is planned.
#[derive(Default)]
pub(super) struct Aims<'m> {
    planned: VecDeque<Plan<'m>>,
    /// How often each outcome was tried.
    tries: HashMap<String, usize>,
    /// The lists that have grown longer than a page.
    pub(super) grown: HashSet<String>,
}

impl<'m> Aims<'m> {
    pub(super) fn call(&mut self, call: Call<'m>) {
        self.planned.push_back(Plan::Call(call));
    }

    pub(super) fn success(&mut self, (surface, operation): Called<'m>, wish: Wish) {
        self.goal((surface, operation, None), wish);
    }

    pub(super) fn goal(&mut self, goal: Goal<'m>, wish: Wish) {
        self.planned.push_back(Plan::Goal(goal, wish));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.planned.is_empty()
    }

    /// The next planned call.
    pub(super) fn next(
        &mut self,
        generator: &mut Generator<'m>,
        known: &Knowledge<'m>,
        forecast: Forecast<'_, 'm>,
    ) -> Option<Call<'m>> {
        while let Some(plan) = self.planned.pop_front() {
            match plan {
                Plan::Call(call) if call.credential.is_none_or(|index| !known.credentials[index].has_ended) => {
                    return Some(call);
                }
                Plan::Call(_) => {}
                Plan::Goal(goal, wish) => {
                    let call = find(generator, known, &goal, &wish, forecast);
                    if call.is_some() {
                        return call;
                    }
                }
            }
        }
        None
    }

    /// A call that meets one of these outcomes; or what must happen before is planned.
    pub(super) fn meet(
        &mut self,
        generator: &mut Generator<'m>,
        known: &Knowledge<'m>,
        goals: &[Goal<'m>],
        forecast: Forecast<'_, 'm>,
    ) -> Option<Call<'m>> {
        let tries = |goal: &Goal| self.tries.get(&named(goal).to_string()).copied().unwrap_or(0);
        let is_open = |goal: &&Goal<'m>| !is_of_limit(goal) && tries(goal) < MOST_TRIES;
        let open: Vec<&Goal<'m>> = goals.iter().filter(is_open).collect();
        let goal = **generator.random.of(&open)?;
        *self.tries.entry(named(&goal).to_string()).or_default() += 1;
        let wish = wish_for(generator, known, &goal);
        let call = find(generator, known, &goal, &wish, forecast);
        if call.is_none() {
            self.prepare(generator, known, goal, wish);
        }
        call
    }

    /// Plans what must happen before the outcome can be met, and the outcome.
    pub(super) fn prepare(&mut self, generator: &mut Generator<'m>, known: &Knowledge<'m>, goal: Goal<'m>, wish: Wish) {
        let (surface, operation, error) = goal;
        let model = generator.model;
        let acting = model
            .credential_of(surface)
            .and_then(|credential| credential.caller.as_ref());
        let Some(error) = error else {
            if let Some((acting, field)) = acting.and_then(|acting| Some((acting, acting.suspended.as_ref()?))) {
                self.readmit(generator, known, (&acting.resource, field));
                self.goal(goal, wish);
            }
            if let Some(wish) = self.set_up(generator, known, operation) {
                self.goal(goal, wish);
            }
            return;
        };
        match error.step {
            Step::Suspended => {
                let Some((acting, field)) = acting.and_then(|acting| Some((acting, acting.suspended.as_ref()?))) else {
                    return;
                };
                let of_surface = known.records(&acting.resource).iter();
                let callers: Vec<&Record> = of_surface
                    .filter(|record| has_credential(known, surface, record))
                    .collect();
                if let Some(record) = generator.random.of(&callers) {
                    self.change(generator, &acting.resource, record.id, field);
                }
            }
            Step::Quota => {
                let Some(quota) = reachable_quota(model, operation) else {
                    return;
                };
                let wish = self.set_up(generator, known, operation).unwrap_or(wish);
                for _ in 0..=quota.max {
                    self.success((surface, operation), wish.clone());
                }
                self.goal(goal, wish.clone());
                // A record that is gone makes room for another one.
                if let Some(end) = generator
                    .operations
                    .iter()
                    .find(|(_, operation)| quota.records().is_some_and(|of| operation.ends(of)))
                {
                    let per = wish.caller.or_else(|| wish.record(&quota.per));
                    let of_end = Wish {
                        caller: per,
                        ..Wish::valid()
                    };
                    self.success(*end, of_end);
                    self.success((surface, operation), wish.clone());
                    self.goal(goal, wish);
                }
            }
            Step::Rule | Step::Transition => {
                if let Some(Condition::Exists {
                    resource, none: false, ..
                }) = &error.when
                    && let Some(maker) = maker(generator, resource)
                {
                    // What it makes leads to this outcome.
                    let wish = self.set_up(generator, known, maker.1).unwrap_or_else(Wish::valid);
                    self.success(maker, wish);
                    return;
                }
                let field = match &error.when {
                    Some(Condition::Field { resource, is }) => Some((resource.clone(), is.field.clone())),
                    _ => operation.transitions.as_ref().and_then(|moved| {
                        let states = model.enumeration(&moved.states).states.as_ref()?;
                        Some((moved.resource.clone(), states.of.1.clone()))
                    }),
                };
                let Some((resource, field)) = field else { return };
                if let Some(record) = generator.random.of(known.records(&resource)) {
                    self.change(generator, &resource, record.id, &field);
                    // Another call may change it again before chance names this record.
                    self.goal(goal, Wish::naming(&resource, record.id));
                    // What ends the condition makes the call possible again.
                    self.change(generator, &resource, record.id, &field);
                    self.success((surface, operation), Wish::naming(&resource, record.id));
                }
            }
            Step::KeyReused | Step::KeySecret => {
                let wish = self.set_up(generator, known, operation).unwrap_or(wish);
                let keyed = Wish {
                    has_key: true,
                    ..wish.clone()
                };
                self.success((surface, operation), keyed);
                self.goal(goal, wish);
            }
            Step::Exists | Step::Owner | Step::Plan => {
                let makers = operation.exists().filter_map(|guard| maker(generator, &guard.resource));
                for maker in makers.collect::<Vec<_>>() {
                    self.success(maker, Wish::valid());
                }
            }
            _ => {}
        }
    }

    /// Plans changes of the states because of which rules reject the operation, for records that it then names: of some, those with
    /// the fewest. `None` if it has no such rule.
    pub(super) fn set_up(
        &mut self,
        generator: &mut Generator<'m>,
        known: &Knowledge<'m>,
        operation: &'m Operation,
    ) -> Option<Wish> {
        const SOME: usize = 12;
        let model = generator.model;
        let rules = operation
            .rules
            .iter()
            .filter_map(|rule| match &model.error(&rule.text).when {
                Some(Condition::Field { resource, is }) => Some((resource.as_str(), is)),
                _ => None,
            });
        let is_found = |resource: &str| operation.exists().any(|exists| exists.resource == resource);
        let rules: Vec<_> = rules.filter(|(resource, _)| is_found(resource)).collect();
        rules.first()?;
        let guards: Vec<_> = operation.exists().collect();
        let last = &guards.last()?.resource;
        let named = |id: RecordId| {
            let mut named = vec![(last.clone(), id)];
            for exists in guards.iter().rev() {
                let Some((parent, field)) = &exists.parent else {
                    continue;
                };
                let (child, id) = named.iter().find(|(resource, _)| *resource == exists.resource)?;
                let parent = (parent.clone(), known.record(child, *id)?.link(field)?);
                named.push(parent);
            }
            Some(named)
        };
        let rejects = |named: &[(String, RecordId)], (resource, is): &(&str, &FieldIs)| {
            let id = named.iter().find(|(known, _)| known == resource).map(|(_, id)| *id)?;
            let value = known
                .record(resource, id)
                .and_then(|record| record.values.get(&is.field));
            value.is_none_or(|value| is.holds(&text(value))).then_some(id)
        };
        // Nothing ends a record because of which there may be no other one.
        let is_done = |named: &[(String, RecordId)]| {
            let mut rules = operation.rules.iter();
            rules.any(|rule| match &model.error(&rule.text).when {
                Some(Condition::Exists {
                    resource,
                    none: false,
                    within,
                }) => known.records(resource).iter().any(|record| {
                    within.iter().all(|(parent, field)| {
                        let parent = parent
                            .as_ref()
                            .and_then(|of| named.iter().find(|(known, _)| known == of));
                        parent.is_some_and(|(_, id)| record.link(field) == Some(*id))
                    })
                }),
                _ => false,
            })
        };
        let some = (0..SOME).filter_map(|_| named(generator.random.of(known.records(last))?.id));
        let blocked =
            |named: &Vec<(String, RecordId)>| rules.iter().filter(|rule| rejects(named, rule).is_some()).count();
        let named = some.min_by_key(|named| (is_done(named), blocked(named)))?;
        for rule in &rules {
            if let Some(id) = rejects(&named, rule) {
                let (resource, is) = *rule;
                let of = &model.resource(resource).field(&is.field).of.kind;
                let all = match of {
                    Kind::Enum(name) => model.enumeration(name).values.clone(),
                    _ => ["true", "false"].map(str::to_owned).into(),
                };
                let passing = all.into_iter().find(|value| !is.holds(value));
                let value = passing.map(|value| match of {
                    Kind::Boolean => Value::Bool(value == "true"),
                    _ => Value::String(value),
                });
                self.change_to(generator, (resource, id), &is.field, value);
            }
        }
        Some(Wish {
            records: named,
            ..Wish::valid()
        })
    }

    /// Plans the end of a suspension: those who would succeed may all be suspended.
    fn readmit(&mut self, generator: &mut Generator<'m>, known: &Knowledge<'m>, (resource, field): (&str, &str)) {
        let is_suspended = |record: &&Record| record.values.get(field).and_then(Value::as_bool) == Some(true);
        let suspended: Vec<&Record> = known.records(resource).iter().filter(is_suspended).collect();
        if let Some(record) = generator.random.of(&suspended) {
            self.change(generator, resource, record.id, field);
        }
    }

    /// Plans a change of a field of a record.
    pub(super) fn change(&mut self, generator: &mut Generator<'m>, resource: &str, id: RecordId, field: &str) -> bool {
        self.change_to(generator, (resource, id), field, None)
    }

    /// Plans a change of a field of a record to this value, or to any.
    fn change_to(
        &mut self,
        generator: &mut Generator<'m>,
        (resource, id): (&str, RecordId),
        field: &str,
        value: Option<Value>,
    ) -> bool {
        let model = generator.model;
        let changes = |(surface, operation): &Called<'m>| {
            let body = model.body(operation)?;
            let mut members = body.members.iter();
            if let Some(moved) = &operation.transitions
                && moved.resource == resource
                && model.enumeration(&moved.states).states.as_ref()?.of.1 == field
            {
                let is_set = |kind| is_state(model, &moved.states, kind);
                let member = members.find(|member| is_set(&member.field.of.kind))?;
                return Some((*surface, *operation, true, member.field.name.as_str()));
            }
            let member = members.find(|member| member.field.name == field)?;
            operation.effects.iter().find_map(|effect| match effect {
                Effect::Change {
                    resource: of, target, ..
                } if of == resource => {
                    let is_found = matches!(target, codegen::model::Target::Found(_));
                    Some((*surface, *operation, is_found, member.field.name.as_str()))
                }
                _ => None,
            })
        };
        let possible: Vec<_> = generator.operations.iter().filter_map(changes).collect();
        let Some((surface, operation, is_found, member)) = generator.random.of(&possible).copied() else {
            return false;
        };
        let mut wish = Wish {
            members: vec![field.to_owned()],
            values: value.into_iter().map(|value| (member.to_owned(), value)).collect(),
            ..Wish::valid()
        };
        match is_found {
            true => wish.records.push((resource.to_owned(), id)),
            false => wish.caller = Some(id),
        }
        self.success((surface, operation), wish);
        true
    }
}

/// Whether only exhausting a limit meets this outcome.
pub(super) fn is_of_limit(goal: &Goal) -> bool {
    let step = goal.2.map(|error| error.step);
    matches!(step, Some(Step::Limit | Step::CredentialLimit))
}

/// The operation that makes records of a resource, one at a time if there is such a one.
pub(super) fn maker<'m>(generator: &Generator<'m>, resource: &str) -> Option<Called<'m>> {
    let rank = |(_, operation): &&Called<'m>| {
        operation.effects.iter().find_map(|effect| match effect {
            Effect::Make { resource: of, each, .. } if of == resource => {
                Some((each.is_some(), !operation.quotas.is_empty(), operation.effects.len()))
            }
            _ => None,
        })
    };
    let makers = generator.operations.iter().filter(|one| rank(one).is_some());
    makers.min_by_key(rank).copied()
}

/// A call with this outcome, by the model.
pub(super) fn find<'m>(
    generator: &mut Generator<'m>,
    known: &Knowledge<'m>,
    goal: &Goal<'m>,
    wish: &Wish,
    forecast: Forecast<'_, 'm>,
) -> Option<Call<'m>> {
    const TRIES: usize = 14;
    let (surface, operation, error) = *goal;
    let mut wish = wish.clone();
    let acting = generator.model.credential_of(surface);
    let acting = acting.and_then(|credential| credential.caller.as_ref());
    if let (Some(acting), None, false) = (acting, wish.caller, wish.is_of_others) {
        // Who owns what is named must call.
        let owners = wish.records.iter().filter(|(resource, _)| operation.claims(resource));
        wish.caller = owners.into_iter().find_map(|(resource, id)| {
            let mut owners = generator.model.resource(resource).owner.iter();
            let (_, field) = owners.find(|(of, _)| *of == acting.resource)?;
            known.record(resource, *id)?.link(field)
        });
    }
    for _ in 0..TRIES {
        let mut call = generator.call(known, (surface, operation), &wish);
        if let Value::Object(members) = &mut call.json
            && !wish.values.is_empty()
        {
            members.extend(wish.values.iter().cloned());
            call.body = Some(call.json.to_string());
        }
        if let Some(error) = error {
            generator.spoil(&mut call, known, error.step);
        }
        let (status, met) = forecast(&call);
        let is_met = match error {
            None => status < 400,
            Some(error) => met.is_some_and(|met| met.name == error.name),
        };
        if is_met {
            return Some(call);
        }
    }
    None
}
