//! Operations of workers on their own data.

use contract::{Encoded, Failure, HumanDetail, worker};

use super::{by_worker, missing_after_guard};
use crate::app::Hitode;
use crate::store::Store;

impl<S: Store> worker::GetMe for Hitode<S> {
    async fn get_me(&self, request: worker::get_me::Request) -> Result<Encoded<HumanDetail>, worker::get_me::Error> {
        let human = self
            .store()
            .show_human(request.caller.id)
            .await
            .map_err(Failure::from)?;
        Ok(human.ok_or_else(|| missing_after_guard("the calling worker"))?)
    }
}

impl<S: Store> worker::UpdateMe for Hitode<S> {
    async fn update_me(&self, request: worker::update_me::Request) -> Result<(), worker::update_me::Error> {
        let mut body = request.body;
        let skills = body.skills.take();
        let by = by_worker(&request.caller, &request.presented_credential).counting(request.uses, self.now());
        let change = move |human: &mut _| body.clone().apply(human);
        let outcome = self
            .store()
            .update_human(by, request.caller.id, skills, change)
            .await
            .map_err(Failure::from)?;
        Ok(outcome.map_err(|_| missing_after_guard("the calling worker"))?)
    }
}
