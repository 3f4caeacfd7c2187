//! Applications: sent by workers, decided by the owners of the bounties; and what accepted workers deliver.

use codegen_store::kept::usage;
use codegen_store::{Index, Tree};
use contract::support::derived::Source;
use contract::support::{Done, Key};
use contract::worker::create_application::is_not_open;
use contract::{
    Application, ApplicationId, ApplicationSeed, ApplicationStatus, Bounty, BountyId, Delivery, DeliveryId, Failure,
    HumanId, Sender, Timestamp, Withdrawal, agent, worker,
};

use super::files::{Between, NamedFiles};
use super::{by_key, by_worker, days};
use crate::app::Hitode;
use crate::store::{Decided, Market, NewStep, Trees, Tx, emit, steps, tables};

/// Bounty, worker, withdrawal.
const WITHDRAWN: Tree = Index::tree_with::<Market, Withdrawal>("bounty_id, human_id, id");

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

impl worker::CreateDelivery for Hitode {
    async fn create_delivery(
        &self,
        request: worker::create_delivery::Request,
    ) -> Result<Done<worker::create_delivery::Success>, worker::create_delivery::Error> {
        use worker::create_delivery::{Error, Success};
        let now = self.now();
        let by = by_worker(&request.caller, &request.presented_credential).counting(request.uses, now);
        let files = NamedFiles {
            ids: request.body.files,
            unknown: Error::UnknownFile,
            too_long: Error::LongMessage,
        };
        let delivery = Delivery {
            id: DeliveryId::new(0),
            application_id: request.owned_application.id,
            message: request.body.message,
            created_at: now,
        };
        let once = request.once.map(|id| Success { id });
        self.write_once(by, once, move |tx| deliver(tx, &delivery, &files))
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

impl Hitode {
    /// A worker's application to a bounty.
    pub(crate) async fn application_of(
        &self,
        bounty: BountyId,
        human: HumanId,
    ) -> Result<Option<Application>, Failure> {
        let find = move |trees: &Trees, _: &_| {
            let found = trees.value(tables::APPLIED, &(bounty, human).bytes())?;
            let id = found.and_then(|id| ApplicationId::read(&id));
            id.map(|id| trees.named(id)).transpose()
        };
        self.read(find).await
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
    if !tx.index(WITHDRAWN, &applied, 1)?.is_empty() {
        return Err(Error::Withdrawn.into());
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

/// Creates a delivery for an accepted application. Its id is drawn.
fn deliver(
    tx: &mut Tx<'_>,
    delivery: &Delivery,
    files: &NamedFiles<worker::create_delivery::Error>,
) -> Decided<DeliveryId, worker::create_delivery::Error> {
    use worker::create_delivery::{Error, events, is_not_accepted};
    let application: Option<Application> = tx.get(delivery.application_id)?;
    let mut application = application.ok_or(Error::AbsentApplication)?;
    usage::hold(tx, application.deliveries)?;
    if is_not_accepted(&application) {
        return Err(Error::NotAccepted.into());
    }
    let bounty: Bounty = tx.existing(application.bounty_id)?;
    let between = Between {
        account: bounty.account_id,
        human: application.human_id,
        conversation: None,
    };
    let message = files.attach(tx, &between, Sender::Human, &delivery.message)?;
    let id = tx.next_id::<Delivery>()?;
    let delivery = Delivery {
        id,
        message: message.into_owned(),
        ..delivery.clone()
    };
    delivery.added_to(&mut application);
    tx.create(&delivery)?;
    tx.put(&application)?;
    emit(tx, events(&delivery, &application, &bounty), delivery.created_at)?;
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
    // The worker may have withdrawn it.
    let mut application: Application = tx.get(id)?.ok_or(Error::AbsentApplication)?;
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
