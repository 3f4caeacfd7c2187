//! Whether an actor may still write, in the state that the transaction sees.

use codegen_store::{TransactionError, Unauthorized};
use contract::{Account, ApiKey, ApiKeyId, Human, HumanId};

use super::actor::Actor;
use super::market::Tx;
use crate::digest::Digest;

type Allowed = Result<(), Unauthorized>;

/// Whether this actor may.
pub(super) fn authorize(tx: &Tx<'_>, actor: Actor) -> Result<Allowed, TransactionError> {
    match actor {
        Actor::Operator => Ok(Ok(())),
        Actor::Key(id) => of_key(tx, id),
        Actor::Worker(id, token) => of_token(tx, id, token),
    }
}

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
    let is_it = |worker: &Human| worker.token_digest.as_deref().and_then(Digest::from_hex) == Some(token);
    Ok(match worker.filter(is_it) {
        None => Err(Unauthorized::Ended),
        Some(worker) if worker.suspended => Err(Unauthorized::Suspended),
        Some(_) => Ok(()),
    })
}
