//! Applications.

use contract::support::derived::Source;
use contract::worker::create_application::is_not_open;
use contract::{AccountId, Application, ApplicationId, ApplicationSeed, ApplicationStatus, Bounty};

use crate::store::{ApplyDenied, MoveDenied, NewApplication};

/// A new application to an open bounty, with the bounty that counts it. `exists` is whether the worker exists,
/// `applied` whether the worker has an application to this bounty.
pub(in crate::store) fn create(
    id: ApplicationId,
    new: &NewApplication,
    bounty: Option<&Bounty>,
    exists: bool,
    applied: bool,
) -> Result<(Application, Bounty), ApplyDenied> {
    let mut bounty = bounty.filter(|_| exists).ok_or(ApplyDenied::Absent)?.clone();
    if is_not_open(&bounty) {
        return Err(ApplyDenied::NotOpen);
    }
    if applied {
        return Err(ApplyDenied::AlreadyApplied);
    }
    let application = Application::from(ApplicationSeed {
        id,
        bounty_id: new.bounty_id,
        human_id: new.human_id,
        message: new.message.clone(),
        created_at: new.created_at,
    });
    application.added_to(&mut bounty);
    Ok((application, bounty))
}

/// The application with the status `to`, if its bounty belongs to `owner` and the contract allows the transition.
/// `None` if that is its status already.
pub(in crate::store) fn decide(
    application: Option<Application>,
    bounty: Option<&Bounty>,
    owner: AccountId,
    to: ApplicationStatus,
) -> Result<Option<Application>, MoveDenied<ApplicationStatus>> {
    let (application, bounty) = application.zip(bounty).ok_or(MoveDenied::Absent)?;
    if bounty.account_id != owner {
        return Err(MoveDenied::NotOwner);
    }
    let from = application.status;
    if !from.may_become(to) {
        return Err(MoveDenied::Forbidden { from, to });
    }
    Ok((from != to).then_some(Application {
        status: to,
        ..application
    }))
}
