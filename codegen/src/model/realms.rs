//! Realms: parts of the records that callers of other realms do not see.

use super::{Effect, Fill, FilterBy, Model, Operation, Resource, Source, Surface, Type};
use std::fmt;

/// The field whose value is the realm of a record.
#[derive(Clone, Debug)]
pub struct Realm {
    /// The field with the id of another record, and its resource, if that record has the field.
    pub through: Option<(String, String)>,
    /// The field.
    pub field: String,
    /// Its type: a boolean or an enum.
    pub of: Type,
}

impl Model {
    /// The realm of a resource that guards check for some callers.
    pub fn realm_of_guards(&self, resource: &Resource) -> Option<&Realm> {
        let mut operations = self.operations().filter(|(_, one)| one.finds(&resource.name));
        operations.find_map(|(surface, _)| self.realm_seen(surface, &resource.name))
    }

    /// Whether guards look for its records: for themselves, or for the realm of others.
    pub fn is_guarded(&self, resource: &Resource) -> bool {
        let is_found = self.operations().any(|(_, operation)| operation.finds(&resource.name));
        let mut realms = self.resources.iter().filter_map(|one| self.realm_of_guards(one));
        is_found || realms.any(|realm| realm.through.as_ref().is_some_and(|(_, other)| *other == resource.name))
    }

    /// The realm of the callers of a surface. `None` if they see the records of all realms.
    pub fn realm_of_callers(&self, surface: &Surface) -> Option<&Realm> {
        let caller = self.credential_of(surface)?.caller.as_ref()?;
        self.resource(&caller.resource).realm.as_ref()
    }

    /// The realm of the records of a resource, if callers of this surface see only those of their own realm.
    pub fn realm_seen(&self, surface: &Surface, resource: &str) -> Option<&Realm> {
        self.realm_of_callers(surface)?;
        self.resource(resource).realm.as_ref()
    }

    /// Whether a member of the body decides the realm of a record that an operation makes.
    pub fn sets_realm(&self, operation: &Operation, member: &str) -> bool {
        operation.effects.iter().any(|effect| match effect {
            Effect::Make { resource, fills, .. } => {
                let realm = self.resource(resource).realm.as_ref();
                let realm = realm.filter(|realm| realm.through.is_none());
                let mut fills = fills.iter();
                let is_member = |fill: &Fill| matches!(fill, Fill::Member(name) if name == member);
                realm.is_some_and(|realm| fills.any(|(field, fill)| *field == realm.field && is_member(fill)))
            }
            _ => false,
        })
    }

    /// The realm by which a list leaves out records. `None` if all its records are of the caller's realm anyway: those
    /// that have their realm from the caller.
    pub fn realm_of_list(&self, surface: &Surface, operation: &Operation) -> Option<&Realm> {
        let resource = operation.listed()?;
        let realm = self.realm_seen(surface, resource)?;
        let is_from_caller = operation.filters.iter().any(|filter| {
            let of_caller = (&filter.by, &filter.field, &realm.through);
            matches!(of_caller, (FilterBy::Caller, Source::Stored(field), Some((id, _))) if field == id)
        });
        (!is_from_caller).then_some(realm)
    }
}

/// As in a contract: `is_training`, `branch_id.is_training`.
impl fmt::Display for Realm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.through {
            Some((id, _)) => write!(f, "{id}.{}", self.field),
            None => f.write_str(&self.field),
        }
    }
}
