//! Applications: the writes, and the lists, which read from the disk.

use std::sync::{Arc, RwLock};

use contract::agent::list_applications::order;
use contract::{
    AccountId, Application, ApplicationId, ApplicationReceived, ApplicationSeed, ApplicationSent, ApplicationStatus,
    Bounty, BountyId, Encoded, Human, HumanId, Page,
};

use super::keys;
use super::torn;
use super::transaction::{Fault, Stop, Tx};
use super::trees::{Tree, Trees};
use crate::store::memory::Memory;
use crate::store::outcome::{check_decision, takes_applications};
use crate::store::{ApplyDenied, Kept, MoveDenied, NewApplication, StoreError, Window};

/// Makes an application to an open bounty, one a worker and bounty.
pub(super) fn create(tx: &mut Tx<'_>, new: &NewApplication) -> Result<ApplicationId, Stop<ApplyDenied>> {
    let mut bounty: Bounty = tx.get(new.bounty_id)?.ok_or(Stop::Refused(ApplyDenied::Absent))?;
    tx.get::<Human>(new.human_id)?
        .ok_or(Stop::Refused(ApplyDenied::Absent))?;
    if !takes_applications(&bounty) {
        return Err(Stop::Refused(ApplyDenied::NotOpen));
    }
    let applied = keys::pair(new.bounty_id, new.human_id);
    if tx.read(Tree::Applied, &applied)?.is_some() {
        return Err(Stop::Refused(ApplyDenied::AlreadyApplied));
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
) -> Result<(), Stop<MoveDenied<ApplicationStatus>>> {
    let absent = || Stop::Refused(MoveDenied::Absent);
    let mut application: Application = tx.get(id)?.ok_or_else(absent)?;
    let bounty: Bounty = tx.get(application.bounty_id)?.ok_or_else(absent)?;
    if bounty.account_id != owner {
        return Err(Stop::Refused(MoveDenied::NotOwner));
    }
    check_decision(application.status, to).map_err(Stop::Refused)?;
    if application.status == to {
        return Ok(());
    }
    application.status = to;
    Ok(tx.put(&application)?)
}

/// All applications to a bounty, in the contract's order.
pub(super) fn received(
    trees: &Trees,
    memory: &RwLock<Memory>,
    bounty: BountyId,
) -> Kept<Vec<Encoded<ApplicationReceived>>> {
    let mut applications = trees
        .index(Tree::Received, &keys::one(bounty))
        .map(|key| at(trees, &key?))
        .collect::<Kept<Vec<_>>>()?;
    applications.sort_by(order);
    let humans = humans_of(memory, &applications)?;
    let rows = applications.iter().zip(humans);
    Ok(rows
        .map(|(application, human)| application.received(&human.name, human.rating))
        .collect())
}

/// A page of the applications of a worker, by id.
pub(super) fn sent(
    trees: &Trees,
    memory: &RwLock<Memory>,
    human: HumanId,
    window: Window,
) -> Kept<Page<ApplicationSent>> {
    let keys = trees.index(Tree::Sent, &keys::one(human)).collect::<Kept<Vec<_>>>()?;
    let mut rows = Vec::new();
    for key in window.of(keys.iter()) {
        let application = at(trees, key)?;
        let bounty = bounty_of(trees, memory, application.bounty_id)?;
        rows.push(application.sent(&bounty.title, bounty.status));
    }
    let total = i64::try_from(keys.len()).expect("ids are below 2^53");
    Ok(Page { rows, total })
}

fn put_new(tx: &mut Tx<'_>, new: &NewApplication) -> Result<ApplicationId, Fault> {
    let application = Application::from(ApplicationSeed {
        id: tx.next_id::<Application>()?,
        bounty_id: new.bounty_id,
        human_id: new.human_id,
        message: new.message.clone(),
        created_at: new.created_at,
    });
    tx.create(&application)?;
    tx.enter(&application);
    Ok(application.id)
}

/// The application that a key of an index ends with.
fn at(trees: &Trees, key: &[u8]) -> Kept<Application> {
    let found = match keys::last(key) {
        Some(id) => trees.get(id)?,
        None => None,
    };
    found.ok_or_else(|| StoreError::broken("an index names an application that is not there"))
}

/// The worker of each application, as they are now.
fn humans_of(memory: &RwLock<Memory>, applications: &[Application]) -> Kept<Vec<Arc<Human>>> {
    let memory = memory.read().map_err(torn)?;
    let human = |application: &Application| memory.humans.get(application.human_id).cloned();
    let found: Option<Vec<_>> = applications.iter().map(human).collect();
    found.ok_or_else(|| StoreError::broken("an application names a worker that is not there"))
}

/// The bounty, from memory if it is open.
fn bounty_of(trees: &Trees, memory: &RwLock<Memory>, id: BountyId) -> Kept<Arc<Bounty>> {
    let open = memory.read().map_err(torn)?.bounties.get(id).cloned();
    match open {
        Some(bounty) => Ok(bounty),
        None => trees
            .get::<Bounty>(id)?
            .map(Arc::new)
            .ok_or_else(|| StoreError::broken("an application names a bounty that is not there")),
    }
}
