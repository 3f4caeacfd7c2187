//! What a call must name to meet an outcome.

use super::generate::Generator;
use super::known::{Knowledge, Record};
use super::outcomes::{Goal, reachable_quota};
use super::wish::Wish;
use codegen::Model;
use codegen::model::{Condition, RecordId};
use codegen::step::Step;
use serde_json::Value;

/// What a call must name to meet this outcome.
pub(super) fn wish_for<'m>(generator: &mut Generator<'m>, known: &Knowledge<'m>, goal: &Goal<'m>) -> Wish {
    let (surface, operation, error) = *goal;
    let mut wish = Wish::valid();
    let model = generator.model;
    let credential = model.credential_of(surface);
    let acting = credential.and_then(|credential| credential.caller.as_ref());
    let step = error.map(|error| error.step);
    if matches!(step, Some(Step::Exists | Step::Owner)) {
        let optional = operation.exists().filter(|guard| guard.is_optional);
        wish.members.extend(optional.map(|guard| guard.id.name().to_owned()));
    }
    match (step, acting) {
        (Some(Step::Owner), _) => wish.is_of_others = true,
        (Some(Step::Suspended), Some(acting)) => {
            if let Some(field) = &acting.suspended {
                wish.caller = known.records(&acting.resource).iter().find_map(|record| {
                    let is_suspended = record.values.get(field).and_then(Value::as_bool);
                    (is_suspended == Some(true) && has_credential(known, surface, record)).then_some(record.id)
                });
            }
        }
        (Some(Step::Quota), _) => {
            let Some((quota, of)) = reachable_quota(model, operation).and_then(|quota| Some((quota, quota.records()?)))
            else {
                return wish;
            };
            let owners = model.resource(of).owner.iter();
            let field = owners.clone().find(|(of, _)| *of == quota.per).map(|(_, field)| field);
            let count = |id: RecordId| {
                let all = known.records(of).iter();
                all.filter(|record| field.is_some_and(|field| record.link(field) == Some(id)))
                    .count()
            };
            let all = known.records(&quota.per).iter().map(|record| record.id);
            let plan = acting.and_then(|acting| acting.plan.as_ref()).zip(operation.plan());
            let suspended = acting.and_then(|acting| acting.suspended.as_ref());
            let may_call = |id: &RecordId| {
                let record = known.record(&quota.per, *id);
                let is_caller = acting.is_some_and(|acting| acting.resource == quota.per);
                let can_call = !is_caller || record.is_some_and(|record| has_credential(known, surface, record));
                let has_plan = plan.is_none_or(|((field, _), plan)| {
                    record.is_some_and(|record| record.values.get(field).and_then(Value::as_str) == Some(plan))
                });
                let is_suspended = suspended.is_some_and(|field| {
                    let value = record.and_then(|record| record.values.get(field));
                    is_caller && value.and_then(Value::as_bool) == Some(true)
                });
                can_call && has_plan && !is_suspended
            };
            let fullest = all.filter(may_call).max_by_key(|id| count(*id));
            match acting.is_some_and(|acting| acting.resource == quota.per) {
                true => wish.caller = fullest,
                false => wish.records.extend(fullest.map(|id| (quota.per.clone(), id))),
            }
        }
        _ => {}
    }
    if let Some(Condition::Field { resource, is }) = error.and_then(|error| error.when.as_ref())
        && operation.finds(resource)
        && !is_behind_another(model, goal, resource)
    {
        let is_so = |record: &&Record| record.values.get(&is.field).is_some_and(|value| is.holds(&text(value)));
        let all: Vec<&Record> = known.records(resource).iter().filter(is_so).collect();
        let record = generator.random.of(&all);
        wish.records.extend(record.map(|record| (resource.clone(), record.id)));
    }
    if let Some(Condition::Exists {
        resource,
        none: false,
        within,
    }) = error.and_then(|error| error.when.as_ref())
        && let Some(record) = generator.random.of(known.records(resource))
    {
        wish.stay_within(within, record);
    }
    wish
}

/// Whether an error that comes before that of the goal depends on a record of another resource. A record of this one, chosen
/// alone, would seldom have one that passes there.
fn is_behind_another(model: &Model, (surface, operation, error): &Goal, resource: &str) -> bool {
    let errors = model.errors_of(surface, operation).into_iter();
    let mut before = errors.take_while(|one| error.is_none_or(|error| one.name != error.name));
    before.any(|one| {
        matches!(&one.when, Some(Condition::Field { resource: other, .. }) if other != resource && operation.finds(other))
    })
}

/// A value as conditions write it.
pub(super) fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Whether a record has a living credential for this surface.
pub(super) fn has_credential(known: &Knowledge, surface: &codegen::model::Surface, record: &Record) -> bool {
    let mut all = known.credentials.iter();
    all.any(|one| Some(&one.kind) == surface.credential.as_ref() && one.caller == record.id && !one.has_ended)
}
