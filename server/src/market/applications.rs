//! Applications: sent by workers, decided by the owners of the bounties.

use contract::support::derived::Source;
use contract::support::{Done, Key};
use contract::worker::create_application::is_not_open;
use contract::{Application, ApplicationId, ApplicationSeed, ApplicationStatus, Bounty, Timestamp, agent, worker};

use super::{by_key, by_worker, days};
use crate::app::Hitode;
use crate::store::{Decided, NewStep, Tx, emit, steps, tables};

impl agent::DecideApplication for Hitode {
    async fn decide_application(
        &self,
        request: agent::decide_application::Request,
    ) -> Result<(), agent::decide_application::Error> {
        let (bounty, application) = (request.owned_bounty, request.application);
        let to: ApplicationStatus = request.body.status.into();
        let steps = self.simulated(&request.caller, |plan| match to {
            ApplicationStatus::Accepted => plan.reports(bounty.id, application.human_id, bounty.category.as_deref()),
            ApplicationStatus::Pending | ApplicationStatus::Rejected => Vec::new(),
        });
        let (by, now) = (by_key(&request.caller), self.now());
        self.write(by, move |tx| decide(tx, application.id, to, now, &steps))
            .await
    }
}

impl worker::CreateApplication for Hitode {
    async fn create_application(
        &self,
        request: worker::create_application::Request,
    ) -> Result<Done<worker::create_application::Success>, worker::create_application::Error> {
        let (caller, now) = (request.caller, self.now());
        let by = by_worker(&caller, &request.presented_credential).counting(request.uses, now);
        let application = ApplicationSeed {
            id: ApplicationId::new(0),
            bounty_id: request.bounty.id,
            human_id: caller.id,
            message: request.body.message,
            created_at: now,
        };
        let application = Application::from(application);
        let once = request.once.map(|id| worker::create_application::Success { id });
        self.write_once(by, once, move |tx| create(tx, &application)).await
    }
}

/// Creates an application to an open bounty, at most one for each worker and bounty. Its id is drawn.
pub(crate) fn create(
    tx: &mut Tx<'_>,
    application: &Application,
) -> Decided<ApplicationId, worker::create_application::Error> {
    use worker::create_application::{Error, events};
    let mut bounty: Bounty = tx.existing(application.bounty_id)?;
    if is_not_open(&bounty) {
        return Err(Error::NotOpen.into());
    }
    let applied = (bounty.id, application.human_id).bytes();
    if tx.read(tables::APPLIED, &applied)?.is_some() {
        return Err(Error::AlreadyApplied.into());
    }
    let id = tx.next_id::<Application>()?;
    let application = Application {
        id,
        ..application.clone()
    };
    application.added_to(&mut bounty);
    tx.create(&application)?;
    tx.put(&bounty)?;
    emit(tx, events(&application, &bounty), application.created_at)?;
    Ok(id)
}

/// Accepts or rejects an application. If its status changes, simulated workers will take these steps.
pub(crate) fn decide(
    tx: &mut Tx<'_>,
    id: ApplicationId,
    to: ApplicationStatus,
    now: Timestamp,
    next: &[NewStep],
) -> Decided<(), agent::decide_application::Error> {
    use agent::decide_application::{Error, events};
    let mut application: Application = tx.existing(id)?;
    let from = application.status;
    if !from.may_become(to) {
        return Err(Error::Move { from, to }.into());
    }
    if from == ApplicationStatus::Pending && to != from {
        days::count_decision(tx, now)?;
    }
    if from != to {
        application.status = to;
        tx.put(&application)?;
        emit(tx, events(&application), now)?;
        steps::add(tx, next)?;
    }
    Ok(())
}
