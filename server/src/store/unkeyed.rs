//! Writes that no request with an idempotency key makes: they return their outcomes, and store nothing else.

use contract::support::{Done, Once};
use contract::{
    Account, AccountId, ApiKeyId, ApplicationId, Bounty, BountyId, ConversationId, HumanId, MessageId, NewHuman,
    WebhookId,
};

use super::{
    Absent, Actor, ApplyDenied, Author, KeyDenied, NewAccount, NewApplication, NewConversation, NewKey, NewMessage,
    NewWebhook, Outcome, Store, StoreResult, WebhookDenied,
};

/// A store, for writes without a key.
#[derive(Debug)]
pub struct Unkeyed<'s, S>(pub &'s S);

fn plain<T, D>(outcome: Outcome<Done<T>, D>) -> Outcome<T, D> {
    outcome.map(|decided| decided.map(Done::into_inner))
}

impl<S: Store> Unkeyed<'_, S> {
    /// As [`Store::create_account`].
    pub async fn create_account(self, account: NewAccount, key: NewKey) -> StoreResult<(AccountId, ApiKeyId)> {
        let created = self.0.create_account(account, key, Once::without_key()).await;
        created.map(Done::into_inner)
    }

    /// As [`Store::create_key`].
    pub async fn create_key<E: Send + 'static>(
        self,
        by: Actor,
        account: AccountId,
        key: NewKey,
        max: i64,
        recheck: impl Fn(&Account) -> Result<(), E> + Send + 'static,
    ) -> Outcome<ApiKeyId, KeyDenied<E>> {
        let once = Once::without_key();
        plain(self.0.create_key(by, account, key, max, recheck, once).await)
    }

    /// As [`Store::create_humans`].
    pub async fn create_humans(self, humans: Vec<NewHuman>, sandbox: bool) -> StoreResult<Vec<HumanId>> {
        let created = self.0.create_humans(humans, sandbox, Once::without_key()).await;
        created.map(Done::into_inner)
    }

    /// As [`Store::create_bounty`].
    pub async fn create_bounty(self, by: impl Into<Author> + Send, draft: Bounty) -> StoreResult<BountyId> {
        let created = self.0.create_bounty(by, draft, Vec::new(), Once::without_key()).await;
        created.map(Done::into_inner)
    }

    /// As [`Store::create_application`].
    pub async fn create_application(
        self,
        by: impl Into<Author> + Send,
        new: NewApplication,
    ) -> Outcome<ApplicationId, ApplyDenied> {
        plain(self.0.create_application(by, new, Once::without_key()).await)
    }

    /// As [`Store::create_conversation`].
    pub async fn create_conversation(
        self,
        by: impl Into<Author> + Send,
        new: NewConversation,
    ) -> Outcome<(ConversationId, MessageId), Absent> {
        plain(self.0.create_conversation(by, new, Once::without_key()).await)
    }

    /// As [`Store::create_message`].
    pub async fn create_message(self, by: impl Into<Author> + Send, message: NewMessage) -> Outcome<MessageId, Absent> {
        plain(self.0.create_message(by, message, Once::without_key()).await)
    }

    /// As [`Store::create_webhook`].
    pub async fn create_webhook(
        self,
        by: Actor,
        account: AccountId,
        new: NewWebhook,
        max: i64,
    ) -> Outcome<WebhookId, WebhookDenied> {
        plain(self.0.create_webhook(by, account, new, max, Once::without_key()).await)
    }
}
