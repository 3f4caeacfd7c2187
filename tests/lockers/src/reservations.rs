//! Reservations of compartments for a courier.

use crate::support::{Done, Failure, Rows};
use crate::{Lockers, Reservation, ReservationId, ReservationItem, ReservationSeed, courier, quotas};
use courier::{create_reservation, delete_reservation, list_reservations};

impl courier::CreateReservation for Lockers {
    async fn create_reservation(
        &self,
        request: create_reservation::Request,
    ) -> Result<Done<create_reservation::Success>, create_reservation::Error> {
        use create_reservation::Error;
        let (created_at, courier_id) = (self.now(), request.caller.id);
        let mut store = self.store();
        create_reservation::recheck(store.couriers.get(courier_id).ok_or(Failure::Internal)?)?;
        let held = store.reservations.filter(|one| one.courier_id == courier_id).len();
        if i64::try_from(held).is_ok_and(|held| held >= quotas::RESERVATIONS) {
            return Err(Error::ExhaustedReservations);
        }
        let size = request.body.size;
        let free = store.free_doors(request.station.id, size).next().map(|door| door.id);
        let compartment_id = free.ok_or(Error::StationFull)?;
        store.count(&request.uses, created_at).map_err(Failure::from)?;
        let id = store.reservations.add(ReservationId::new, |id| Reservation {
            note: request.body.note,
            ..Reservation::from(ReservationSeed {
                id,
                courier_id,
                compartment_id,
                created_at,
            })
        });
        store.held.insert(compartment_id, courier_id);
        let success = create_reservation::Success {
            id,
            compartment_id,
            size,
        };
        Ok(store.done(&request.once, success))
    }
}

impl courier::ListReservations for Lockers {
    async fn list_reservations(
        &self,
        request: list_reservations::Request,
    ) -> Result<Rows<ReservationItem>, list_reservations::Error> {
        let store = self.store();
        let mut own = store
            .reservations
            .filter(|reservation| list_reservations::matches(reservation, request.caller.id));
        own.sort_by(|a, b| list_reservations::order(a, b));
        let item = |reservation: &Reservation| {
            let (compartment, station) = store.at(reservation.compartment_id).ok_or(Failure::Internal)?;
            Ok(reservation.item(station, compartment))
        };
        own.iter().map(|reservation| item(reservation)).collect()
    }
}

impl courier::DeleteReservation for Lockers {
    async fn delete_reservation(&self, request: delete_reservation::Request) -> Result<(), delete_reservation::Error> {
        let mut store = self.store();
        // Another request may have ended it since the guard found it.
        let gone = store.reservations.remove(request.owned_reservation.id);
        let gone = gone.ok_or(delete_reservation::Error::UnknownReservation)?;
        store.held.remove(&gone.compartment_id);
        Ok(())
    }
}
