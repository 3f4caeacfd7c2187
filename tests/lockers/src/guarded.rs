//! Finds the resources that the guards of the contract need, and the answers to earlier requests.

use crate::support::{AnswerId, Failure, Timestamp};
use crate::{
    Compartment, CompartmentId, Courier, CourierId, Defect, DefectId, FindAnswer, FindCompartment, FindCourier,
    FindDefect, FindParcel, FindRecipient, FindReservation, FindStation, FindTerminal, Lockers, Parcel, ParcelId,
    Recipient, RecipientId, Reservation, ReservationId, Station, StationId, Terminal, TerminalId,
};
use std::sync::Arc;

impl FindAnswer for Lockers {
    async fn find_answer(&self, id: AnswerId, now: Timestamp) -> Result<Option<Vec<u8>>, Failure> {
        let store = self.store();
        let found = store.answers.get(&id).filter(|(expires, _)| *expires > now);
        Ok(found.map(|(_, answer)| answer.clone()))
    }
}

impl FindCourier for Lockers {
    async fn find_courier(&self, id: CourierId) -> Result<Option<Arc<Courier>>, Failure> {
        Ok(self.store().couriers.get(id).cloned())
    }
}

impl FindTerminal for Lockers {
    async fn find_terminal(&self, id: TerminalId) -> Result<Option<Arc<Terminal>>, Failure> {
        Ok(self.store().terminals.get(id).cloned())
    }
}

impl FindRecipient for Lockers {
    async fn find_recipient(&self, id: RecipientId) -> Result<Option<Arc<Recipient>>, Failure> {
        Ok(self.store().recipients.get(id).cloned())
    }
}

impl FindStation for Lockers {
    async fn find_station(&self, id: StationId) -> Result<Option<Arc<Station>>, Failure> {
        Ok(self.store().stations.get(id).cloned())
    }
}

impl FindCompartment for Lockers {
    async fn find_compartment(&self, id: CompartmentId) -> Result<Option<Arc<Compartment>>, Failure> {
        Ok(self.store().compartments.get(id).cloned())
    }
}

impl FindReservation for Lockers {
    async fn find_reservation(&self, id: ReservationId) -> Result<Option<Arc<Reservation>>, Failure> {
        Ok(self.store().reservations.get(id).cloned())
    }
}

impl FindParcel for Lockers {
    async fn find_parcel(&self, id: ParcelId) -> Result<Option<Arc<Parcel>>, Failure> {
        Ok(self.store().parcels.get(id).cloned())
    }
}

impl FindDefect for Lockers {
    async fn find_defect(&self, id: DefectId) -> Result<Option<Arc<Defect>>, Failure> {
        Ok(self.store().defects.get(id).cloned())
    }
}
