//! Tests of members that show what is stored elsewhere, each with the operations that change its source.

use crate::contract::Operation;
use crate::effects::{Derived, SourceChange, changed_member};
use crate::suite::description::traces;
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Trials, calls};
use codegen::model::{Field, Fill, Origin, Resource, Target};

pub(super) fn add(operation: &'static Operation, trials: &mut Trials) {
    let contract = operation.contract;
    for resource in contract.model.resources.iter().filter(|one| one.distinct.is_none()) {
        let shows = traces::showing(contract, resource).filter(|shows| std::ptr::eq(shows.operation, operation));
        for shows in shows {
            let Some(place) = shows.place(resource) else { continue };
            for member in &shows.view.members {
                let mut fields = resource.fields.iter().chain(&resource.joined);
                let Some(field) = fields.find(|field| field.name == member.source.field()) else {
                    continue;
                };
                for (by, change) in changes(operation, resource, field) {
                    let derived: &'static Derived = Box::leak(Box::new(Derived {
                        place,
                        resource,
                        member: &member.shown,
                        field,
                        by,
                        change,
                    }));
                    add_one(derived, trials);
                }
            }
        }
    }
}

fn add_one(derived: &'static Derived, trials: &mut Trials) {
    let Derived { member, field, by, .. } = derived;
    let origin = field.origin.as_ref().map(ToString::to_string).unwrap_or_default();
    let rule = Rule::new(format!("`{member}` is {origin}, also after `{}`", by.name), field.at);
    let same = |other: &&&Operation| other.declared.name == by.declared.name;
    let name = match by.contract.operations().iter().filter(same).count() {
        1 => format!("{member}_after_{}", by.declared.name),
        _ => format!("{member}_after_{}_{}", by.surface.name, by.declared.name),
    };
    trials.accepts(&name, &rule, calls!(.shows_its_source(derived)));
}

/// The operations that change what the field shows, and how.
fn changes(
    operation: &Operation,
    resource: &'static Resource,
    field: &'static Field,
) -> Vec<(&'static Operation, SourceChange)> {
    let model = operation.contract.model;
    let change = |by: &'static Operation| match field.origin.as_ref()? {
        Origin::Follow { ids, field } => {
            let (_, end) = ids.last()?;
            changed_member(by, end, field).map(SourceChange::Sets)
        }
        Origin::Count {
            resource: part, via, ..
        }
        | Origin::All { resource: part, via } => {
            // The reader's own credential must not end with the record.
            let ends = by.declared.ends(part) && !operation.acts_by(part);
            let ends = ends.then(|| SourceChange::Ends(model.resource(part)));
            adds(by, part, via, resource).or(ends)
        }
        Origin::Latest {
            resource: part, via, ..
        } => adds(by, part, via, resource),
        Origin::Has(kind) => {
            let is_new = !operation
                .contract
                .operations()
                .iter()
                .any(|one| one.makes(&resource.name) && one.mints(kind));
            (is_new && by.renews(kind).is_some()).then_some(SourceChange::GivesCredential)
        }
        _ => None,
    };
    let all = operation.contract.operations().iter().copied();
    let all = all.filter(|by| by.declared.method != "GET");
    all.filter_map(|by| Some((by, change(by)?))).collect()
}

/// Whether the operation makes a part of a record that it finds, or of its caller's own.
fn adds(by: &Operation, part: &'static str, via: &str, whole: &Resource) -> Option<SourceChange> {
    let model = by.contract.model;
    let is_whole = |name: &str| name == whole.name;
    let acting = by.credential.and_then(|kind| kind.caller.as_ref());
    let names_it = match by.declared.fill(part, via)? {
        Fill::IdOf(Target::Found(found)) => is_whole(found),
        Fill::IdOf(Target::Caller) => acting.is_some_and(|acting| is_whole(&acting.resource)),
        Fill::Member(member) => by
            .exists
            .iter()
            .any(|exists| exists.id_name() == member && is_whole(&exists.resource.name)),
        _ => false,
    };
    names_it.then(|| SourceChange::Makes(model.resource(part)))
}
