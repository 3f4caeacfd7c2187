//! Accounts, which only the operator creates and changes, and each reads its own.

use contract::support::Done;
use contract::{AccountItem, AccountOwn, Encoded, Failure, Page, agent, operator, quotas};

use super::missing_after_guard;
use crate::app::Hitode;
use crate::store::{NewAccount, PageRequest, Store};

impl<S: Store> agent::GetAccount for Hitode<S> {
    async fn get_account(
        &self,
        request: agent::get_account::Request,
    ) -> Result<Encoded<AccountOwn>, agent::get_account::Error> {
        let account = self.store().find_account(request.caller.id).await;
        let account = account.map_err(Failure::from)?;
        let account = account.ok_or_else(|| missing_after_guard("the calling account"))?;
        Ok(account.own((quotas::ACTIVE_KEYS - account.active_keys).max(0)))
    }
}

impl<S: Store> operator::CreateAccount for Hitode<S> {
    async fn create_account(
        &self,
        request: operator::create_account::Request,
    ) -> Result<Done<operator::create_account::Success>, operator::create_account::Error> {
        let sandbox = request.body.sandbox;
        if sandbox {
            let created = self.simulation().create_workers(self.store()).await;
            created.map_err(Failure::from)?;
        }
        let (key, kept) = self.mint_key(sandbox, operator::create_account::API_KEY_NAME.to_owned());
        let account = NewAccount {
            name: request.body.name,
            plan: request.body.plan,
            sandbox: request.body.sandbox,
            created_at: kept.created_at,
        };
        let once = request.once.map(move |(id, key_id)| operator::create_account::Success {
            id,
            key_id,
            key: key.clone(),
        });
        let created = self.store().create_account(account, kept, once);
        Ok(created.await.map_err(Failure::from)?)
    }
}

impl<S: Store> operator::ListAccounts for Hitode<S> {
    async fn list_accounts(
        &self,
        request: operator::list_accounts::Request,
    ) -> Result<Page<AccountItem>, operator::list_accounts::Error> {
        let window = PageRequest::new(request.query.limit, request.query.offset);
        Ok(self.store().list_accounts(window).await.map_err(Failure::from)?)
    }
}

impl<S: Store> operator::UpdateAccount for Hitode<S> {
    async fn update_account(
        &self,
        request: operator::update_account::Request,
    ) -> Result<(), operator::update_account::Error> {
        let body = request.body;
        let change = move |account: &mut _| body.clone().apply(account);
        let outcome = self
            .store()
            .update_account(request.account.id, change)
            .await
            .map_err(Failure::from)?;
        Ok(outcome.map_err(|_| missing_after_guard("an account"))?)
    }
}
