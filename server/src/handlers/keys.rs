//! API keys: created and revoked by their account, or created by the operator. A key is displayed once, when it is
//! created.

use contract::support::{Done, Once};
use contract::{Account, AccountId, ApiKeyId, ApiKeyItem, Failure, Rows, agent, api_key, operator, quotas};

use super::{by_key, missing_after_guard};
use crate::app::Hitode;
use crate::digest::Digest;
use crate::store::{Absent, Actor, KeyDenied, NewKey, Store};

impl<S: Store> Hitode<S> {
    /// A new key of an account in the sandbox or of a live one, and the part of it that is stored.
    pub(super) fn mint_key(&self, sandbox: bool, name: String) -> (String, NewKey) {
        let key = api_key::mint(sandbox);
        let kept = NewKey {
            name,
            prefix: api_key::abbreviate(&key),
            digest: Digest::from_secret(&key),
            created_at: self.now(),
        };
        (key, kept)
    }

    /// Adds a key to an account, if `recheck` accepts the account. `quota` is the error if the account has the
    /// maximum number of keys.
    async fn add_key<T: Send + 'static, E: From<Failure> + Send + 'static>(
        &self,
        by: Actor,
        (account, sandbox): (AccountId, bool),
        name: String,
        quota: E,
        recheck: impl Fn(&Account) -> Result<(), E> + Send + 'static,
        once: Once<T, (ApiKeyId, String)>,
    ) -> Result<Done<T>, E> {
        let (key, kept) = self.mint_key(sandbox, name);
        let once = once.map(move |id| (id, key.clone()));
        let outcome = self
            .store()
            .create_key(by, account, kept, quotas::ACTIVE_KEYS, recheck, once)
            .await;
        outcome.map_err(Failure::from)?.map_err(|denied| match denied {
            KeyDenied::Quota => quota,
            KeyDenied::Rejected(error) => error,
            KeyDenied::Absent => missing_after_guard("an account").into(),
        })
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
    ) -> Result<Done<agent::create_key::Success>, agent::create_key::Error> {
        use agent::create_key::{Error, Success, recheck};
        let (by, account) = (by_key(&request.caller), (request.caller.id, request.caller.realm));
        let once = request.once.map(|(id, key)| Success { id, key });
        self.add_key(by, account, request.body.name, Error::Quota, recheck, once)
            .await
    }
}

impl<S: Store> operator::CreateAccountKey for Hitode<S> {
    async fn create_account_key(
        &self,
        request: operator::create_account_key::Request,
    ) -> Result<Done<operator::create_account_key::Success>, operator::create_account_key::Error> {
        use operator::create_account_key::{Error, Success};
        let any_plan = |_: &Account| Ok(());
        let (by, account) = (Actor::Operator, (request.account.id, request.account.sandbox));
        let once = request.once.map(|(id, key)| Success { id, key });
        self.add_key(by, account, request.body.name, Error::Quota, any_plan, once)
            .await
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
