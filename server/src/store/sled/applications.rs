//! Applications: the writes, and the lists, which are read from disk.

use std::sync::{Arc, RwLock};

use contract::agent::list_applications::order;
use contract::{
    AccountId, Application, ApplicationId, ApplicationReceived, ApplicationSeed, ApplicationSent, ApplicationStatus,
    Bounty, BountyId, Human, HumanId,
};
use sled::IVec;

use super::keys;
use super::rows::{ReadRows, of_each};
use super::torn;
use super::transaction::{Abort, TransactionError, Tx};
use super::trees::{Tree, Trees};
use crate::store::memory::Memory;
use crate::store::outcome::{check_decision, takes_applications};
use crate::store::{ApplyDenied, MoveDenied, NewApplication, PageRequest, StoreError, StoreResult};

/// Creates an application to an open bounty, at most one for each worker and bounty.
pub(super) fn create(tx: &mut Tx<'_>, new: &NewApplication) -> Result<ApplicationId, Abort<ApplyDenied>> {
    let mut bounty: Bounty = tx.get(new.bounty_id)?.ok_or(Abort::Rejected(ApplyDenied::Absent))?;
    tx.get::<Human>(new.human_id)?
        .ok_or(Abort::Rejected(ApplyDenied::Absent))?;
    if !takes_applications(&bounty) {
        return Err(Abort::Rejected(ApplyDenied::NotOpen));
    }
    let applied = keys::pair(new.bounty_id, new.human_id);
    if tx.read(Tree::Applied, &applied)?.is_some() {
        return Err(Abort::Rejected(ApplyDenied::AlreadyApplied));
    }
    let id = put_new(tx, new)?;
    bounty.applications_count += 1;
    tx.put(&bounty)?;
    Ok(id)
}

/// Sets the status of an application to a bounty of this account.
pub(super) fn decide(
    tx: &mut Tx<'_>,
    owner: AccountId,
    id: ApplicationId,
    to: ApplicationStatus,
) -> Result<(), Abort<MoveDenied<ApplicationStatus>>> {
    let absent = || Abort::Rejected(MoveDenied::Absent);
    let mut application: Application = tx.get(id)?.ok_or_else(absent)?;
    let bounty: Bounty = tx.get(application.bounty_id)?.ok_or_else(absent)?;
    if bounty.account_id != owner {
        return Err(Abort::Rejected(MoveDenied::NotOwner));
    }
    check_decision(application.status, to).map_err(Abort::Rejected)?;
    if application.status == to {
        return Ok(());
    }
    application.status = to;
    Ok(tx.put(&application)?)
}

/// All applications to a bounty, in the contract's order, without their messages, which are long and do not affect the
/// order.
pub(super) fn received(trees: &Trees, bounty: BountyId) -> StoreResult<Vec<ApplicationId>> {
    let short = |key: StoreResult<IVec>| {
        let message = String::new();
        Ok(Application {
            message,
            ..at(trees, last(&key?)?)?
        })
    };
    let keys = trees.index(Tree::Received, &keys::one(bounty));
    let mut applications = keys.map(short).collect::<StoreResult<Vec<_>>>()?;
    applications.sort_by(order);
    Ok(applications.iter().map(|application| application.id).collect())
}

/// Applications in the view for the bounty's owner, with the current state of their workers.
pub(super) fn rows_of_received(ids: Vec<ApplicationId>) -> impl ReadRows<ApplicationReceived> {
    of_each(ids, |trees, memory, id| {
        let application = at(trees, *id)?;
        let human = human_of(memory, &application)?;
        Ok(application.received(&human.name, human.rating))
    })
}

/// A page of a worker's applications, by id, and their total number.
pub(super) fn sent(trees: &Trees, human: HumanId, window: PageRequest) -> StoreResult<(Vec<ApplicationId>, i64)> {
    let keys = trees
        .index(Tree::Sent, &keys::one(human))
        .collect::<StoreResult<Vec<_>>>()?;
    let ids = window
        .of(keys.iter())
        .map(|key| last(key))
        .collect::<StoreResult<_>>()?;
    Ok((ids, i64::try_from(keys.len()).expect("ids are below 2^53")))
}

/// Applications in the view for their worker, with the current state of their bounties.
pub(super) fn rows_of_sent(ids: Vec<ApplicationId>) -> impl ReadRows<ApplicationSent> {
    of_each(ids, |trees, memory, id| {
        let application = at(trees, *id)?;
        let bounty = bounty_of(trees, memory, application.bounty_id)?;
        Ok(application.sent(&bounty.title, bounty.status))
    })
}

fn put_new(tx: &mut Tx<'_>, new: &NewApplication) -> Result<ApplicationId, TransactionError> {
    let application = Application::from(ApplicationSeed {
        id: tx.next_id::<Application>()?,
        bounty_id: new.bounty_id,
        human_id: new.human_id,
        message: new.message.clone(),
        created_at: new.created_at,
    });
    tx.create(&application)?;
    tx.index(&application);
    Ok(application.id)
}

/// The id at the end of an index key.
fn last(key: &[u8]) -> StoreResult<ApplicationId> {
    keys::last(key).ok_or_else(|| StoreError::broken("an index has a key without an application"))
}

fn at(trees: &Trees, id: ApplicationId) -> StoreResult<Application> {
    trees
        .get(id)?
        .ok_or_else(|| StoreError::broken("an index names an application that is not there"))
}

fn human_of(memory: &RwLock<Memory>, application: &Application) -> StoreResult<Arc<Human>> {
    let memory = memory.read().map_err(torn)?;
    let human = memory.humans.get(application.human_id).cloned();
    human.ok_or_else(|| StoreError::broken("an application names a worker that is not there"))
}

/// The bounty, from memory if it is open.
fn bounty_of(trees: &Trees, memory: &RwLock<Memory>, id: BountyId) -> StoreResult<Arc<Bounty>> {
    let open = memory.read().map_err(torn)?.bounties.get(id).cloned();
    match open {
        Some(bounty) => Ok(bounty),
        None => trees
            .get::<Bounty>(id)?
            .map(Arc::new)
            .ok_or_else(|| StoreError::broken("an application names a bounty that is not there")),
    }
}
