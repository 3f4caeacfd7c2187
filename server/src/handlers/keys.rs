//! API keys: created and revoked by their account, or created by the operator. A key is displayed once, when it is
//! created.

use contract::{Account, AccountId, ApiKeyId, ApiKeyItem, Failure, Rows, agent, api_key, operator, quotas};

use super::{by_key, missing_after_guard};
use crate::app::Hitode;
use crate::digest::Digest;
use crate::store::{Absent, Actor, KeyDenied, NewKey, Store};

impl<S: Store> Hitode<S> {
    /// A new key, and the part of it that is stored.
    pub(super) fn mint_key(&self, name: String) -> (String, NewKey) {
        let key = api_key::mint();
        let kept = NewKey {
            name,
            prefix: api_key::abbreviate(&key),
            digest: Digest::of(&key),
            created_at: self.now(),
        };
        (key, kept)
    }

    /// Adds a key to an account, if `recheck` accepts the account. `quota` is the error if the account has the
    /// maximum number of keys.
    async fn add_key<E: From<Failure> + Send + 'static>(
        &self,
        by: Actor,
        account: AccountId,
        name: String,
        quota: E,
        recheck: impl Fn(&Account) -> Result<(), E> + Send + 'static,
    ) -> Result<(ApiKeyId, String), E> {
        let (key, kept) = self.mint_key(name);
        let outcome = self
            .store()
            .create_key(by, account, kept, quotas::ACTIVE_KEYS, recheck)
            .await;
        let id = outcome.map_err(Failure::from)?.map_err(|denied| match denied {
            KeyDenied::Quota => quota,
            KeyDenied::Rejected(error) => error,
            KeyDenied::Absent => missing_after_guard("an account").into(),
        })?;
        Ok((id, key))
    }
}

impl<S: Store> agent::ListKeys for Hitode<S> {
    async fn list_keys(&self, request: agent::list_keys::Request) -> Result<Rows<ApiKeyItem>, agent::list_keys::Error> {
        Ok(self.store().list_keys(request.caller.id).await.map_err(Failure::from)?)
    }
}

impl<S: Store> agent::CreateKey for Hitode<S> {
    async fn create_key(
        &self,
        request: agent::create_key::Request,
    ) -> Result<agent::create_key::Success, agent::create_key::Error> {
        use agent::create_key::{Error, recheck};
        let (id, key) = self
            .add_key(
                by_key(&request.caller),
                request.caller.id,
                request.body.name,
                Error::Quota,
                recheck,
            )
            .await?;
        Ok(agent::create_key::Success { id, key })
    }
}

impl<S: Store> operator::CreateAccountKey for Hitode<S> {
    async fn create_account_key(
        &self,
        request: operator::create_account_key::Request,
    ) -> Result<operator::create_account_key::Success, operator::create_account_key::Error> {
        use operator::create_account_key::Error;
        let any_plan = |_: &Account| Ok(());
        let (id, key) = self
            .add_key(
                Actor::Operator,
                request.account.id,
                request.body.name,
                Error::Quota,
                any_plan,
            )
            .await?;
        Ok(operator::create_account_key::Success { id, key })
    }
}

impl<S: Store> agent::DeleteKey for Hitode<S> {
    async fn delete_key(&self, request: agent::delete_key::Request) -> Result<(), agent::delete_key::Error> {
        let key = request.owned_api_key;
        let outcome = self
            .store()
            .delete_key(by_key(&request.caller), key.account_id, key.id)
            .await
            .map_err(Failure::from)?;
        // Another request may have revoked it after the guard found it.
        outcome.map_err(|Absent| agent::delete_key::Error::AbsentApiKey)
    }
}
