//! What the world knows of the records and credentials that it has created.

use super::DeclaredWorld;
use crate::world::Caller;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::{MutexGuard, PoisonError};

#[derive(Default)]
pub(super) struct Known {
    /// The values of stored fields, by resource and id.
    records: HashMap<(String, i64), HashMap<String, Value>>,
    /// The living credentials of callers, and the id of the record that each belongs to, if it is known.
    credentials: Vec<(Caller, Option<i64>)>,
    /// Operations and their declared errors that could not be avoided.
    pub(super) unprepared: HashSet<(&'static str, String)>,
}

impl DeclaredWorld {
    pub(super) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    pub(super) fn add(&mut self, resource: &str, id: i64, values: HashMap<String, Value>) {
        self.records.insert((resource.to_owned(), id), values);
    }

    /// The value of a field of a record; `None` if it is unknown.
    pub(super) fn value(&self, resource: &str, id: i64, field: &str) -> Option<&Value> {
        self.records.get(&(resource.to_owned(), id))?.get(field)
    }

    pub(super) fn set(&mut self, resource: &str, id: i64, field: &str, value: Value) {
        let record = self.records.entry((resource.to_owned(), id)).or_default();
        record.insert(field.to_owned(), value);
    }

    pub(super) fn add_credential(&mut self, caller: Caller, holder: Option<i64>) {
        self.credentials.push((caller, holder));
    }

    /// The living credentials of this caller, the newest last.
    pub(super) fn credentials(&self, kind: &str, id: i64) -> impl DoubleEndedIterator<Item = &Caller> {
        let all = self.credentials.iter().map(|(caller, _)| caller);
        all.filter(move |one| one.kind == kind && one.id == id)
    }

    /// The id of the record that a credential belongs to.
    pub(super) fn holder(&self, caller: &Caller) -> Option<i64> {
        let found = self.credentials.iter().find(|(one, _)| one.secret == caller.secret);
        found.and_then(|(_, holder)| *holder)
    }

    /// Forgets the credentials of a kind that belong to this record.
    pub(super) fn end_held(&mut self, kind: &str, holder: i64) {
        self.credentials
            .retain(|(one, held_by)| one.kind != kind || *held_by != Some(holder));
    }

    /// Forgets a credential that has ended.
    pub(super) fn end(&mut self, secret: &str) {
        self.credentials.retain(|(one, _)| one.secret != secret);
    }
}
