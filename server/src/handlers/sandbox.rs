//! The sandbox: what simulated workers will do after a write of an account in it, and its clock.

use contract::{ApiKeyCaller, Failure, operator};

use crate::app::Hitode;
use crate::simulation::Planner;
use crate::store::{NewStep, Store};

impl<S: Store> Hitode<S> {
    /// What simulated workers will do for the caller. Nothing outside of the sandbox.
    pub(super) fn simulated(&self, caller: &ApiKeyCaller, plan: impl FnOnce(Planner) -> Vec<NewStep>) -> Vec<NewStep> {
        let (account, now) = (caller.id, self.clock().date_millis());
        match caller.realm {
            true => plan(Planner { account, now }),
            false => Vec::new(),
        }
    }
}

impl<S: Store> operator::AdvanceClock for Hitode<S> {
    async fn advance_clock(
        &self,
        request: operator::advance_clock::Request,
    ) -> Result<(), operator::advance_clock::Error> {
        if !request.account.sandbox {
            return Err(operator::advance_clock::Error::NotSandbox);
        }
        // The contract states the bounds.
        let millis = request.body.seconds.unsigned_abs().saturating_mul(1_000);
        let advanced = self.store().advance_steps(request.account.id, millis).await;
        Ok(advanced.map_err(Failure::from)?)
    }
}
