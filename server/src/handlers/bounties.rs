//! Bounties: posted and changed by agents, searched and read by agents and workers.

use contract::support::Done;
use contract::{BountyDetail, BountyId, BountyList, Encoded, Failure, Page, agent, operator, worker};

use super::{by_key, missing_after_guard};
use crate::app::Hitode;
use crate::store::{BountyFilter, MoveDenied, PageRequest, Store};

impl<S: Store> Hitode<S> {
    async fn search(&self, wanted: BountyFilter, window: PageRequest) -> Result<Page<BountyList>, Failure> {
        Ok(self.store().find_bounties(wanted, window).await?)
    }
}

impl<S: Store> agent::ListBounties for Hitode<S> {
    async fn list_bounties(
        &self,
        request: agent::list_bounties::Request,
    ) -> Result<Page<BountyList>, agent::list_bounties::Error> {
        let query = request.query;
        let wanted = filter(request.caller.realm, query.category, query.is_remote, query.location);
        Ok(self.search(wanted, PageRequest::new(query.limit, query.offset)).await?)
    }
}

impl<S: Store> agent::ListMyBounties for Hitode<S> {
    async fn list_my_bounties(
        &self,
        request: agent::list_my_bounties::Request,
    ) -> Result<Page<BountyList>, agent::list_my_bounties::Error> {
        let query = request.query;
        let window = PageRequest::new(query.limit, query.offset);
        let own = self.store().own_bounties(request.caller.id, query.status, window);
        Ok(own.await.map_err(Failure::from)?)
    }
}

impl<S: Store> worker::ListBounties for Hitode<S> {
    async fn list_bounties(
        &self,
        request: worker::list_bounties::Request,
    ) -> Result<Page<BountyList>, worker::list_bounties::Error> {
        let query = request.query;
        let wanted = filter(request.caller.realm, query.category, query.is_remote, query.location);
        Ok(self.search(wanted, PageRequest::new(query.limit, query.offset)).await?)
    }
}

impl<S: Store> agent::CreateBounty for Hitode<S> {
    async fn create_bounty(
        &self,
        request: agent::create_bounty::Request,
    ) -> Result<Done<agent::create_bounty::Success>, agent::create_bounty::Error> {
        let rest = agent::create_bounty::Rest {
            // The store draws the id.
            id: BountyId::new(0),
            account_id: request.caller.id,
        };
        let steps = self.simulated(&request.caller, |plan| {
            plan.applications(request.body.category.as_deref())
        });
        let by = by_key(&request.caller).counting(request.uses, self.now());
        let draft = request.body.into_bounty(rest);
        let once = request.once.map(|id| agent::create_bounty::Success { id });
        let created = self.store().create_bounty(by, draft, steps, once);
        let created = created.await.map_err(Failure::from)?;
        Ok(created)
    }
}

impl<S: Store> agent::GetBounty for Hitode<S> {
    async fn get_bounty(
        &self,
        request: agent::get_bounty::Request,
    ) -> Result<Encoded<BountyDetail>, agent::get_bounty::Error> {
        Ok(request.bounty.detail())
    }
}

impl<S: Store> worker::GetBounty for Hitode<S> {
    async fn get_bounty(
        &self,
        request: worker::get_bounty::Request,
    ) -> Result<Encoded<BountyDetail>, worker::get_bounty::Error> {
        Ok(request.bounty.detail())
    }
}

impl<S: Store> agent::UpdateBounty for Hitode<S> {
    async fn update_bounty(&self, request: agent::update_bounty::Request) -> Result<(), agent::update_bounty::Error> {
        let (bounty, now) = (request.owned_bounty, self.now());
        let by = by_key(&request.caller).counting(request.uses, now);
        let outcome = self
            .store()
            .move_bounty(by, bounty.account_id, bounty.id, request.body.status, now)
            .await;
        outcome.map_err(Failure::from)?.map_err(|denied| match denied {
            MoveDenied::Forbidden { from, to } => agent::update_bounty::Error::Move { from, to },
            MoveDenied::Locked => agent::update_bounty::Error::Locked,
            MoveDenied::Absent | MoveDenied::NotOwner => missing_after_guard("a bounty").into(),
        })
    }
}

impl<S: Store> operator::UpdateBounty for Hitode<S> {
    async fn update_bounty(
        &self,
        request: operator::update_bounty::Request,
    ) -> Result<(), operator::update_bounty::Error> {
        let body = request.body;
        let change = move |bounty: &mut _| body.clone().apply(bounty);
        let outcome = self.store().update_bounty(request.bounty.id, change, self.now());
        let outcome = outcome.await.map_err(Failure::from)?;
        Ok(outcome.map_err(|_| missing_after_guard("a bounty"))?)
    }
}

/// `is_remote: false` restricts nothing: it does not mean "only bounties on site".
fn filter(sandbox: bool, category: Option<String>, is_remote: Option<bool>, location: Option<String>) -> BountyFilter {
    BountyFilter {
        category,
        remote_only: is_remote == Some(true),
        location,
        sandbox,
    }
}
