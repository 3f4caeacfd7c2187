//! The records of a kind by id, each with what follows from other records.

use std::any::Any;
use std::collections::BTreeMap;

use codegen_store::Findings;
use contract::support::derived::{Derived, Facts, Tallies, differences};

use super::finding::Finding;
use super::name::Name;
use crate::store::keys::Id;
use crate::store::record::Record;

/// Sorted ids: the trees yield them in order, and a sorted list takes less than half the memory of a map.
pub(super) struct Tally<R: Derived>(Vec<(i64, Option<Values<R>>)>);

/// The values that follow from other records, as the record states them and as the others give them.
struct Values<R: Derived> {
    stated: R::Values,
    found: R::Values,
}

impl<R: Derived> Default for Tally<R> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<R: Record<Id: Id>> Tally<R> {
    /// Adds an id that is higher than all before. `record` is `None` if it cannot be read.
    pub(super) fn push(&mut self, id: i64, record: Option<&R>) {
        let values = record.map(|record| Values {
            stated: record.stated(),
            found: R::Values::default(),
        });
        self.0.push((id, values));
    }

    fn place(&self, id: i64) -> Option<usize> {
        self.0.binary_search_by_key(&id, |(id, _)| *id).ok()
    }
}

/// The records with single ids that other records name, by their resources.
#[derive(Default)]
pub(super) struct Records {
    read: BTreeMap<&'static str, Box<dyn Named>>,
    /// Names of records of kinds that were not read yet: the resource, the id, and the record that names it.
    later: Vec<(&'static str, i64, Name)>,
}

/// A tally of any kind.
trait Named: Any {
    fn require(&self, id: i64, of: Name, findings: &mut Findings) -> bool;
    fn verify(&self, findings: &mut Findings);
}

impl<R: Record<Id: Id>> Named for Tally<R> {
    /// Checks that the record to which `of` belongs exists, readable or not. Returns whether it is readable.
    fn require(&self, id: i64, of: Name, findings: &mut Findings) -> bool {
        let place = self.place(id);
        if place.is_none() {
            let missing = Name::of::<R>(R::Id::from_number(id));
            findings.push(&Finding::Orphan { of, missing });
        }
        place.is_some_and(|place| self.0[place].1.is_some())
    }

    /// Compares the stated values with those that were found.
    fn verify(&self, findings: &mut Findings) {
        for (id, values) in &self.0 {
            let Some(Values { stated, found }) = values else {
                continue;
            };
            let of = Name::of::<R>(R::Id::from_number(*id));
            for [field, source, stated, found] in differences::<R>(stated, found) {
                findings.push(&Finding::Derived {
                    of,
                    field,
                    source,
                    stated,
                    found,
                });
            }
        }
    }
}

impl Records {
    /// Adds a kind, unless others may name records of it that were deleted, or none does.
    pub(super) fn add<R: Record<Id: Id>>(&mut self, tally: Tally<R>) {
        if R::IS_NAMED && R::DELETED.is_none() {
            self.read.insert(R::RESOURCE, Box::new(tally));
        }
    }

    /// Checks that the records exist that this one names, readable or not. Returns whether all are readable that were read.
    pub(super) fn require(&mut self, record: &impl Record, of: Name, findings: &mut Findings) -> bool {
        let mut has_all = true;
        for (resource, id) in record.named() {
            has_all &= self.require_one(resource, id, of, findings);
        }
        has_all
    }

    /// The same of one record.
    pub(super) fn require_one(&mut self, resource: &'static str, id: i64, of: Name, findings: &mut Findings) -> bool {
        match self.read.get(resource) {
            Some(tally) => tally.require(id, of, findings),
            None => {
                self.later.push((resource, id, of));
                true
            }
        }
    }

    /// Whether there is a record with this id, readable or not.
    pub(super) fn knows<R: Record<Id: Id>>(&self, id: R::Id) -> bool {
        let tally: Option<&dyn Any> = self.read.get(R::RESOURCE).map(|tally| &**tally as &dyn Any);
        let tally: Option<&Tally<R>> = tally.and_then(|tally| tally.downcast_ref());
        tally.is_some_and(|tally| tally.place(id.number()).is_some())
    }

    /// Once all kinds are read: looks up what was named before, and compares what the records state with what was found.
    pub(super) fn verify(&self, findings: &mut Findings) {
        for (resource, id, of) in &self.later {
            if let Some(tally) = self.read.get(resource) {
                tally.require(*id, *of, findings);
            }
        }
        self.read.values().for_each(|tally| tally.verify(findings));
    }
}

impl Tallies for Records {
    fn found<P: Facts + 'static>(&mut self, id: i64) -> Option<&mut P::Values> {
        let tally: &mut dyn Any = &mut **self.read.get_mut(P::RESOURCE)?;
        let Tally(tally): &mut Tally<P> = tally.downcast_mut()?;
        let place = tally.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        tally[place].1.as_mut().map(|values| &mut values.found)
    }
}
