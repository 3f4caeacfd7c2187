//! Applications: sent by workers, decided by the owners of the bounties.

use contract::support::Done;
use contract::{ApplicationReceived, ApplicationSent, ApplicationStatus, Failure, Page, Rows, agent, worker};

use super::{by_key, by_worker, missing_after_guard};
use crate::app::Hitode;
use crate::store::{ApplyDenied, MoveDenied, NewApplication, PageRequest, Store};

impl<S: Store> agent::ListApplications for Hitode<S> {
    async fn list_applications(
        &self,
        request: agent::list_applications::Request,
    ) -> Result<Rows<ApplicationReceived>, agent::list_applications::Error> {
        let (bounty, query) = (request.owned_bounty, request.query);
        let window = PageRequest::new(query.limit.unwrap_or(i64::MAX), query.offset);
        Ok(self
            .store()
            .received_applications(bounty.id, window)
            .await
            .map_err(Failure::from)?)
    }
}

impl<S: Store> agent::DecideApplication for Hitode<S> {
    async fn decide_application(
        &self,
        request: agent::decide_application::Request,
    ) -> Result<(), agent::decide_application::Error> {
        let bounty = request.owned_bounty;
        let (owner, application) = (bounty.account_id, request.application.id);
        let to: ApplicationStatus = request.body.status.into();
        let steps = self.simulated(&request.caller, |plan| match to {
            ApplicationStatus::Accepted => {
                plan.reports(bounty.id, request.application.human_id, bounty.category.as_deref())
            }
            ApplicationStatus::Pending | ApplicationStatus::Rejected => Vec::new(),
        });
        let outcome = self
            .store()
            .decide_application(by_key(&request.caller), owner, application, to, self.now(), steps)
            .await;
        outcome.map_err(Failure::from)?.map_err(|denied| match denied {
            MoveDenied::Forbidden { from, to } => agent::decide_application::Error::Move { from, to },
            MoveDenied::Absent | MoveDenied::NotOwner | MoveDenied::Locked => {
                missing_after_guard("an application").into()
            }
        })?;
        Ok(())
    }
}

impl<S: Store> worker::CreateApplication for Hitode<S> {
    async fn create_application(
        &self,
        request: worker::create_application::Request,
    ) -> Result<Done<worker::create_application::Success>, worker::create_application::Error> {
        use worker::create_application::{Error, Success};
        let by = by_worker(&request.caller, &request.presented_credential).counting(request.uses, self.now());
        let application = NewApplication {
            bounty_id: request.bounty.id,
            human_id: request.caller.id,
            message: request.body.message,
            created_at: self.now(),
        };
        let once = request.once.map(|id| Success { id });
        let outcome = self.store().create_application(by, application, once).await;
        outcome.map_err(Failure::from)?.map_err(|denied| match denied {
            ApplyDenied::NotOpen => Error::NotOpen,
            ApplyDenied::AlreadyApplied => Error::AlreadyApplied,
            ApplyDenied::Absent => missing_after_guard("a bounty or the calling worker").into(),
        })
    }
}

impl<S: Store> worker::ListApplications for Hitode<S> {
    async fn list_applications(
        &self,
        request: worker::list_applications::Request,
    ) -> Result<Page<ApplicationSent>, worker::list_applications::Error> {
        let window = PageRequest::new(request.query.limit, request.query.offset);
        Ok(self
            .store()
            .sent_applications(request.caller.id, window)
            .await
            .map_err(Failure::from)?)
    }
}
