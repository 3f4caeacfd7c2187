//! Faults of tables, for tests of the tests. A service has none.
//!
//! It knows rows, and neither requests nor what the rows mean.

use crate::store::Store;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is wrong with a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The second of two changes of a row is acknowledged and not made.
    SecondChangeLost,
    /// No change is made.
    ChangesLost,
    /// A row is read as it was before its last change.
    FormerRead,
    /// Lists show rows as they were before their last change.
    FormerListed,
    /// A row that was removed stays.
    NotRemoved,
    /// The row after the removed one is removed, if there is one.
    NextRemoved,
    /// A removed row can still be read.
    RemovedRead,
    /// The id of a new row is the number of rows.
    CountedIds,
    /// The last of several rows is not listed.
    LastNotListed,
    /// The first of several rows is listed twice.
    FirstListedTwice,
    /// At most 10 rows are listed.
    TenListed,
}

/// The fault of a table, if it has one.
pub(crate) struct Faults<I, R> {
    fault: Option<Fault>,
    /// The rows before their last change.
    former: BTreeMap<I, Arc<R>>,
    changed: Option<I>,
    lost: Option<R>,
}

impl<I, R> Default for Faults<I, R> {
    fn default() -> Self {
        Self {
            fault: None,
            former: BTreeMap::new(),
            changed: None,
            lost: None,
        }
    }
}

impl<I: Copy + Ord, R: Clone> Faults<I, R> {
    /// The number of a new row; `next` without a fault.
    pub(crate) fn next(&self, next: i64, rows: usize) -> i64 {
        match self.fault {
            Some(Fault::CountedIds) => i64::try_from(rows).map_or(next, |rows| rows + 1),
            _ => next,
        }
    }

    /// What is read in place of the present row.
    pub(crate) fn former(&self, id: I) -> Option<&Arc<R>> {
        let is_read = matches!(self.fault, Some(Fault::FormerRead | Fault::RemovedRead));
        is_read.then(|| self.former.get(&id)).flatten()
    }

    /// What a change of this row writes to.
    pub(crate) fn written_to<'t>(&'t mut self, id: I, row: &'t mut Arc<R>) -> &'t mut R {
        let is_second = self.changed.take() == Some(id);
        match self.fault {
            Some(Fault::ChangesLost) => return self.lost.insert(R::clone(row)),
            Some(Fault::SecondChangeLost) if is_second => return self.lost.insert(R::clone(row)),
            Some(Fault::SecondChangeLost) => self.changed = Some(id),
            Some(Fault::FormerRead | Fault::FormerListed) => drop(self.former.insert(id, Arc::clone(row))),
            _ => {}
        }
        Arc::make_mut(row)
    }

    /// Removes a row.
    pub(crate) fn remove(&mut self, id: I, rows: &mut BTreeMap<I, Arc<R>>) -> Option<Arc<R>> {
        match self.fault {
            Some(Fault::NotRemoved) => return rows.get(&id).cloned(),
            Some(Fault::NextRemoved) => {
                let next = rows.range(id..).nth(1).map(|(next, _)| *next);
                return rows.remove(&next.unwrap_or(id));
            }
            Some(Fault::RemovedRead) => self.former.extend(rows.get(&id).map(|row| (id, Arc::clone(row)))),
            _ => {}
        }
        rows.remove(&id)
    }

    /// What is listed of these rows.
    pub(crate) fn list<'t>(&'t self, found: impl Iterator<Item = (&'t I, &'t Arc<R>)>) -> Vec<Arc<R>>
    where
        I: 't,
        R: 't,
    {
        let former = |id| self.former.get(id).filter(|_| self.fault == Some(Fault::FormerListed));
        let mut found: Vec<_> = found.map(|(id, row)| Arc::clone(former(id).unwrap_or(row))).collect();
        match self.fault {
            Some(Fault::LastNotListed) if found.len() > 2 => drop(found.pop()),
            Some(Fault::FirstListedTwice) if found.len() > 2 => found.insert(0, Arc::clone(&found[0])),
            Some(Fault::TenListed) => found.truncate(10),
            _ => {}
        }
        found
    }
}

impl Store {
    /// Gives the table of this name a fault. Returns whether there is one.
    pub(crate) fn spoil(&mut self, table: &str, fault: Fault) -> bool {
        let place = match table {
            "couriers" => &mut self.couriers.faults.fault,
            "terminals" => &mut self.terminals.faults.fault,
            "recipients" => &mut self.recipients.faults.fault,
            "stations" => &mut self.stations.faults.fault,
            "compartments" => &mut self.compartments.faults.fault,
            "reservations" => &mut self.reservations.faults.fault,
            "parcels" => &mut self.parcels.faults.fault,
            "defects" => &mut self.defects.faults.fault,
            _ => return false,
        };
        *place = Some(fault);
        true
    }
}
