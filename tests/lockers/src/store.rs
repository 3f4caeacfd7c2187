//! The data of the service, in memory: a table for each resource, and indexes.
//!
//! It knows records, and no requests.

use crate::events::{Event, Recipient as OfFeed};
use crate::faults::Faults;
use crate::support::{Amount, AnswerId, Done, KeyBytes, Once, OverQuota, QuotaUse, Timestamp, Usage};
use crate::{
    Compartment, CompartmentId, Courier, CourierId, Defect, DefectId, Parcel, ParcelId, Recipient, RecipientId,
    Reservation, ReservationId, Size, Station, StationId, StationStatus, Terminal, TerminalId,
};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tokio::sync::Notify;

/// Records of one kind by their ids, which count up from 1 and are never reused.
pub(crate) struct Table<I, R> {
    rows: BTreeMap<I, Arc<R>>,
    last: i64,
    /// What is wrong with it, for tests of the tests. Nothing otherwise: then each call of it changes nothing.
    pub(crate) faults: Faults<I, R>,
}

/// All records.
#[derive(Default)]
pub(crate) struct Store {
    pub(crate) couriers: Table<CourierId, Courier>,
    pub(crate) terminals: Table<TerminalId, Terminal>,
    pub(crate) recipients: Table<RecipientId, Recipient>,
    pub(crate) stations: Table<StationId, Station>,
    pub(crate) compartments: Table<CompartmentId, Compartment>,
    pub(crate) reservations: Table<ReservationId, Reservation>,
    pub(crate) parcels: Table<ParcelId, Parcel>,
    pub(crate) defects: Table<DefectId, Defect>,
    /// Terminals by their keys. A persistent store would keep digests.
    pub(crate) keys: HashMap<String, TerminalId>,
    /// Recipients by their passes.
    pub(crate) passes: HashMap<String, RecipientId>,
    /// The compartments of each station, in the order in which they were entered.
    pub(crate) doors: HashMap<StationId, Vec<CompartmentId>>,
    /// The parcel in a compartment.
    pub(crate) inside: HashMap<CompartmentId, ParcelId>,
    /// The courier with a reservation of a compartment.
    pub(crate) held: HashMap<CompartmentId, CourierId>,
    /// What is stored for idempotency keys, with the time at which it expires.
    pub(crate) answers: HashMap<AnswerId, (Timestamp, Vec<u8>)>,
    /// What was counted for the owners of quotas with periods.
    pub(crate) usages: HashMap<(&'static str, KeyBytes), Usage>,
    /// Notified whenever a parcel's status changes.
    pub(crate) moved: Arc<Notify>,
    /// The events of each recipient, from the first one on.
    pub(crate) feeds: HashMap<OfFeed, Vec<(String, Timestamp, Event)>>,
    /// Notified whenever there are events.
    pub(crate) happened: Arc<Notify>,
}

impl<I, R> Default for Table<I, R> {
    fn default() -> Self {
        Self {
            rows: BTreeMap::new(),
            last: 0,
            faults: Faults::default(),
        }
    }
}

impl<I: Copy + Ord, R: Clone> Table<I, R> {
    /// Adds the record that `make` returns for the next id.
    pub(crate) fn add(&mut self, id: fn(i64) -> I, make: impl FnOnce(I) -> R) -> I {
        self.last = self.faults.next(self.last + 1, self.rows.len());
        let id = id(self.last);
        self.rows.insert(id, Arc::new(make(id)));
        id
    }

    /// The record with this id.
    pub(crate) fn get(&self, id: I) -> Option<&Arc<R>> {
        self.faults.former(id).or_else(|| self.rows.get(&id))
    }

    /// The record with this id, mutable. Holders of the former one keep it unchanged.
    pub(crate) fn get_mut(&mut self, id: I) -> Option<&mut R> {
        let row = self.rows.get_mut(&id)?;
        Some(self.faults.written_to(id, row))
    }

    /// Removes the record with this id.
    pub(crate) fn remove(&mut self, id: I) -> Option<Arc<R>> {
        self.faults.remove(id, &mut self.rows)
    }

    /// The records that match, in the order of their ids.
    pub(crate) fn filter(&self, is_wanted: impl Fn(&R) -> bool) -> Vec<Arc<R>> {
        self.faults.list(self.rows.iter().filter(|(_, row)| is_wanted(row)))
    }
}

impl Store {
    /// The compartments of a station.
    pub(crate) fn doors_of(&self, station: StationId) -> impl Iterator<Item = &Arc<Compartment>> {
        let ids = self.doors.get(&station).into_iter().flatten();
        ids.filter_map(|id| self.compartments.get(*id))
    }

    /// Whether a courier could store a parcel in a compartment; without a courier, whether any could.
    pub(crate) fn is_free(&self, compartment: &Compartment, courier: Option<CourierId>) -> bool {
        let station = self.stations.get(compartment.station_id);
        let is_open = station.is_some_and(|station| station.status == StationStatus::InService);
        let is_empty = !compartment.is_blocked && !self.inside.contains_key(&compartment.id);
        let holder = self.held.get(&compartment.id).copied();
        is_open && is_empty && (holder.is_none() || holder == courier)
    }

    /// The compartments of this size that any courier could use.
    pub(crate) fn free_doors(&self, station: StationId, size: Size) -> impl Iterator<Item = &Arc<Compartment>> {
        self.doors_of(station)
            .filter(move |door| door.size == size && self.is_free(door, None))
    }

    /// Counts a request towards its quotas with periods: towards all of them, or none.
    pub(crate) fn count(&mut self, uses: &[QuotaUse], now: Timestamp) -> Result<(), OverQuota> {
        let counted = uses.iter().filter_map(|QuotaUse { quota, owner, amount }| {
            let Amount::Of(amount) = *amount else { return None };
            let key = (quota.name, owner.clone());
            let usage = quota.count(self.usages.get(&key).copied(), amount, now.unix())?;
            Some(usage.map(|usage| (key, usage)))
        });
        let counted: Vec<_> = counted.collect::<Result<_, _>>()?;
        self.usages.extend(counted);
        Ok(())
    }

    /// The success of a request that created something. Stores what `once` says, and removes what has expired.
    pub(crate) fn done<S, T>(&mut self, once: &Once<S, T>, outcome: T) -> Done<S> {
        let (done, stored) = once.done(outcome);
        if let Some(stored) = stored {
            self.answers.retain(|_, (expires, _)| *expires > stored.now);
            self.answers.insert(stored.id, (stored.expires, stored.value));
        }
        done
    }

    /// A compartment and its station.
    pub(crate) fn at(&self, compartment: CompartmentId) -> Option<(&Compartment, &Station)> {
        let compartment = self.compartments.get(compartment)?;
        let station = self.stations.get(compartment.station_id)?;
        Some((compartment, station))
    }
}
