//! Parcels from the view of couriers: announced, moved, stored.

use crate::pages::page;
use crate::store::Store;
use crate::support::{Done, Encoded, Failure, Page, Timestamp};
use crate::{Compartment, CourierId, Event, Lockers, Parcel, ParcelId, ParcelRow, ParcelStatus, ParcelWhole, courier};
use courier::{announce_parcel, count_parcels, get_parcel, list_parcels, move_parcel, store_parcel};
use std::sync::Arc;

impl Store {
    /// Sets the parcel's status, and frees its compartment if it has one.
    pub(crate) fn take_out(&mut self, id: ParcelId, status: ParcelStatus, at: Timestamp) -> Result<(), Failure> {
        let parcel = self.parcels.get_mut(id).ok_or(Failure::Internal)?;
        if parcel.status != status {
            parcel.log.push(Event { status, at });
            self.moved.notify_waiters();
        }
        if status == ParcelStatus::Collected {
            parcel.collected_at = Some(at);
        }
        parcel.status = status;
        if let Some(compartment) = parcel.compartment_id.take() {
            self.inside.remove(&compartment);
        }
        Ok(())
    }

    /// Why a courier cannot store a parcel in a compartment; `None` if it can.
    fn misfit(&self, courier: CourierId, parcel: &Parcel, compartment: &Compartment) -> Option<store_parcel::Error> {
        let is_there = parcel.compartment_id == Some(compartment.id);
        if store_parcel::is_finished(parcel) {
            Some(store_parcel::Error::Finished)
        } else if !is_there && !self.is_free(compartment, Some(courier)) {
            Some(store_parcel::Error::NotFree)
        } else if compartment.size < parcel.size {
            Some(store_parcel::Error::TooSmall)
        } else {
            None
        }
    }
}

impl courier::ListParcels for Lockers {
    async fn list_parcels(&self, request: list_parcels::Request) -> Result<Page<ParcelRow>, list_parcels::Error> {
        let (owner, query) = (request.caller.id, request.query);
        let store = self.store();
        let mut found = store
            .parcels
            .filter(|parcel| list_parcels::matches(parcel, owner, &query));
        found.sort_by(|a, b| list_parcels::order(query.order, a, b));
        let row =
            |parcel: &Arc<Parcel>| Ok(parcel.row(store.stations.get(parcel.station_id).ok_or(Failure::Internal)?));
        page(&found, query.offset, query.limit, row).map_err(Into::into)
    }
}

impl courier::CountParcels for Lockers {
    async fn count_parcels(
        &self,
        request: count_parcels::Request,
    ) -> Result<count_parcels::Success, count_parcels::Error> {
        let (owner, query) = (request.caller.id, request.query);
        let found = self
            .store()
            .parcels
            .filter(|parcel| count_parcels::matches(parcel, owner, &query));
        let counts = found.iter().map(|parcel| (parcel.status, 1));
        Ok(count_parcels::Success::from_counts(counts))
    }
}

impl courier::AnnounceParcel for Lockers {
    async fn announce_parcel(
        &self,
        request: announce_parcel::Request,
    ) -> Result<Done<announce_parcel::Success>, announce_parcel::Error> {
        let announced_at = self.now();
        let mut store = self.store();
        let id = store.parcels.add(ParcelId::new, |id| {
            request.body.into_parcel(announce_parcel::Rest {
                id,
                courier_id: request.caller.id,
                log: Vec::new(),
                announced_at,
            })
        });
        Ok(store.done(&request.once, announce_parcel::Success { id, announced_at }))
    }
}

impl courier::GetParcel for Lockers {
    async fn get_parcel(&self, request: get_parcel::Request) -> Result<Encoded<ParcelWhole>, get_parcel::Error> {
        Ok(request.owned_parcel.whole())
    }
}

impl courier::MoveParcel for Lockers {
    async fn move_parcel(&self, request: move_parcel::Request) -> Result<(), move_parcel::Error> {
        let (id, to) = (request.owned_parcel.id, ParcelStatus::from(request.body.status));
        let now = self.now();
        let mut store = self.store();
        let from = store.parcels.get(id).ok_or(Failure::Internal)?.status;
        if !from.may_become(to) {
            return Err(move_parcel::Error::WrongTurn { from, to });
        }
        Ok(store.take_out(id, to, now)?)
    }
}

impl courier::StoreParcel for Lockers {
    async fn store_parcel(&self, request: store_parcel::Request) -> Result<store_parcel::Success, store_parcel::Error> {
        let (id, now) = (request.owned_parcel.id, self.now());
        let mut store = self.store();
        let parcel = store.parcels.get(id).ok_or(Failure::Internal)?;
        // Another request may have deleted or filled it since the guard found it.
        let compartment = store.compartments.get(request.compartment.id).cloned();
        let compartment = compartment.ok_or(store_parcel::Error::UnknownCompartment)?;
        if let Some(misfit) = store.misfit(request.caller.id, parcel, &compartment) {
            return Err(misfit);
        }
        store.take_out(id, ParcelStatus::Stored, now)?;
        store.inside.insert(compartment.id, id);
        let parcel = store.parcels.get_mut(id).ok_or(Failure::Internal)?;
        parcel.compartment_id = Some(compartment.id);
        parcel.station_id = compartment.station_id;
        let (compartment, station) = store.at(compartment.id).ok_or(Failure::Internal)?;
        Ok(store_parcel::Success {
            station_code: station.code.clone(),
            compartment: compartment.label.clone(),
        })
    }
}
