//! Authorization is checked in the transaction that commits, not when the request arrives.

use super::*;
use crate::store::StoreError;
use codegen_store::Unauthorized;

#[track_caller]
fn check<T: std::fmt::Debug>(outcome: StoreResult<T>, expected: Unauthorized) {
    match outcome {
        Err(StoreError::Unauthorized(why)) if why == expected => {}
        other => panic!("{other:?} in place of {expected:?}"),
    }
}

/// All writes of an account, with this key.
async fn all_by_key_are(place: &TestStore, account: AccountId, key: ApiKeyId, expected: Unauthorized) {
    let (store, by) = (place.store(), Actor::Key(key));
    let mine = place.bounty(account, "mine").await;
    check(store.create_bounty(by, plain_bounty(account)).await, expected);
    check(store.set_status(by, mine, BountyStatus::Completed).await, expected);
    check(store.create_key(by, new_key(account, "more")).await, expected);
    check(store.delete_key(by, key).await, expected);
    let accepted = ApplicationStatus::Accepted;
    check(
        store.decide_application(by, ApplicationId::new(1), accepted).await,
        expected,
    );
    let parties = (account, HumanId::new(1));
    check(store.create_conversation(by, parties, "Hello", at(1)).await, expected);
    let talk = ConversationId::new(1);
    check(
        store.create_message(by, talk, Sender::Agent, "Hello", at(1)).await,
        expected,
    );
    check(store.create_webhook(by, plain_webhook(account)).await, expected);
    check(store.delete_webhook(by, WebhookId::new(1)).await, expected);
}

#[tokio::test]
async fn a_revoked_key_writes_nothing() {
    let place = TestStore::new();
    let (account, key) = place.account_with_key("a", "k").await;
    let revoked = place.store().delete_key(Actor::Key(key), key).await;
    assert_eq!(revoked.expect("a write"), Ok(()));
    all_by_key_are(&place, account, key, Unauthorized::Ended).await;
}

#[tokio::test]
async fn a_suspended_account_writes_nothing_until_it_is_restored() {
    let place = TestStore::new();
    let (account, key) = place.account_with_key("a", "k").await;
    let suspend = async |suspended| {
        let changed = place
            .store()
            .update_account(account, move |account| account.suspended = suspended);
        changed.await.expect("a write");
    };
    suspend(true).await;
    all_by_key_are(&place, account, key, Unauthorized::Suspended).await;
    suspend(false).await;
    let draft = plain_bounty(account);
    assert!(place.store().create_bounty(Actor::Key(key), draft).await.is_ok());
}

#[tokio::test]
async fn a_replaced_token_writes_nothing() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let (bounty, human) = (place.bounty(account, "b").await, place.human("h").await);
    let by = |token: &str| Actor::Worker(human, Digest::from_secret(token));
    let all_are_ended = async || {
        let (store, by) = (place.store(), by("former"));
        check(store.create_application(by, bounty, human).await, Unauthorized::Ended);
        check(store.update_human(by, human, None, |_| ()).await, Unauthorized::Ended);
        let said = store.create_message(by, ConversationId::new(1), Sender::Human, "Hello", at(1));
        check(said.await, Unauthorized::Ended);
    };
    all_are_ended().await;
    for token in ["former", "present"] {
        place.store().set_token(human, token).await.expect("a write");
    }
    all_are_ended().await;
    let applied = place.store().create_application(by("present"), bounty, human).await;
    assert!(matches!(applied, Ok(Ok(_))), "{applied:?}");
}
