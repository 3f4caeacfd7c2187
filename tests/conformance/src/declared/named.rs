//! Who may call an operation for a record, and which resources the request then names.

use super::DeclaredWorld;
use crate::contract::Operation;
use crate::world::{Caller, RequestedResources};
use codegen::model::{Caller as Acting, Data, FilterBy, Kind};
use serde_json::Value as Json;

/// The name of a resource, and an id.
type Record = (&'static str, i64);

impl DeclaredWorld {
    /// The id in this field of a record.
    pub(super) fn link_of(&self, (resource, id): Record, field: &str) -> Option<i64> {
        self.known().value(resource, id, field).and_then(Json::as_i64)
    }

    /// The resources that the request names and that the record decides: itself, and those that it holds the ids of.
    pub(super) fn named_for(&self, operation: &Operation, record: Record) -> RequestedResources {
        let guarded = operation.exists.iter().map(|exists| exists.resource.name.as_str());
        let others = operation.parameters.iter().chain(operation.members());
        let named = guarded.chain(others.flat_map(|one| one.of.ids()));
        let mut found = RequestedResources::default();
        for resource in named {
            let id = match resource == record.0 {
                true => Some(record.1),
                false => self.id_within(record, resource),
            };
            if let Some(id) = id.filter(|_| !found.has(resource)) {
                found.0.push((resource, id));
            }
        }
        self.find_parents(operation, &mut found);
        found
    }

    /// Adds the records that those found must lie within, as far as they are known.
    pub(super) fn find_parents(&self, operation: &Operation, found: &mut RequestedResources) {
        // A child comes after its parent.
        for exists in operation.exists.iter().rev() {
            let Some((parent, field)) = exists.within.filter(|(parent, _)| !found.has(parent)) else {
                continue;
            };
            let child = exists.resource.name.as_str();
            let child = found.0.iter().find(|(resource, _)| *resource == child).copied();
            if let Some(id) = child.and_then(|child| self.link_of(child, field)) {
                found.0.push((parent, id));
            }
        }
    }

    /// The only caller who may do this for the record; `None` if any caller may. An error if the only one is unknown.
    pub(super) fn caller_of(
        &self,
        operation: &'static Operation,
        record: Record,
        found: &RequestedResources,
    ) -> Result<Option<Caller>, ()> {
        let Some(acting) = operation.credential.and_then(|kind| kind.caller.as_ref()) else {
            return Ok(None);
        };
        let Some(id) = self.only_caller(operation, acting, record, found) else {
            return Ok(None);
        };
        let caller = self.caller_with_id(operation, id.ok_or(())?);
        if let Some(plan) = operation.plan {
            drop(self.put_on_plan(&caller, plan));
        }
        Ok(Some(caller))
    }

    /// The id of the only caller, if there is only one and if it is known.
    fn only_caller(
        &self,
        operation: &Operation,
        acting: &Acting,
        record: Record,
        found: &RequestedResources,
    ) -> Option<Option<i64>> {
        let mut filters = operation.declared.filters.iter();
        if let Some(filter) = filters.find(|filter| filter.by == FilterBy::Caller) {
            let is_of_record =
                matches!(&operation.declared.data, Some(Data::Many { resource, .. }) if resource == record.0);
            return Some(
                is_of_record
                    .then(|| self.link_of(record, filter.field.field()))
                    .flatten(),
            );
        }
        if let Some(owned) = operation.owned.first() {
            let owners = &self.contract.model.resource(owned).owner;
            let owner = owners.iter().find(|(owner, _)| *owner == acting.resource);
            let owned = found.0.iter().find(|(known, _)| known == owned);
            if let (Some((_, field)), Some(owned)) = (owner, owned) {
                return Some(self.link_of(*owned, field));
            }
        }
        if let Some(only) = self.only_one_to_see(operation, found) {
            return Some(only);
        }
        if acting.resource == record.0 && !found.has(record.0) {
            return Some(Some(record.1));
        }
        let is_whole = matches!(operation.declared.data, Some(Data::One { .. }));
        (is_whole && operation.exists.is_empty()).then(|| self.id_within(record, &acting.resource))
    }

    /// The owner of a record that can be hidden from others. It is unknown who sees a hidden one that no such caller owns.
    fn only_one_to_see(&self, operation: &Operation, found: &RequestedResources) -> Option<Option<i64>> {
        let model = self.contract.model;
        operation.declared.exists().find_map(|exists| {
            let hidden = model.hidden_from(operation.surface, &exists.resource)?;
            let named = *found.0.iter().find(|(known, _)| *known == exists.resource)?;
            match model.owner_field(operation.surface, model.resource(&exists.resource)) {
                Some(field) => Some(self.link_of(named, field)),
                None => {
                    let value = self.known().value(named.0, named.1, &hidden.when.field).cloned()?;
                    let value = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
                    hidden.when.holds(&value).then_some(None)
                }
            }
        })
    }

    /// The id of another resource that the record holds.
    fn id_within(&self, record: Record, resource: &str) -> Option<i64> {
        let mut fields = self.contract.model.resource(record.0).fields.iter();
        let field = fields.find(|field| !field.of.list && field.of.kind == Kind::Id(resource.to_owned()))?;
        self.link_of(record, &field.name)
    }
}
