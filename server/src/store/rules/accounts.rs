//! Accounts, their keys, and which credentials may write.

use contract::support::derived::{Counted, Derived, Source};
use contract::{Account, AccountId, AccountSeed, ApiKey, ApiKeyId, ApiKeySeed, Human};

use crate::digest::Digest;
use crate::store::{Absent, KeyDenied, NewAccount, NewKey, Unauthorized};

/// Whether the account of a key may write. `None` means that the key is revoked.
pub(in crate::store) fn authorize_key(account: Option<&Account>) -> Result<(), Unauthorized> {
    match account {
        None => Err(Unauthorized::Ended),
        Some(account) if account.suspended => Err(Unauthorized::Suspended),
        Some(_) => Ok(()),
    }
}

/// Whether a worker whose token has this digest may write.
pub(in crate::store) fn authorize_worker(worker: Option<&Human>, token: Digest) -> Result<(), Unauthorized> {
    let digest = worker.and_then(|worker| worker.token_digest.as_deref());
    match digest.and_then(Digest::from_hex) {
        Some(digest) if digest == token => Ok(()),
        _ => Err(Unauthorized::Ended),
    }
}

/// A new account with its first key.
pub(in crate::store) fn create(id: AccountId, new: &NewAccount, key: ApiKeyId, new_key: &NewKey) -> (Account, ApiKey) {
    let mut account = Account::from(AccountSeed {
        id,
        name: new.name.clone(),
        plan: new.plan,
        created_at: new.created_at,
    });
    account.sandbox = new.sandbox;
    let key = api_key(key, id, new_key);
    key.added_to(&mut account);
    (account, key)
}

/// The account after `change`, which affects neither its id and its realm nor what follows from other records.
pub(in crate::store) fn update(account: Option<Account>, change: impl Fn(&mut Account)) -> Result<Account, Absent> {
    let mut account = account.ok_or(Absent)?;
    let (id, sandbox, stated) = (account.id, account.sandbox, account.stated());
    change(&mut account);
    (account.id, account.sandbox) = (id, sandbox);
    account.state(stated);
    Ok(account)
}

/// A new key of an account that `recheck` accepts and that has fewer than `max` keys, with the changed account.
pub(in crate::store) fn create_key<E>(
    account: Option<Account>,
    id: ApiKeyId,
    new: &NewKey,
    max: i64,
    recheck: impl Fn(&Account) -> Result<(), E>,
) -> Result<(Account, ApiKey), KeyDenied<E>> {
    let mut account = account.ok_or(KeyDenied::Absent)?;
    recheck(&account).map_err(KeyDenied::Rejected)?;
    if account.active_keys >= max {
        return Err(KeyDenied::Quota);
    }
    let key = api_key(id, account.id, new);
    key.added_to(&mut account);
    Ok((account, key))
}

/// The account after its key is revoked. A key of another account is absent.
pub(in crate::store) fn delete_key(account: Option<Account>, key: Option<&ApiKey>) -> Result<Account, Absent> {
    let (mut account, key) = (account.ok_or(Absent)?, key.ok_or(Absent)?);
    if key.account_id != account.id {
        return Err(Absent);
    }
    key.removed_from(&mut account);
    Ok(account)
}

fn api_key(id: ApiKeyId, account_id: AccountId, new: &NewKey) -> ApiKey {
    ApiKey::from(ApiKeySeed {
        id,
        account_id,
        name: new.name.clone(),
        key_prefix: new.prefix.clone(),
        digest: new.digest.to_hex(),
        created_at: new.created_at,
    })
}
