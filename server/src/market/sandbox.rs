//! The sandbox: what simulated workers will do after a write of an account in it, and its clock.

use std::convert::Infallible;

use contract::support::Once;
use contract::{AccountId, ApiKeyCaller, Failure, HumanId, operator};
use serde::Deserialize;

use crate::app::Hitode;
use crate::simulation::Planner;
use crate::simulation::people::people;
use crate::store::{Abort, Actor, DueSteps, HumanFilter, NewStep, PageRequest, StepKey, StoreResult, Tx, steps};

impl Hitode {
    /// What simulated workers will do for the caller. Nothing outside of the sandbox.
    pub(super) fn simulated(&self, caller: &ApiKeyCaller, plan: impl FnOnce(Planner) -> Vec<NewStep>) -> Vec<NewStep> {
        let (account, now) = (caller.id, self.clock().date_millis());
        match caller.realm {
            true => plan(Planner { account, now }),
            false => Vec::new(),
        }
    }

    /// Creates the simulated workers, if there are none yet.
    pub(super) async fn create_simulated_workers(&self) -> Result<(), Failure> {
        let _creating = self.simulation().creating.lock().await;
        if self.simulated_workers()?.is_empty() {
            // They have no `external_id`.
            let taken = Failure::Internal;
            self.create_humans(people(), true, Once::without_key(), taken).await?;
        }
        Ok(())
    }

    /// The ids of all simulated workers, in the order of their creation.
    pub(crate) fn simulated_workers(&self) -> StoreResult<Vec<HumanId>> {
        #[derive(Deserialize)]
        struct Row {
            id: i64,
        }
        let filter = HumanFilter {
            sandbox: true,
            ..HumanFilter::default()
        };
        let all = PageRequest::new(i64::MAX, 0);
        let page = self.store().look(|mirror| mirror.humans.of(true).find(&filter, all))?;
        // Rows of workers are in memory.
        let rows = page.rows.read_all().unwrap_or_default();
        let ids = rows
            .iter()
            .filter_map(|row| serde_json::from_str::<Row>(row.as_str()).ok());
        let mut ids: Vec<HumanId> = ids.map(|row| HumanId::new(row.id)).collect();
        ids.sort_unstable();
        Ok(ids)
    }

    /// At most so many of the steps of simulated workers that are due at this time, the earliest first.
    pub(crate) async fn due_steps(&self, at: u64, most: usize) -> StoreResult<DueSteps> {
        self.store().read(move |trees, _| steps::due(trees, at, most)).await
    }

    /// Removes the steps that were taken and adds others, in one write.
    pub(crate) async fn replace_steps(&self, taken: Vec<StepKey>, new: Vec<NewStep>) -> StoreResult<()> {
        let replace = move |tx: &mut Tx<'_>| Ok::<_, Abort<Infallible>>(steps::replace(tx, &taken, &new)?);
        let Ok(()) = self.store().write(Actor::Operator, replace).await?;
        Ok(())
    }

    /// Makes all steps for this account due earlier by so many milliseconds.
    pub(super) async fn advance_steps(&self, account: AccountId, millis: u64) -> Result<(), Failure> {
        let found = self.read(move |trees, _| steps::of_account(trees, account)).await?;
        self.write(Actor::Operator, move |tx| Ok(steps::advance(tx, &found, millis)?))
            .await
    }
}

impl operator::AdvanceClock for Hitode {
    async fn advance_clock(
        &self,
        request: operator::advance_clock::Request,
    ) -> Result<(), operator::advance_clock::Error> {
        if !request.account.sandbox {
            return Err(operator::advance_clock::Error::NotSandbox);
        }
        // The contract states the bounds.
        let millis = request.body.seconds.unsigned_abs().saturating_mul(1_000);
        Ok(self.advance_steps(request.account.id, millis).await?)
    }
}
