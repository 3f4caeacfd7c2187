//! The records of a kind by id, each with what follows from other records.

use std::any::Any;
use std::collections::BTreeMap;

use codegen_support::Key;
use codegen_support::derived::{Facts, Tallies, differences};

use super::finding::Finding;
use crate::engine::Bytes;
use crate::findings::Findings;
use crate::name::Name;
use crate::record::Record;
use crate::service::Service;

/// Sorted ids: the trees yield them in order, and a sorted list takes less than half the memory of a map.
pub(super) struct Tally<R: Facts>(Vec<(R::Key, Option<Values<R>>)>);

/// The values that follow from other records, as the record states them and as the others give them.
struct Values<R: Facts> {
    stated: R::Values,
    found: R::Values,
}

impl<R: Facts> Default for Tally<R> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<R: Facts> Tally<R> {
    /// Adds the record under a key that comes after all before. `record` is `None` if it cannot be read.
    pub(super) fn push(&mut self, key: &[u8], record: Option<&R>) {
        let values = record.map(|record| Values {
            stated: record.stated(),
            found: R::Values::default(),
        });
        self.0.extend(R::Key::read(key).map(|key| (key, values)));
    }

    fn place(&self, key: &[u8]) -> Option<usize> {
        let key = R::Key::read(key)?;
        self.0.binary_search_by(|(other, _)| other.cmp(&key)).ok()
    }
}

/// The records that others name, by their resources.
#[derive(Default)]
pub(super) struct Records {
    read: BTreeMap<&'static str, Box<dyn Named>>,
    /// Names of records of kinds that were not read yet: the resource, the key, and the record that names it.
    later: Vec<(&'static str, Bytes, Name)>,
}

/// The tally of a kind, with what its records are called.
struct Kept<R: Facts> {
    tally: Tally<R>,
    name: fn(&[u8]) -> Name,
    /// Whether records of this kind are deleted, so that others may name one that is gone.
    may_be_gone: bool,
}

/// A tally of any kind.
trait Named: Any {
    fn has(&self, key: &[u8]) -> bool;
    fn name(&self, key: &[u8]) -> Name;
    /// Checks that the record exists that `of` names, readable or not, or may be gone. Returns whether it is readable or gone.
    fn require(&self, key: &[u8], of: &Name, findings: &mut Findings) -> bool;
    /// Compares the stated values with those that were found.
    fn verify(&self, findings: &mut Findings);
}

impl<R: Facts> Named for Kept<R> {
    fn has(&self, key: &[u8]) -> bool {
        self.tally.place(key).is_some()
    }

    fn name(&self, key: &[u8]) -> Name {
        (self.name)(key)
    }

    fn require(&self, key: &[u8], of: &Name, findings: &mut Findings) -> bool {
        let place = self.tally.place(key);
        if place.is_none() {
            if self.may_be_gone {
                return true;
            }
            let (of, missing) = (of.clone(), self.name(key));
            findings.push(&Finding::Orphan { of, missing });
        }
        place.is_some_and(|place| self.tally.0[place].1.is_some())
    }

    fn verify(&self, findings: &mut Findings) {
        for (key, values) in &self.tally.0 {
            let Some(Values { stated, found }) = values else {
                continue;
            };
            for [field, source, stated, found] in differences::<R>(stated, found) {
                findings.push(&Finding::Derived {
                    of: self.name(&key.bytes()),
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
    /// Adds a kind that others name.
    pub(super) fn add<S: Service, R: Record<S>>(&mut self, tally: Tally<R>) {
        let name = Name::at::<S, R>;
        let may_be_gone = R::DELETED.is_some();
        let kept = Kept {
            tally,
            name,
            may_be_gone,
        };
        self.read.insert(R::RESOURCE, Box::new(kept));
    }

    /// Checks that the records exist that this one names, readable or not. Returns whether all are readable that were read.
    pub(super) fn require(&mut self, record: &impl Facts, of: &Name, findings: &mut Findings) -> bool {
        let mut has_all = true;
        record.named(&mut |resource, key| {
            has_all &= match self.read.get(resource) {
                Some(tally) => tally.require(key, of, findings),
                None => {
                    self.later.push((resource, key.into(), of.clone()));
                    true
                }
            }
        });
        has_all
    }

    /// Whether there is a record of this resource under this key, readable or not.
    pub(super) fn has(&self, resource: &str, key: &[u8]) -> bool {
        self.read.get(resource).is_some_and(|tally| tally.has(key))
    }

    /// The name of a record of this resource.
    pub(super) fn name(&self, resource: &str, key: &[u8]) -> Option<Name> {
        Some(self.read.get(resource)?.name(key))
    }

    /// Once all kinds are read: looks up what was named before, and compares what the records state with what was found.
    pub(super) fn verify(&self, findings: &mut Findings) {
        for (resource, key, of) in &self.later {
            if let Some(tally) = self.read.get(resource) {
                tally.require(key, of, findings);
            }
        }
        self.read.values().for_each(|tally| tally.verify(findings));
    }
}

impl Tallies for Records {
    fn found<P: Facts>(&mut self, key: &[u8]) -> Option<&mut P::Values> {
        let tally: &mut dyn Any = &mut **self.read.get_mut(P::RESOURCE)?;
        let Kept { tally, .. }: &mut Kept<P> = tally.downcast_mut()?;
        let place = tally.place(key)?;
        tally.0[place].1.as_mut().map(|values| &mut values.found)
    }
}
