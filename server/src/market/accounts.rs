//! Accounts, which only the operator creates and changes, and each reads its own. All are in memory, and so is their list.

use std::sync::Arc;

use contract::support::Done;
use contract::support::derived::Source;
use contract::{Account, AccountId, AccountSeed, ApiKey, ApiKeyId, Failure, FindAccount, operator};

use crate::app::Hitode;
use crate::store::{Actor, Decided, Tx};

impl FindAccount for Hitode {
    async fn find_account(&self, id: AccountId) -> Result<Option<Arc<Account>>, Failure> {
        self.look(|mirror| mirror.account(id).cloned())
    }
}

impl operator::ListAccounts for Hitode {
    async fn list_accounts(
        &self,
        request: operator::list_accounts::Request,
    ) -> Result<operator::list_accounts::Success, operator::list_accounts::Error> {
        Ok(self.look(|mirror| mirror.accounts.list(&request.query))?)
    }
}

impl operator::CreateAccount for Hitode {
    async fn create_account(
        &self,
        request: operator::create_account::Request,
    ) -> Result<Done<operator::create_account::Success>, operator::create_account::Error> {
        let body = request.body;
        if body.sandbox {
            self.create_simulated_workers().await?;
        }
        let name = operator::create_account::API_KEY_NAME.to_owned();
        let (secret, key) = self.mint_key(AccountId::new(0), body.sandbox, name);
        let account = AccountSeed {
            id: AccountId::new(0),
            name: body.name,
            plan: body.plan,
            created_at: key.created_at,
        };
        let mut account = Account::from(account);
        account.sandbox = body.sandbox;
        let once = request.once.map(move |(id, key_id)| operator::create_account::Success {
            id,
            key_id,
            key: secret.clone(),
        });
        self.write_once(Actor::Operator, once, move |tx| create(tx, &account, &key))
            .await
    }
}

/// Creates an account with its first key. Their ids are drawn.
pub(crate) fn create<D>(tx: &mut Tx<'_>, account: &Account, key: &ApiKey) -> Decided<(AccountId, ApiKeyId), D> {
    let (id, key_id) = (tx.next_id::<Account>()?, tx.next_id::<ApiKey>()?);
    let mut account = Account { id, ..account.clone() };
    let key = ApiKey {
        id: key_id,
        account_id: id,
        ..key.clone()
    };
    key.added_to(&mut account);
    tx.create(&account)?;
    tx.create(&key)?;
    tx.await_everywhere();
    Ok((id, key_id))
}
