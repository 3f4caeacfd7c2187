//! The resources that an operation writes: those that its answer names, or else the one that it is asked to change.

use super::members;
use crate::contract::Operation;
use crate::invariants::IdOrigin;
use crate::suite::description::creators::caller_of;
use codegen::model::{Body, Data, Field, Kind, Model, Resource};

/// A resource that an operation writes.
#[derive(Clone)]
pub(super) struct Written {
    pub(super) resource: &'static Resource,
    pub(super) id_origin: IdOrigin,
    /// Whether it is the purpose of the operation. Other resources in an answer were created as a side effect.
    pub(super) is_subject: bool,
    /// The member of the body that lists them, if there are several.
    pub(super) items: Option<&'static str>,
}

/// The resources that the operation writes: those that its answer names, or else the one that it is asked to change.
pub(super) fn written(write: &Operation) -> Vec<Written> {
    let (model, declared) = (write.contract.model, write.declared);
    let members = match &declared.data {
        Some(Data::Members(members)) => members.as_slice(),
        _ => &[],
    };
    let ids: Vec<(&Field, &Resource)> = members
        .iter()
        .filter_map(|member| match &member.of.kind {
            Kind::Id(resource) => Some((member, model.resource(resource))),
            _ => None,
        })
        .collect();
    let body = write.declared_body();
    let (listed, of_items) = match body.and_then(|body| items(model, body)) {
        Some((member, resource)) => (Some(member), Some(resource)),
        None => (None, None),
    };
    let named = of_items
        .or(body.and_then(|body| body.resource.as_deref()))
        .or(declared.transitions.as_ref().map(|moved| moved.resource.as_str()));
    let made = ids.iter().any(|(_, resource)| Some(resource.name.as_str()) == named);
    if !ids.is_empty() && (made || named.is_none()) {
        let subject = named.unwrap_or(&ids[0].1.name);
        let written = ids.iter().map(|(member, resource)| Written {
            resource,
            id_origin: IdOrigin::InData(&member.name),
            is_subject: resource.name == subject,
            items: listed.filter(|_| member.of.list && resource.name == subject),
        });
        return written.collect();
    }
    let last = write.exists.iter().rfind(|exists| exists.is_in_path());
    let last = last.map(|exists| exists.resource.name.as_str());
    changed(write, named.or(last)).into_iter().collect()
}

fn changed(write: &Operation, named: Option<&str>) -> Option<Written> {
    let resource = write.contract.model.resource(named?);
    let is_named = write.exists.iter().any(|exists| exists.resource.name == resource.name);
    let is_own = caller_of(write) == Some(&resource.name) && write.declared.path.is_empty();
    let id_origin = match (is_named, is_own) {
        (true, _) => IdOrigin::Named(&resource.name),
        (false, true) => IdOrigin::Own,
        (false, false) => return None,
    };
    Some(Written {
        resource,
        id_origin,
        is_subject: true,
        items: None,
    })
}

/// The member of a body that lists the created resources, and their kind.
fn items(model: &'static Model, body: &'static Body) -> Option<(&'static str, &'static str)> {
    body.members.iter().find_map(|member| {
        let input = members::input_of_items(model, &member.field.of)?;
        Some((member.field.name.as_str(), input.body.resource.as_deref()?))
    })
}
