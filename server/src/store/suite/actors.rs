//! Authorization is checked in the transaction that commits, not when the request arrives.

use super::*;
use crate::store::{NewApplication, NewConversation, NewMessage, Outcome, Party, StoreError, Unauthorized};

#[track_caller]
fn check<T: std::fmt::Debug, D: std::fmt::Debug>(outcome: Outcome<T, D>, expected: Unauthorized) {
    match outcome {
        Err(StoreError::Unauthorized(why)) if why == expected => {}
        other => panic!("{other:?} in place of {expected:?}"),
    }
}

/// All writes of an account, with this key.
async fn all_by_key_are(place: &TestStore, account: AccountId, key: ApiKeyId, expected: Unauthorized) {
    let (store, by) = (&place.store, Actor::Key(key));
    let mine = place.bounty(account, "mine").await;
    let draft = plain_bounty(account);
    check(store.unkeyed().create_bounty(by, draft).await.map(Ok::<_, ()>), expected);
    check(
        store.move_bounty(by, account, mine, BountyStatus::Completed, at(1)).await,
        expected,
    );
    check(
        store.unkeyed().create_key(by, account, new_key("more"), 3, anyone).await,
        expected,
    );
    check(store.delete_key(by, account, key).await, expected);
    let accepted = contract::ApplicationStatus::Accepted;
    check(
        store
            .decide_application(by, account, ApplicationId::new(1), accepted, at(1), vec![])
            .await,
        expected,
    );
    let conversation = NewConversation {
        account_id: account,
        human_id: HumanId::new(1),
        message: "Hello".to_owned(),
        created_at: at(1),
        steps: vec![],
    };
    check(store.unkeyed().create_conversation(by, conversation).await, expected);
    check(store.unkeyed().create_message(by, message(Party::Agent(account))).await, expected);
}

fn message(sender: Party) -> NewMessage {
    NewMessage {
        conversation_id: contract::ConversationId::new(1),
        sender,
        content: "Hello".to_owned(),
        created_at: at(1),
        steps: vec![],
    }
}

#[tokio::test]
async fn a_revoked_key_writes_nothing() {
    let place = TestStore::new();
    let (account, key) = place.account_with_key("a", "k").await;
    let revoked = place.store.delete_key(Actor::Key(key), account, key).await;
    assert_eq!(revoked.expect("a write"), Ok(()));
    all_by_key_are(&place, account, key, Unauthorized::Ended).await;
}

#[tokio::test]
async fn a_suspended_account_writes_nothing_until_it_is_restored() {
    let place = TestStore::new();
    let (account, key) = place.account_with_key("a", "k").await;
    let suspend = async |suspended| {
        let changed = place
            .store
            .update_account(account, move |account| account.suspended = suspended)
            .await;
        assert_eq!(changed.expect("a write"), Ok(()));
    };
    suspend(true).await;
    all_by_key_are(&place, account, key, Unauthorized::Suspended).await;
    suspend(false).await;
    let draft = plain_bounty(account);
    assert!(place.store.unkeyed().create_bounty(Actor::Key(key), draft).await.is_ok());
}

#[tokio::test]
async fn a_replaced_token_writes_nothing() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let (bounty, human) = (place.bounty(account, "b").await, place.human("h").await);
    let by = Actor::Worker(human, Digest::from_secret("former"));
    let apply = || NewApplication {
        bounty_id: bounty,
        human_id: human,
        message: "I can".to_owned(),
        created_at: at(1),
    };
    let all_are_ended = async || {
        check(place.store.unkeyed().create_application(by, apply()).await, Unauthorized::Ended);
        check(
            place.store.update_human(by, human, None, |_| ()).await,
            Unauthorized::Ended,
        );
        check(
            place.store.unkeyed().create_message(by, message(Party::Human(human))).await,
            Unauthorized::Ended,
        );
    };
    all_are_ended().await;
    for token in ["former", "present"] {
        let result = place.store.create_human_token(human, Digest::from_secret(token)).await;
        assert_eq!(result.expect("a write"), Ok(()));
    }
    all_are_ended().await;
    let by = Actor::Worker(human, Digest::from_secret("present"));
    let result = place.store.unkeyed().create_application(by, apply()).await;
    assert!(matches!(result, Ok(Ok(_))), "{result:?}");
}
