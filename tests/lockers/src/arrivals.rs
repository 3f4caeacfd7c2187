//! Parcels from the view of recipients: waiting for them, collection by a neighbour, collection.

use crate::store::Store;
use crate::support::{Encoded, Failure, Rows};
use crate::{Lockers, Parcel, ParcelArrival, ParcelReceived, ParcelStatus, recipient};
use recipient::{await_parcel, get_parcel, list_parcels, open_compartment, update_parcel};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The longest wait for a change of a parcel. A client that wants to wait longer asks again.
const PATIENCE: Duration = Duration::from_secs(1);

impl Store {
    fn arrival(&self, parcel: &Parcel) -> Option<Encoded<ParcelArrival>> {
        let station = self.stations.get(parcel.station_id)?;
        let compartment = parcel.compartment_id.and_then(|id| self.compartments.get(id));
        let courier = self.couriers.get(parcel.courier_id)?;
        Some(parcel.arrival(courier, station, compartment.map(|one| &**one)))
    }
}

impl recipient::ListParcels for Lockers {
    async fn list_parcels(&self, request: list_parcels::Request) -> Result<Rows<ParcelArrival>, list_parcels::Error> {
        let (me, query) = (request.caller.id, request.query);
        let store = self.store();
        let mut found = store.parcels.filter(|parcel| list_parcels::matches(parcel, me, &query));
        found.sort_by(|a, b| list_parcels::order(a, b));
        found.truncate(usize::try_from(query.limit).map_err(|_| Failure::Internal)?);
        let arrivals = found.iter().map(|parcel| store.arrival(parcel));
        Ok(arrivals.collect::<Option<_>>().ok_or(Failure::Internal)?)
    }
}

impl recipient::GetParcel for Lockers {
    async fn get_parcel(&self, request: get_parcel::Request) -> Result<Encoded<ParcelReceived>, get_parcel::Error> {
        let store = self.store();
        let courier = store
            .couriers
            .get(request.owned_parcel.courier_id)
            .ok_or(Failure::Internal)?;
        Ok(request.owned_parcel.received(courier))
    }
}

impl recipient::AwaitParcel for Lockers {
    async fn await_parcel(
        &self,
        request: await_parcel::Request,
    ) -> Result<Encoded<ParcelArrival>, await_parcel::Error> {
        let (id, from) = (request.owned_parcel.id, request.query.from);
        let next_move = || {
            let store = self.store();
            let is_there_still = store.parcels.get(id).is_some_and(|parcel| Some(parcel.status) == from);
            is_there_still.then(|| Arc::clone(&store.moved).notified_owned())
        };
        let moved = async {
            while let Some(next) = next_move() {
                next.await;
            }
        };
        let _ = timeout(PATIENCE, moved).await;
        let store = self.store();
        let parcel = store.parcels.get(id).ok_or(Failure::Internal)?;
        Ok(store.arrival(parcel).ok_or(Failure::Internal)?)
    }
}

impl recipient::UpdateParcel for Lockers {
    async fn update_parcel(&self, request: update_parcel::Request) -> Result<(), update_parcel::Error> {
        let mut store = self.store();
        let parcel = store
            .parcels
            .get_mut(request.owned_parcel.id)
            .ok_or(Failure::Internal)?;
        if update_parcel::is_finished(parcel) {
            return Err(update_parcel::Error::Finished);
        }
        request.body.apply(parcel);
        Ok(())
    }
}

impl recipient::OpenCompartment for Lockers {
    async fn open_compartment(
        &self,
        request: open_compartment::Request,
    ) -> Result<open_compartment::Success, open_compartment::Error> {
        let (id, now) = (request.owned_parcel.id, self.now());
        let mut store = self.store();
        let compartment = store.parcels.get(id).ok_or(Failure::Internal)?.compartment_id;
        let compartment = compartment.ok_or(open_compartment::Error::NotStored)?;
        let (compartment, station) = store.at(compartment).ok_or(Failure::Internal)?;
        let opened = open_compartment::Success {
            station_code: station.code.clone(),
            compartment: compartment.label.clone(),
        };
        store.take_out(id, ParcelStatus::Collected, now)?;
        Ok(opened)
    }
}
