//! Whether the author of a write may still write, in the state that the transaction sees.

use contract::{Account, ApiKey, ApiKeyId, Human, HumanId};

use super::actor::{Actor, Unauthorized};
use super::transaction::{Abort, Decided, TransactionError, Tx};
use super::usage;
use crate::digest::Digest;

/// Rejects the write of an author who may no longer write. Counts what the write counts by itself towards quotas with
/// periods.
pub(super) fn authorize<D>(tx: &mut Tx<'_>) -> Decided<(), D> {
    let is_allowed = match tx.author().map(|by| by.actor) {
        None | Some(Actor::Operator) => Ok(()),
        Some(Actor::Key(id)) => of_key(tx, id)?,
        Some(Actor::Worker(id, token)) => of_token(tx, id, token)?,
    };
    is_allowed.map_err(Abort::Unauthorized)?;
    usage::count(tx, None)
}

type Allowed = Result<(), Unauthorized>;

fn of_key(tx: &Tx<'_>, id: ApiKeyId) -> Result<Allowed, TransactionError> {
    let key: Option<ApiKey> = tx.get(id)?;
    let account = key.map(|key| tx.get::<Account>(key.account_id)).transpose()?;
    Ok(match account.flatten() {
        None => Err(Unauthorized::Ended),
        Some(account) if account.suspended => Err(Unauthorized::Suspended),
        Some(_) => Ok(()),
    })
}

fn of_token(tx: &Tx<'_>, id: HumanId, token: Digest) -> Result<Allowed, TransactionError> {
    let worker: Option<Human> = tx.get(id)?;
    let digest = worker.and_then(|worker| Digest::from_hex(&worker.token_digest?));
    Ok(if digest == Some(token) {
        Ok(())
    } else {
        Err(Unauthorized::Ended)
    })
}
