//! The compartments of stations.

use crate::support::{Done, Failure, Rows};
use crate::{CompartmentId, CompartmentItem, Lockers, NewCompartmentRest, StationStatus, depot, finder};
use depot::{create_compartments, delete_compartment, update_compartment};
use finder::list_compartments;
use std::sync::Arc;

impl finder::ListCompartments for Lockers {
    async fn list_compartments(
        &self,
        request: list_compartments::Request,
    ) -> Result<Rows<CompartmentItem>, list_compartments::Error> {
        let store = self.store();
        let mut doors = store
            .compartments
            .filter(|door| list_compartments::matches(door, request.path));
        doors.sort_by(|a: &Arc<_>, b| list_compartments::order(a, b));
        Ok(doors.iter().map(|door| door.item()).collect())
    }
}

impl depot::CreateCompartments for Lockers {
    async fn create_compartments(
        &self,
        request: create_compartments::Request,
    ) -> Result<Done<create_compartments::Success>, create_compartments::Error> {
        let station_id = request.station.id;
        let mut store = self.store();
        let new = request.body.compartments;
        let is_taken = |label: &str| new.iter().any(|one| one.label == label);
        if store.doors_of(station_id).any(|door| is_taken(&door.label)) {
            return Err(create_compartments::Error::LabelTaken);
        }
        let mut add = |one: crate::NewCompartment| {
            store.compartments.add(CompartmentId::new, |id| {
                one.into_compartment(NewCompartmentRest { id, station_id })
            })
        };
        let ids: Vec<_> = new.into_iter().map(&mut add).collect();
        store.doors.entry(station_id).or_default().extend(&ids);
        let is_open = request.station.status == StationStatus::InService;
        Ok(store.done(&request.once, create_compartments::Success { ids, is_open }))
    }
}

impl depot::UpdateCompartment for Lockers {
    async fn update_compartment(&self, request: update_compartment::Request) -> Result<(), update_compartment::Error> {
        let mut store = self.store();
        let compartment = store
            .compartments
            .get_mut(request.compartment.id)
            .ok_or(update_compartment::Error::UnknownCompartment)?;
        request.body.apply(compartment);
        Ok(())
    }
}

impl depot::DeleteCompartment for Lockers {
    async fn delete_compartment(&self, request: delete_compartment::Request) -> Result<(), delete_compartment::Error> {
        let id = request.compartment.id;
        let mut store = self.store();
        if store.inside.contains_key(&id) || store.held.contains_key(&id) {
            return Err(delete_compartment::Error::Occupied);
        }
        // Another request may have deleted it since the guard found it.
        let gone = store.compartments.remove(id);
        let gone = gone.ok_or(delete_compartment::Error::UnknownCompartment)?;
        let doors = store.doors.get_mut(&gone.station_id).ok_or(Failure::Internal)?;
        doors.retain(|door| *door != id);
        Ok(())
    }
}
