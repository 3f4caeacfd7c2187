//! Which resources are owned, and for which ids the guards of an operation prove ownership.
//!
//! A resource is owned if it has an `owner`, belongs to an owned resource, or shows the items of one (`distinct`). Guards prove ownership by `owner`, or by
//! `in` with a parent that is proven.

use super::lookup::{LocatedOperation, TypeTarget, body_members, find, members_of, type_target};
use crate::syntax::{BodyUse, Guard, ListDef, Span, Spec, Table, TypeDef, TypeUse, Word};
use std::collections::{HashMap, HashSet};

/// The resources that are owned.
pub(super) struct OwnedResources<'s>(HashSet<&'s str>);

impl<'s> OwnedResources<'s> {
    pub(super) fn from_spec(spec: &'s Spec) -> Self {
        let mut lies_in: HashMap<&str, Vec<&str>> = HashMap::new();
        let resources = spec.resources.iter().map(|(name, of)| (name, &of.fields));
        let objects = spec.objects.iter().map(|(name, members)| (name, members));
        for (name, fields) in resources.chain(objects) {
            for (_, used) in fields.iter().filter(|(_, used)| !used.list) {
                let around = id_of(used).unwrap_or(&used.name.text);
                lies_in.entry(around).or_default().push(&name.text);
            }
        }
        for (name, resource) in &spec.resources {
            let listed = resource.distinct.as_ref().and_then(|list| list.text.split_once('.'));
            if let Some((around, _)) = listed {
                lies_in.entry(around).or_default().push(&name.text);
            }
        }
        let owned = spec.resources.iter().filter(|(_, resource)| !resource.owner.is_empty());
        let mut waiting: Vec<&str> = owned.map(|(name, _)| name.text.as_str()).collect();
        let mut belonging = HashSet::new();
        while let Some(name) = waiting.pop() {
            if belonging.insert(name) {
                waiting.extend(lies_in.get(name).into_iter().flatten());
            }
        }
        OwnedResources(belonging)
    }

    pub(super) fn holds(&self, resource: &str) -> bool {
        self.0.contains(resource)
    }

    /// The owned parents of a resource.
    pub(super) fn parents(&self, spec: &'s Spec, resource: &str) -> Vec<&'s str> {
        let fields = find(&spec.resources, resource).map(|resource| &resource.fields);
        let fields = fields.into_iter().flat_map(|fields| fields.iter());
        let parents = fields
            .filter(|(_, used)| !used.list)
            .filter_map(|(_, used)| id_of(used));
        parents
            .filter(|parent| *parent != resource && self.holds(parent))
            .collect()
    }
}

/// The resource of an id type; `None` for other types.
pub(super) fn id_of(used: &TypeUse) -> Option<&str> {
    used.name.text.strip_suffix(".id")
}

/// The field of a resource that holds the id of this parent.
pub(super) fn parent_field<'s>(spec: &'s Spec, resource: &str, parent: &str) -> Option<&'s Word> {
    let mut fields = find(&spec.resources, resource)?.fields.iter();
    let is_it = |(name, used): &&(Word, TypeUse)| name.text != "id" && !used.list && id_of(used) == Some(parent);
    fields.find(is_it).map(|(name, _)| name)
}

/// Whether a resource belongs to this parent.
pub(super) fn lies_in(spec: &Spec, resource: &str, parent: &str) -> bool {
    parent_field(spec, resource, parent).is_some()
}

/// The resources for which the guards of an operation prove ownership. A guard that names an unknown resource counts as
/// proof: another rule reports it.
pub(super) fn proven<'s>(operation: LocatedOperation<'s>) -> HashSet<&'s str> {
    let is_unknown = |parent: &Word| find(&operation.spec.resources, &parent.text).is_none();
    let mut proven: HashSet<&str> = operation.owned().map(|resource| resource.text.as_str()).collect();
    loop {
        let before = proven.len();
        for guard in &operation.endpoint.guards {
            if let Guard::Exists {
                resource,
                parent: Some(parent),
            } = guard
                && (proven.contains(parent.text.as_str()) || is_unknown(parent))
            {
                proven.insert(&resource.text);
            }
        }
        if proven.len() == before {
            return proven;
        }
    }
}

/// Where in the request an id is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Stands {
    Path,
    Query,
    Body,
}

/// An id in a request.
pub(super) struct IdUse<'s> {
    pub(super) resource: &'s str,
    /// The parameter, or the member of the body that holds the id at any depth.
    pub(super) name: &'s Word,
    pub(super) stands: Stands,
    /// The position for diagnostics: the type of a parameter, the member of a body, or the input that has it.
    pub(super) at: Span,
    /// Whether a guard can look the id up.
    pub(super) is_found: bool,
}

/// Every id in a request.
pub(super) fn ids<'s>(operation: LocatedOperation<'s>) -> Vec<IdUse<'s>> {
    let endpoint = operation.endpoint;
    let (path, query) = (
        parameters(&endpoint.path, Stands::Path),
        parameters(&endpoint.query, Stands::Query),
    );
    let mut ids: Vec<IdUse<'_>> = path.chain(query).collect();
    let Some(body) = operation.body() else { return ids };
    let named = match &endpoint.body {
        Some(BodyUse::Named(name)) => Some(name.at),
        _ => None,
    };
    for (name, used) in body_members(operation.spec, body) {
        let resources = ids_within(operation.spec, &used.name.text).into_iter();
        ids.extend(resources.map(|resource| IdUse {
            resource,
            name,
            stands: Stands::Body,
            at: named.unwrap_or(name.at),
            is_found: operation.ids_of(resource).iter().any(|found| found.at == name.at),
        }));
    }
    ids
}

fn parameters(table: &Table<TypeUse>, stands: Stands) -> impl Iterator<Item = IdUse<'_>> {
    table.iter().filter_map(move |(name, used)| {
        Some(IdUse {
            resource: id_of(used)?,
            name,
            stands,
            at: used.name.at,
            is_found: stands == Stands::Path,
        })
    })
}

/// The resources whose ids a value of a type holds, at any depth.
fn ids_within<'s>(spec: &'s Spec, name: &'s str) -> Vec<&'s str> {
    let mut seen = HashSet::from([name]);
    let mut waiting = vec![name];
    let mut found = Vec::new();
    while let Some(name) = waiting.pop() {
        let parts: Vec<&str> = match type_target(spec, name) {
            TypeTarget::Id => {
                found.extend(name.strip_suffix(".id"));
                continue;
            }
            TypeTarget::Type(TypeDef::List(ListDef { of, .. })) => vec![&of.text],
            _ => {
                let members = members_of(spec, name).unwrap_or_default().into_iter();
                members.map(|(_, used)| used.name.text.as_str()).collect()
            }
        };
        waiting.extend(parts.into_iter().filter(|part| seen.insert(part)));
    }
    found
}
