//! Reservations of compartments for a courier.

use crate::compartments::doors_of;
use crate::stored::{Actor, Keeps, Stored, Tx};
use crate::support::derived::Source;
use crate::support::{Done, Failure, Key};
use crate::{Courier, CourierId, Lockers, Reservation, ReservationSeed, Station, courier};
use codegen_store::kept::usage;
use codegen_store::{Author, Decided, Index, TransactionError, Tree};
use courier::create_reservation;

const OF_COURIER: Tree = Index::tree_with::<Stored, Reservation>("courier_id, id");

/// The reservations of a courier.
pub(crate) fn reservations_of(tx: &Tx<'_>, courier: CourierId) -> Result<Vec<Reservation>, TransactionError> {
    let ids = tx.listed::<Reservation>(OF_COURIER, &courier.bytes(), usize::MAX)?;
    ids.into_iter().map(|id| tx.existing(id)).collect()
}

/// By hand: the service chooses the compartment.
impl courier::CreateReservation for Lockers {
    async fn create_reservation(
        &self,
        request: create_reservation::Request,
    ) -> Result<Done<create_reservation::Success>, create_reservation::Error> {
        let (created_at, courier_id, once) = (self.now(), request.caller.id, request.once.clone());
        let by = Author {
            actor: Actor::from((&request.caller, &request.presented_credential)),
            uses: request.uses.clone(),
            now: created_at,
        };
        let reserve = move |tx: &mut Tx<'_>| -> Decided<_, create_reservation::Error> {
            create_reservation::recheck(&tx.existing::<Courier>(courier_id)?)?;
            let held = reservations_of(tx, courier_id)?.len();
            usage::hold(tx, i64::try_from(held).unwrap_or(i64::MAX))?;
            let (station, size): (Station, _) = (tx.existing(request.station.id)?, request.body.size);
            let mut doors = doors_of(tx, &station)?.into_iter();
            let free = doors.find(|door| door.size == size && door.is_free(&station));
            let free = free.ok_or(create_reservation::Error::StationFull)?;
            let id = tx.next_id::<Reservation>()?;
            let reservation = Reservation {
                note: request.body.note.clone(),
                ..Reservation::from(ReservationSeed {
                    id,
                    courier_id,
                    compartment_id: free.id,
                    created_at,
                })
            };
            tx.create(&reservation)?;
            let mut held = free.clone();
            reservation.added_to(&mut held);
            tx.replace(&free, &held)?;
            Ok(create_reservation::Success {
                id,
                compartment_id: free.id,
                size,
            })
        };
        self.store.write_once(by, once, reserve).await.map_err(Failure::from)?
    }
}
