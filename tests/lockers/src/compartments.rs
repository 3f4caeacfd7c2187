//! The compartments of stations: created together, deleted if they are empty, and free for some couriers.

use crate::stored::{Actor, Stored, Tx};
use crate::support::{Done, Failure, Key};
use crate::{Compartment, Lockers, NewCompartmentRest, Station, StationStatus, depot};
use codegen_store::{Decided, Index, TransactionError, Tree};
use depot::{create_compartments, delete_compartment};

/// The compartments of a station, in the order in which they were entered.
pub(crate) const OF_STATION: Tree = Index::tree_with::<Stored, Compartment>("station_id, id");

impl Compartment {
    /// Whether a courier could store a parcel in it, if no other one has reserved it.
    pub(crate) fn is_empty(&self, station: &Station) -> bool {
        station.status == StationStatus::InService && !self.is_blocked && self.parcels == 0
    }

    /// Whether any courier could store a parcel in it.
    pub(crate) fn is_free(&self, station: &Station) -> bool {
        self.is_empty(station) && self.reservations == 0
    }
}

/// The compartments of a station.
pub(crate) fn doors_of(tx: &Tx<'_>, station: &Station) -> Result<Vec<Compartment>, TransactionError> {
    let ids = tx.listed::<Compartment>(OF_STATION, &station.id.bytes(), usize::MAX)?;
    ids.into_iter().map(|id| tx.existing(id)).collect()
}

/// By hand: no record says whether a label is taken at one station, and whether the station is open is of another record.
impl depot::CreateCompartments for Lockers {
    async fn create_compartments(
        &self,
        request: create_compartments::Request,
    ) -> Result<Done<create_compartments::Success>, create_compartments::Error> {
        let once = request.once.clone();
        let written = self.store.write_once(
            Actor::Service,
            once,
            move |tx: &mut Tx<'_>| -> Decided<_, create_compartments::Error> {
                let new = &request.body.compartments;
                let is_taken = |door: &Compartment| new.iter().any(|one| one.label == door.label);
                if doors_of(tx, &request.station)?.iter().any(is_taken) {
                    return Err(create_compartments::Error::LabelTaken.into());
                }
                let (mut ids, station_id) = (Vec::new(), request.station.id);
                for one in new {
                    let id = tx.next_id::<Compartment>()?;
                    tx.create(&one.clone().into_compartment(NewCompartmentRest { id, station_id }))?;
                    ids.push(id);
                }
                let is_open = request.station.status == StationStatus::InService;
                Ok(create_compartments::Success { ids, is_open })
            },
        );
        written.await.map_err(Failure::from)?
    }
}

/// By hand: a reservation keeps it, too, not only a parcel.
impl depot::DeleteCompartment for Lockers {
    async fn delete_compartment(&self, request: delete_compartment::Request) -> Result<(), delete_compartment::Error> {
        let written = self.store.write(
            Actor::Service,
            move |tx: &mut Tx<'_>| -> Decided<_, delete_compartment::Error> {
                // Another request may have deleted it since the guard found it.
                let door: Option<Compartment> = tx.get(request.compartment.id)?;
                let door = door.ok_or(delete_compartment::Error::UnknownCompartment)?;
                if door.parcels > 0 || door.reservations > 0 {
                    return Err(delete_compartment::Error::Occupied.into());
                }
                Ok(tx.delete(&door)?)
            },
        );
        written.await.map_err(Failure::from)?
    }
}
