//! API keys: made and revoked by their account, or made for it by the operator. A key is shown once, when it is made.

use contract::{ApiKeyItem, Encoded, Failure, agent, api_key, operator, quotas};

use super::vanished;
use crate::app::Hitode;
use crate::store::{Absent, Digest, KeyDenied, NewKey, Store};

impl<S: Store> Hitode<S> {
    /// A new key, and what is kept of it.
    pub(super) fn mint_key(&self, name: String) -> (String, NewKey) {
        let key = api_key::mint();
        let kept = NewKey {
            name,
            prefix: api_key::shown(&key),
            digest: Digest::of(&key),
            created_at: self.now(),
        };
        (key, kept)
    }
}

impl<S: Store> agent::ListKeys for Hitode<S> {
    async fn list_keys(
        &self,
        request: agent::list_keys::Request,
    ) -> Result<Vec<Encoded<ApiKeyItem>>, agent::list_keys::Error> {
        Ok(self.store().list_keys(request.caller.id).await.map_err(Failure::from)?)
    }
}

impl<S: Store> agent::CreateKey for Hitode<S> {
    async fn create_key(
        &self,
        request: agent::create_key::Request,
    ) -> Result<agent::create_key::Success, agent::create_key::Error> {
        use agent::create_key::{Error, recheck};
        let (key, kept) = self.mint_key(request.body.name);
        let outcome = self
            .store()
            .create_key(request.caller.id, kept, quotas::ACTIVE_KEYS, recheck)
            .await;
        let id = outcome.map_err(Failure::from)?.map_err(|denied| match denied {
            KeyDenied::Quota => Error::Quota,
            KeyDenied::Refused(error) => error,
            KeyDenied::Absent => vanished("the calling account").into(),
        })?;
        Ok(agent::create_key::Success { id, key })
    }
}

impl<S: Store> operator::CreateAccountKey for Hitode<S> {
    async fn create_account_key(
        &self,
        request: operator::create_account_key::Request,
    ) -> Result<operator::create_account_key::Success, operator::create_account_key::Error> {
        use operator::create_account_key::Error;
        let (key, kept) = self.mint_key(request.body.name);
        let any_plan = |_: &_| Ok::<_, Error>(());
        let outcome = self
            .store()
            .create_key(request.account.id, kept, quotas::ACTIVE_KEYS, any_plan)
            .await;
        let id = outcome.map_err(Failure::from)?.map_err(|denied| match denied {
            KeyDenied::Quota => Error::Quota,
            KeyDenied::Refused(error) => error,
            KeyDenied::Absent => vanished("an account").into(),
        })?;
        Ok(operator::create_account_key::Success { id, key })
    }
}

impl<S: Store> agent::DeleteKey for Hitode<S> {
    async fn delete_key(&self, request: agent::delete_key::Request) -> Result<(), agent::delete_key::Error> {
        let key = request.api_key;
        let outcome = self
            .store()
            .delete_key(key.account_id, key.id)
            .await
            .map_err(Failure::from)?;
        // Another request may have revoked it since the guard found it.
        outcome.map_err(|Absent| agent::delete_key::Error::AbsentApiKey)
    }
}
