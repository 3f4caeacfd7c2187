//! API keys: created and revoked by their account, or created by the operator. A key is displayed once, when it is
//! created.

use std::sync::Arc;

use contract::support::derived::{Counted, Source};
use contract::support::{Done, Once};
use contract::{
    Account, AccountId, AdmitApiKey, ApiKey, ApiKeyCaller, ApiKeyId, ApiKeyItem, ApiKeySeed, Failure, FindApiKey, Rows,
    Timestamp, agent, api_key, operator, quotas,
};

use super::by_key;
use crate::app::Hitode;
use crate::digest::Digest;
use crate::store::{Actor, Decided, Tx};

impl AdmitApiKey for Hitode {
    async fn admit_api_key(&self, presented: &str) -> Result<Option<ApiKeyCaller>, Failure> {
        self.admit(Digest::from_secret(presented), self.now()).await
    }
}

impl FindApiKey for Hitode {
    async fn find_api_key(&self, id: ApiKeyId) -> Result<Option<Arc<ApiKey>>, Failure> {
        self.look(|mirror| mirror.keys.get(id).cloned())
    }
}

impl Hitode {
    /// The account of the key with this digest. Saves `now` as the key's last use, if the saved one is older than the
    /// contract allows.
    pub(super) async fn admit(&self, digest: Digest, now: Timestamp) -> Result<Option<ApiKeyCaller>, Failure> {
        let Some(admitted) = self.look(|mirror| mirror.admit_key(&digest, now))? else {
            return Ok(None);
        };
        if admitted.is_new_use {
            self.save_use(admitted.key, now).await;
        }
        Ok(Some(ApiKeyCaller {
            id: admitted.account.id,
            limited_by: admitted.key,
            plan: admitted.account.plan,
            suspended: admitted.account.suspended,
            realm: admitted.account.sandbox,
        }))
    }

    /// Saves the use of a key.
    pub(crate) async fn save_use(&self, key: ApiKeyId, now: Timestamp) {
        let note = move |key: &mut ApiKey| key.last_used_at = Some(now);
        self.store().save_use(Actor::Operator, key, note).await;
    }

    /// A new key of an account, and what is stored of it.
    pub(super) fn mint_key(&self, account_id: AccountId, sandbox: bool, name: String) -> (String, ApiKey) {
        let key = api_key::mint(sandbox);
        let stored = ApiKeySeed {
            id: ApiKeyId::new(0),
            account_id,
            name,
            key_prefix: api_key::abbreviate(&key),
            digest: Digest::from_secret(&key).to_hex(),
            created_at: self.now(),
        };
        (key, stored.into())
    }

    /// Adds a key to an account, if `recheck` accepts the account. `quota` is the error if the account has the maximum
    /// number of keys.
    async fn add_key<S: Send + 'static, E: From<Failure> + Copy + Send + 'static>(
        &self,
        by: Actor,
        (secret, key): (String, ApiKey),
        quota: E,
        recheck: impl Fn(&Account) -> Result<(), E> + Send + 'static,
        once: Once<S, (ApiKeyId, String)>,
    ) -> Result<Done<S>, E> {
        let once = once.map(move |id| (id, secret.clone()));
        self.write_once(by, once, move |tx| create(tx, &key, quota, &recheck))
            .await
    }
}

impl agent::ListKeys for Hitode {
    async fn list_keys(&self, request: agent::list_keys::Request) -> Result<Rows<ApiKeyItem>, agent::list_keys::Error> {
        Ok(self.look(|mirror| mirror.keys.list(request.caller.id))?)
    }
}

impl operator::ListAccountKeys for Hitode {
    async fn list_account_keys(
        &self,
        request: operator::list_account_keys::Request,
    ) -> Result<Rows<ApiKeyItem>, operator::list_account_keys::Error> {
        Ok(self.look(|mirror| mirror.keys.list(request.account.id))?)
    }
}

impl agent::CreateKey for Hitode {
    async fn create_key(
        &self,
        request: agent::create_key::Request,
    ) -> Result<Done<agent::create_key::Success>, agent::create_key::Error> {
        use agent::create_key::{Error, Success, recheck};
        let (by, caller) = (by_key(&request.caller), request.caller);
        let key = self.mint_key(caller.id, caller.realm, request.body.name);
        let once = request.once.map(|(id, key)| Success { id, key });
        self.add_key(by, key, Error::Quota, recheck, once).await
    }
}

impl operator::CreateAccountKey for Hitode {
    async fn create_account_key(
        &self,
        request: operator::create_account_key::Request,
    ) -> Result<Done<operator::create_account_key::Success>, operator::create_account_key::Error> {
        use operator::create_account_key::{Error, Success};
        let any_plan = |_: &Account| Ok(());
        let key = self.mint_key(request.account.id, request.account.sandbox, request.body.name);
        let once = request.once.map(|(id, key)| Success { id, key });
        self.add_key(Actor::Operator, key, Error::Quota, any_plan, once).await
    }
}

impl agent::DeleteKey for Hitode {
    async fn delete_key(&self, request: agent::delete_key::Request) -> Result<(), agent::delete_key::Error> {
        let (by, id) = (by_key(&request.caller), request.owned_api_key.id);
        self.write(by, move |tx| delete(tx, id)).await
    }
}

/// Creates a key of its account, if `recheck` accepts that.
pub(crate) fn create<E: From<Failure>>(
    tx: &mut Tx<'_>,
    key: &ApiKey,
    quota: E,
    recheck: &impl Fn(&Account) -> Result<(), E>,
) -> Decided<ApiKeyId, E> {
    let mut account = tx.existing(key.account_id)?;
    recheck(&account)?;
    if account.active_keys >= quotas::ACTIVE_KEYS {
        return Err(quota.into());
    }
    let id = tx.next_id::<ApiKey>()?;
    let key = ApiKey { id, ..key.clone() };
    key.added_to(&mut account);
    tx.put(&account)?;
    tx.create(&key)?;
    tx.await_everywhere();
    Ok(id)
}

/// Revokes a key. Another request may have done so after the guard found it.
pub(crate) fn delete(tx: &mut Tx<'_>, id: ApiKeyId) -> Decided<(), agent::delete_key::Error> {
    let key: Option<ApiKey> = tx.get(id)?;
    let key = key.ok_or(agent::delete_key::Error::AbsentApiKey)?;
    let mut account = tx.existing(key.account_id)?;
    key.removed_from(&mut account);
    tx.put(&account)?;
    tx.delete(&key)?;
    tx.await_everywhere();
    Ok(())
}
