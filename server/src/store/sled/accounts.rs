//! The writes on accounts and their keys.

use contract::{Account, AccountId, AccountSeed, ApiKey, ApiKeyId, ApiKeySeed, Timestamp};

use super::transaction::{Abort, TransactionError, Tx};
use crate::store::memory::Change;
use crate::store::outcome::{check_account, check_new_key, check_worker};
use crate::store::{Absent, Actor, KeyDenied, NewAccount, NewKey};

/// Whether the actor may still write, in the state that the transaction sees.
pub(super) fn authorize<D>(tx: &Tx<'_>, actor: Actor) -> Result<(), Abort<D>> {
    let allowed = match actor {
        Actor::Operator => Ok(()),
        Actor::Key(id) => {
            let key: Option<ApiKey> = tx.get(id)?;
            let account = key.map(|key| tx.get::<Account>(key.account_id)).transpose()?;
            check_account(account.flatten().as_ref())
        }
        Actor::Worker(id, token) => check_worker(tx.get(id)?.as_ref(), token),
    };
    allowed.map_err(Abort::Unauthorized)
}

/// Creates an account with its first key.
pub(super) fn create_account<D>(
    tx: &mut Tx<'_>,
    new: &NewAccount,
    key: &NewKey,
) -> Result<(AccountId, ApiKeyId), Abort<D>> {
    let mut account = Account::from(AccountSeed {
        id: tx.next_id::<Account>()?,
        name: new.name.clone(),
        plan: new.plan,
        created_at: new.created_at,
    });
    account.active_keys = 1;
    tx.create(&account)?;
    Ok((account.id, put_key(tx, account.id, key)?))
}

/// Changes an account, except its id and its number of keys.
pub(super) fn update_account(
    tx: &mut Tx<'_>,
    id: AccountId,
    change: &impl Fn(&mut Account),
) -> Result<(), Abort<Absent>> {
    let mut account: Account = tx.get(id)?.ok_or(Abort::Rejected(Absent))?;
    let active_keys = account.active_keys;
    change(&mut account);
    account.id = id;
    account.active_keys = active_keys;
    Ok(tx.put(&account)?)
}

/// Creates a key, if the account may have another one.
pub(super) fn create_key<E>(
    tx: &mut Tx<'_>,
    account: AccountId,
    key: &NewKey,
    max: i64,
    recheck: &impl Fn(&Account) -> Result<(), E>,
) -> Result<ApiKeyId, Abort<KeyDenied<E>>> {
    let mut account: Account = tx.get(account)?.ok_or(Abort::Rejected(KeyDenied::Absent))?;
    check_new_key(&account, max, recheck).map_err(Abort::Rejected)?;
    account.active_keys += 1;
    tx.put(&account)?;
    Ok(put_key(tx, account.id, key)?)
}

/// Revokes a key of this account.
pub(super) fn delete_key(tx: &mut Tx<'_>, owner: AccountId, id: ApiKeyId) -> Result<(), Abort<Absent>> {
    let key: Option<ApiKey> = tx.get(id)?;
    if key.is_none_or(|key| key.account_id != owner) {
        return Err(Abort::Rejected(Absent));
    }
    let mut account: Account = tx.get(owner)?.ok_or(Abort::Rejected(Absent))?;
    account.active_keys -= 1;
    tx.put(&account)?;
    Ok(tx.delete::<ApiKey>(id, Change::KeyRevoked(id))?)
}

/// Writes the last uses of keys. The memory already has them.
pub(super) fn persist_uses(tx: &mut Tx<'_>, uses: &[(ApiKeyId, Timestamp)]) -> Result<(), Abort<Absent>> {
    for (id, used) in uses {
        if let Some(mut key) = tx.get::<ApiKey>(*id)? {
            key.last_used_at = Some(*used);
            tx.put_on_disk(&key)?;
        }
    }
    Ok(())
}

fn put_key(tx: &mut Tx<'_>, account_id: AccountId, new: &NewKey) -> Result<ApiKeyId, TransactionError> {
    let key = ApiKey::from(ApiKeySeed {
        id: tx.next_id::<ApiKey>()?,
        account_id,
        name: new.name.clone(),
        key_prefix: new.prefix.clone(),
        digest: new.digest.to_hex(),
        created_at: new.created_at,
    });
    tx.create(&key)?;
    Ok(key.id)
}
