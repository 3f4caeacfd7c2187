//! Applications: sent by workers, decided by the owners of the bounties.

use std::sync::Arc;

use contract::support::Done;
use contract::support::derived::Source;
use contract::worker::create_application::is_not_open;
use contract::{
    Application, ApplicationId, ApplicationReceived, ApplicationSeed, ApplicationSent, ApplicationStatus, Bounty,
    BountyId, Failure, FindApplication, HasApplicationOfBounty, HumanId, Page, Rows, Timestamp, agent, worker,
};

use super::{by_key, by_worker};
use crate::app::Hitode;
use crate::store::{
    Decided, NewStep, PageRequest, ReadRows, StoreError, StoreResult, Trees, Tx, count, feeds, in_memory, keys,
    of_each, steps, tables,
};

impl FindApplication for Hitode {
    async fn find_application(&self, id: ApplicationId) -> Result<Option<Arc<Application>>, Failure> {
        self.read(move |trees, _| Ok(trees.get(id)?.map(Arc::new))).await
    }
}

impl HasApplicationOfBounty for Hitode {
    async fn has_application_of_bounty(&self, bounty: BountyId, human: HumanId) -> Result<bool, Failure> {
        let applied = keys::pair(bounty, human);
        self.read(move |trees, _| Ok(trees.value(tables::APPLIED, &applied)?.is_some()))
            .await
    }
}

impl agent::ListApplications for Hitode {
    async fn list_applications(
        &self,
        request: agent::list_applications::Request,
    ) -> Result<Rows<ApplicationReceived>, agent::list_applications::Error> {
        let (bounty, query) = (request.owned_bounty.id, request.query);
        let window = PageRequest::new(query.limit.unwrap_or(i64::MAX), query.offset);
        let ids = self.read(move |trees, _| received(trees, bounty, window)).await?;
        Ok(self.rows(rows_of_received(ids)).await?)
    }
}

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

impl worker::ListApplications for Hitode {
    async fn list_applications(
        &self,
        request: worker::list_applications::Request,
    ) -> Result<Page<ApplicationSent>, worker::list_applications::Error> {
        let (human, window) = (
            request.caller.id,
            PageRequest::new(request.query.limit, request.query.offset),
        );
        let (ids, total) = self.read(move |trees, _| sent(trees, human, window)).await?;
        let rows = self.rows(rows_of_sent(ids)).await?;
        Ok(Page { rows, total })
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
    let applied = keys::pair(bounty.id, application.human_id);
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
    feeds::emit(tx, events(&application, &bounty), application.created_at)?;
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
    if from != to {
        application.status = to;
        tx.put(&application)?;
        feeds::emit(tx, events(&application), now)?;
        steps::add(tx, next)?;
    }
    Ok(())
}

/// A page of the applications to a bounty, by id.
fn received(trees: &Trees, bounty: BountyId, window: PageRequest) -> StoreResult<Vec<ApplicationId>> {
    let keys = trees.index(tables::RECEIVED, &keys::one(bounty), window.positions().end)?;
    window.of(keys.iter()).map(|key| last(key)).collect()
}

/// Applications in the view for the bounty's owner, with the current state of their workers.
fn rows_of_received(ids: Vec<ApplicationId>) -> impl ReadRows<ApplicationReceived> {
    of_each(ids, |trees, mirror, id| {
        let application: Application = trees.named(*id)?;
        let human = in_memory(mirror, |mirror| mirror.humans.get(application.human_id))?;
        Ok(application.received(&human))
    })
}

/// A page of a worker's applications, by id, and their total number.
fn sent(trees: &Trees, human: HumanId, window: PageRequest) -> StoreResult<(Vec<ApplicationId>, i64)> {
    let keys = trees.index(tables::SENT, &keys::one(human), usize::MAX)?;
    let ids = window.of(keys.iter()).map(|key| last(key));
    let ids = ids.collect::<StoreResult<_>>()?;
    Ok((ids, count(keys.len())))
}

/// Applications in the view for their worker, with the current state of their bounties.
fn rows_of_sent(ids: Vec<ApplicationId>) -> impl ReadRows<ApplicationSent> {
    of_each(ids, |trees, _, id| {
        let application: Application = trees.named(*id)?;
        let bounty = trees.shown_bounty(application.bounty_id)?;
        let bounty = bounty.ok_or_else(|| StoreError::damaged("an application names a bounty that is not there"))?;
        Ok(application.sent(&bounty))
    })
}

/// The id at the end of an index key.
fn last(key: &[u8]) -> StoreResult<ApplicationId> {
    keys::last(key).ok_or_else(|| StoreError::damaged("an index has a key without an application"))
}
