//! Couriers, whose accounts the depot creates.

use crate::support::{Done, Failure};
use crate::{CourierId, Lockers, depot};
use depot::{create_courier, update_courier};

impl depot::CreateCourier for Lockers {
    async fn create_courier(
        &self,
        request: create_courier::Request,
    ) -> Result<Done<create_courier::Success>, create_courier::Error> {
        let created_at = self.now();
        let mut store = self.store();
        let terminal = request.body.terminal.clone();
        let id = store.couriers.add(CourierId::new, |id| {
            request.body.into_courier(create_courier::Rest { id, created_at })
        });
        let network = store.couriers.get(id).ok_or(Failure::Internal)?.network;
        let (terminal_id, key) = store.add_terminal((id, network), terminal, created_at);
        let success = create_courier::Success { id, terminal_id, key };
        Ok(store.done(&request.once, success))
    }
}

impl depot::UpdateCourier for Lockers {
    async fn update_courier(&self, request: update_courier::Request) -> Result<(), update_courier::Error> {
        let mut store = self.store();
        let courier = store.couriers.get_mut(request.courier.id).ok_or(Failure::Internal)?;
        request.body.apply(courier);
        Ok(())
    }
}
