//! Creates records with chosen links to others, and changes their fields.

use super::DeclaredWorld;
use super::action::Action;
use crate::contract::Operation;
use crate::suite::skip_test;
use crate::world::Caller;
use codegen::model::{Body, Credential, Effect, Fill, Kind, Quota, Target};
use serde_json::Value;

/// A field with the id of another record, and that id.
pub(super) type Link = (&'static str, i64);

impl DeclaredWorld {
    /// The links that a new resource of this caller and within this parent must have.
    pub(super) fn links(&self, resource: &str, caller: &Caller, within: Option<(&str, i64)>) -> Vec<Link> {
        let model = self.contract.model;
        let resource = model.resource(resource);
        let acting = model.credentials.iter().find(|one| one.name == caller.kind);
        let acting = acting.and_then(|credential| credential.caller.as_ref());
        let own = acting.and_then(|acting| resource.owner.iter().find(|(owner, _)| *owner == acting.resource));
        let own = own.map(|(_, field)| (field.as_str(), caller.id));
        let parent = within.and_then(|(parent, id)| {
            let mut fields = resource.fields.iter();
            let field = fields.find(|field| matches!(&field.of.kind, Kind::Id(of) if of == parent))?;
            Some((field.name.as_str(), id))
        });
        own.into_iter().chain(parent).collect()
    }

    /// Creates a resource with these links; returns its id.
    pub(super) fn make(&self, resource: &str, caller: Option<&Caller>, links: &[Link]) -> i64 {
        let Some(operation) = self.making(resource, links, None) else {
            let fields: Vec<&str> = links.iter().map(|(field, _)| *field).collect();
            skip_test(format!(
                "no operation is declared that creates a {resource} with chosen {fields:?}"
            ))
        };
        self.make_by(operation, resource, caller, links, Vec::new())
    }

    /// The operation that creates a resource with chosen links, and with a chosen value of this field.
    pub(super) fn making(&self, resource: &str, links: &[Link], field: Option<&str>) -> Option<&'static Operation> {
        let is_member = |one: &Operation, field: &str| {
            matches!(one.declared.fill(resource, field), Some(Fill::Member(_))) && one.each(resource).is_none()
        };
        self.best(|one| {
            one.makes(resource) && can_link(one, resource, links) && field.is_none_or(|field| is_member(one, field))
        })
    }

    /// Creates a resource with these links by this operation, and with these members of its body; returns its id.
    pub(super) fn make_by(
        &self,
        operation: &'static Operation,
        resource: &str,
        caller: Option<&Caller>,
        links: &[Link],
        members: Vec<(String, Value)>,
    ) -> i64 {
        let mut action = Action::new(operation);
        action.members = members;
        let through = through(operation, resource, links);
        let is_of_kind = |caller: &&Caller| operation.credential.is_some_and(|kind| kind.name == caller.kind);
        // Else who may call follows from the records.
        action.caller = caller.filter(is_of_kind).filter(|_| through.is_empty()).cloned();
        for (of, links) in through {
            action.found.0.push((of, self.make(of, caller, &links)));
        }
        for (field, id) in links {
            match operation.declared.fill(resource, field) {
                Some(Fill::IdOf(Target::Found(found))) => action.found.0.push((found, *id)),
                Some(Fill::IdOf(Target::Caller)) => action.caller = Some(self.caller_with_id(operation, *id)),
                Some(Fill::Member(member)) => match operation.found_by(member) {
                    Some(found) => action.found.0.push((found, *id)),
                    None => action.members.push((member.clone(), (*id).into())),
                },
                _ => {}
            }
        }
        self.run(action).id_of(resource)
    }

    /// Sets a field of a record, unless it is known to have the value.
    pub(super) fn set_field(&self, resource: &str, id: i64, field: &str, value: &Value) {
        if self.known().value(resource, id, field) == Some(value) {
            return;
        }
        let Some((operation, found)) = self.changing(resource, field) else {
            skip_test(format!("no operation is declared that changes {resource}.{field}"))
        };
        let mut action = Action::new(operation);
        match found {
            Target::Found(resource) => action.found.0.push((resource, id)),
            _ => action.caller = Some(self.caller_with_id(operation, id)),
        }
        action.members.push((field.to_owned(), value.clone()));
        self.run(action);
        self.known().set(resource, id, field, value.clone());
    }

    /// The operation that changes a field, and of which record.
    pub(super) fn changing(&self, resource: &str, field: &str) -> Option<(&'static Operation, &'static Target)> {
        let target = |one: &Operation| {
            one.declared.effects.iter().find_map(|effect| match effect {
                Effect::Change {
                    resource: changed,
                    target,
                    ..
                } if changed == resource => Some(target),
                _ => None,
            })
        };
        let has_field = |body: &Body| body.members.iter().any(|member| member.field.name == field);
        let operation = self.best(|one| target(one).is_some() && one.declared_body().is_some_and(has_field))?;
        let mut operations = self.contract.operations().iter();
        let found = operations.find(|one| std::ptr::eq(**one, operation))?;
        let effects = found.declared.effects.iter();
        let mut targets = effects.filter_map(|effect| match effect {
            Effect::Change {
                resource: changed,
                target,
                ..
            } if changed == resource => Some(target),
            _ => None,
        });
        Some((operation, targets.next()?))
    }

    /// How many records a new one of the quota's owner has from the beginning.
    pub(super) fn initial_usage(&self, quota: &Quota) -> u64 {
        let model = self.contract.model;
        let of_owner = |one: &&Credential| one.caller.as_ref().is_some_and(|acting| acting.resource == quota.per);
        let signing_up = model
            .credentials
            .iter()
            .filter(of_owner)
            .find_map(|one| self.signing_up(one));
        let operation = signing_up.or_else(|| self.best(|one| one.makes(&quota.per)));
        operation.map_or(0, |one| {
            u64::from(quota.records().is_some_and(|of| one.declared.fills(of).is_some()))
        })
    }
}

/// The records that guards find and from whose fields links of a new record are taken, with their links. One that its caller must
/// own is the caller's.
fn through(operation: &Operation, resource: &str, links: &[Link]) -> Vec<(&'static str, Vec<Link>)> {
    let mut all: Vec<(&str, Vec<Link>)> = Vec::new();
    for (field, id) in links {
        if let Some(Fill::FieldOf { resource: of, field }) = operation.declared.fill(resource, field) {
            match all.iter_mut().find(|(known, _)| known == of) {
                Some((_, links)) => links.push((field, *id)),
                None => all.push((of, vec![(field, *id)])),
            }
        }
    }
    let acting = operation.credential.and_then(|kind| kind.caller.as_ref());
    let is_caller = |(field, _): &&Link| operation.declared.fill(resource, field) == Some(&Fill::IdOf(Target::Caller));
    let caller = links.iter().find(is_caller).map(|(_, id)| *id);
    for (of, links) in &mut all {
        let owners = &operation.contract.model.resource(of).owner;
        let owner = acting.and_then(|acting| owners.iter().find(|(owner, _)| *owner == acting.resource));
        if let (Some((_, field)), Some(id)) = (owner, caller)
            && links.iter().all(|(known, _)| known != field)
        {
            links.push((field, id));
        }
    }
    all
}

/// Whether the caller of the operation chooses these links of a new record.
pub(crate) fn can_link(operation: &Operation, resource: &str, links: &[(&str, i64)]) -> bool {
    links
        .iter()
        .all(|(field, _)| match operation.declared.fill(resource, field) {
            Some(Fill::IdOf(Target::Found(_) | Target::Caller) | Fill::FieldOf { .. }) => true,
            Some(Fill::Member(_)) => operation.each(resource).is_none(),
            _ => false,
        })
}
