//! The callers and resources that the suite has made through the layer: callers by their credentials, resources with
//! their owners.

use crate::world::Caller;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Default)]
pub(crate) struct Registry(Mutex<Entries>);

#[derive(Default)]
struct Entries {
    callers: Vec<Caller>,
    resources: Vec<Resource>,
    /// Callers and their twins.
    pairs: Vec<(Caller, Caller)>,
    /// Resources and their twins.
    ids: Vec<(String, i64, i64)>,
}

struct Resource {
    name: String,
    id: i64,
    owner: Caller,
    within: Option<(String, i64)>,
}

impl Registry {
    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add_caller(&self, caller: &Caller) {
        self.entries().callers.push(caller.clone());
    }

    pub(super) fn add(&self, resource: &str, id: i64, owner: &Caller, within: Option<(&str, i64)>) {
        self.entries().resources.push(Resource {
            name: resource.to_owned(),
            id,
            owner: owner.clone(),
            within: within.map(|(name, id)| (name.to_owned(), id)),
        });
    }

    pub(super) fn pair_callers(&self, caller: &Caller, shadow: &Caller) {
        self.entries().pairs.push((caller.clone(), shadow.clone()));
    }

    pub(super) fn pair(&self, resource: &str, id: i64, shadow: i64) {
        self.entries().ids.push((resource.to_owned(), id, shadow));
    }

    pub(super) fn shadow_of(&self, caller: &Caller) -> Caller {
        let entries = self.entries();
        let found = entries.pairs.iter().rev().find(|(one, _)| one.secret == caller.secret);
        found.map_or_else(|| caller.clone(), |(_, shadow)| shadow.clone())
    }

    /// The secret of the twin of the caller with this one; an unknown secret is returned unchanged.
    pub(super) fn shadow_secret(&self, secret: &str) -> String {
        let entries = self.entries();
        let found = entries.pairs.iter().rev().find(|(one, _)| one.secret == secret);
        found.map_or_else(|| secret.to_owned(), |(_, shadow)| shadow.secret.clone())
    }

    pub(super) fn shadow_id(&self, resource: &str, id: i64) -> i64 {
        let entries = self.entries();
        let found = entries
            .ids
            .iter()
            .rev()
            .find(|(name, one, _)| name == resource && *one == id);
        found.map_or(id, |(_, _, shadow)| *shadow)
    }

    pub(super) fn original_id(&self, resource: &str, id: i64) -> i64 {
        let entries = self.entries();
        let found = entries
            .ids
            .iter()
            .rev()
            .find(|(name, _, shadow)| name == resource && *shadow == id);
        found.map_or(id, |(_, one, _)| *one)
    }

    /// The kind of the caller with this credential.
    pub(crate) fn kind_of(&self, secret: &str) -> Option<&'static str> {
        let entries = self.entries();
        entries
            .callers
            .iter()
            .find(|caller| caller.secret == secret)
            .map(|caller| caller.kind)
    }

    /// Whether a caller of this kind has a credential similar to this one.
    pub(crate) fn is_like(&self, secret: &str, kind: &str, is_like: impl Fn(&str, &str) -> bool) -> bool {
        let entries = self.entries();
        entries
            .callers
            .iter()
            .any(|caller| caller.kind == kind && is_like(&caller.secret, secret))
    }

    /// The last caller of this kind.
    pub(crate) fn last_caller(&self, kind: &str) -> Option<Caller> {
        self.entries()
            .callers
            .iter()
            .rev()
            .find(|caller| caller.kind == kind)
            .cloned()
    }

    /// The caller for whom a resource was made.
    pub(crate) fn owner(&self, resource: &str, id: i64) -> Option<Caller> {
        let entries = self.entries();
        let found = entries
            .resources
            .iter()
            .rev()
            .find(|one| one.name == resource && one.id == id);
        found.map(|one| one.owner.clone())
    }

    /// The last resource of this name, within the given one if there is one.
    pub(crate) fn last(&self, resource: &str, within: Option<(&str, i64)>) -> Option<i64> {
        let entries = self.entries();
        let lies = |one: &&Resource| {
            one.name == resource
                && within.is_none_or(|(name, id)| one.within.as_ref().is_none_or(|own| own.0 == name && own.1 == id))
        };
        entries.resources.iter().rev().find(lies).map(|one| one.id)
    }
}
