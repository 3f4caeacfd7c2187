//! The records of a kind by id, each with its count.

use std::marker::PhantomData;

use super::finding::{Finding, Findings};
use super::name::Name;
use crate::store::sled::keys::Id;
use crate::store::sled::record::Record;
use crate::store::sled::trees::Tree;

/// Sorted ids: the trees yield them in order, and a sorted list takes less than half the memory of a map.
pub(super) struct Tally<R, T> {
    ids: Vec<(i64, Option<T>)>,
    of: PhantomData<R>,
}

/// The number of records that depend on a record, as stated and as found.
pub(super) struct Stated {
    stated: i64,
    found: i64,
}

impl Stated {
    /// The number that the record states; none is found yet.
    pub(super) fn new(stated: i64) -> Self {
        Self { stated, found: 0 }
    }
}

impl<R: Record<Id: Id>, T> Tally<R, T> {
    pub(super) fn new() -> Self {
        Self {
            ids: Vec::new(),
            of: PhantomData,
        }
    }

    /// Adds an id that is higher than all before. `counted` is `None` if its record cannot be read.
    pub(super) fn push(&mut self, id: i64, counted: Option<T>) {
        self.ids.push((id, counted));
    }

    /// Whether there is a readable record with this id.
    pub(super) fn has(&self, id: R::Id) -> bool {
        self.place(id).is_some_and(|place| self.ids[place].1.is_some())
    }

    /// The count of a readable record.
    pub(super) fn get_mut(&mut self, id: R::Id) -> Option<&mut T> {
        let place = self.place(id)?;
        self.ids[place].1.as_mut()
    }

    /// The readable records.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Name, &T)> {
        let readable = self
            .ids
            .iter()
            .filter_map(|(id, counted)| Some((*id, counted.as_ref()?)));
        readable.map(|(id, counted)| (Name::of::<R>(R::Id::of(id)), counted))
    }

    /// Checks that the record to which `of` belongs exists, readable or not.
    pub(super) fn require(&self, id: R::Id, of: Name, findings: &mut Findings) {
        if self.place(id).is_none() {
            let missing = Name::of::<R>(id);
            findings.push(Finding::Orphan { of, missing });
        }
    }

    fn place(&self, id: R::Id) -> Option<usize> {
        self.ids.binary_search_by_key(&id.number(), |(id, _)| *id).ok()
    }
}

impl<R: Record<Id: Id>> Tally<R, Stated> {
    /// Counts one record that belongs to this one.
    pub(super) fn count(&mut self, id: R::Id) {
        if let Some(belonging) = self.get_mut(id) {
            belonging.found += 1;
        }
    }

    /// Compares the stated numbers with the counted ones. `tree` holds the dependent records.
    pub(super) fn verify(&self, tree: Tree, findings: &mut Findings) {
        for (of, &Stated { stated, found }) in self.iter() {
            if stated != found {
                findings.push(Finding::Stated {
                    of,
                    tree,
                    stated,
                    found,
                });
            }
        }
    }
}
