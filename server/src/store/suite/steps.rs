//! Steps of simulated workers: due in order, replaced in one write, and sooner for an account whose clock is advanced.

use super::*;
use crate::store::{DueSteps, NewApplication, NewConversation, NewMessage, NewStep, Party};
use contract::ApplicationStatus;
use contract::support::Once;

fn step(account: AccountId, due: u64, step: &str) -> NewStep {
    let (about, step) = (7, step.to_owned());
    NewStep {
        due,
        account,
        about,
        step,
    }
}

/// What is due, and when the next step is.
async fn due(place: &TestStore, at: u64, most: usize) -> (Vec<String>, Option<u64>) {
    let DueSteps { due, next } = place.store.due_steps(at, most).await.expect("an answer");
    (due.into_iter().map(|due| due.step).collect(), next)
}

#[tokio::test]
async fn steps_are_due_in_the_order_of_their_times() {
    let place = TestStore::new();
    let (a, b) = (place.account("a").await, place.account("b").await);
    assert_eq!(due(&place, u64::MAX, 9).await, (vec![], None));
    let steps = vec![step(b, 30, "third"), step(a, 10, "first"), step(a, 20, "second"), step(b, 20, "again")];
    place.store.replace_steps(vec![], steps).await.expect("a write");
    assert_eq!(due(&place, 9, 9).await, (vec![], Some(10)));
    assert_eq!(due(&place, 29, 2).await, (vec!["first".to_owned(), "second".to_owned()], Some(20)));
    let place = place.reopened().await;
    let first = place.store.due_steps(10, 9).await.expect("an answer").due.remove(0);
    let later = vec![step(a, 40, "later")];
    place.store.replace_steps(vec![first.key], later).await.expect("a write");
    let all = ["second", "again", "third", "later"].map(str::to_owned).to_vec();
    assert_eq!(due(&place, 40, 9).await, (all, None));
}

#[tokio::test]
async fn an_advanced_clock_is_that_of_one_account() {
    let place = TestStore::new();
    let (a, b) = (place.account("a").await, place.account("b").await);
    let steps = vec![step(a, 1_000, "of a"), step(b, 1_000, "of b"), step(a, 5_000, "later")];
    place.store.replace_steps(vec![], steps).await.expect("a write");
    place.store.advance_steps(a, 900).await.expect("a write");
    assert_eq!(due(&place, 100, 9).await, (vec!["of a".to_owned()], Some(1_000)));
    place.store.advance_steps(a, 60_000).await.expect("a write");
    let place = place.reopened().await;
    assert_eq!(due(&place, 0, 9).await, (vec!["of a".to_owned(), "later".to_owned()], Some(1_000)));
}

#[tokio::test]
async fn a_write_stores_the_steps_that_it_causes() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let human = place.human("Ken").await;
    let steps = |due| vec![step(account, due, "next")];
    let draft = plain_bounty(account);
    let bounty = place.store.create_bounty(Actor::Operator, draft, steps(1), Once::without_key());
    let bounty = bounty.await.expect("a write").into_inner();
    let application = NewApplication {
        bounty_id: bounty,
        human_id: human,
        message: "Me".to_owned(),
        created_at: at(0),
    };
    let applied = place.store.unkeyed().create_application(Actor::Operator, application).await;
    let application = applied.expect("a write").expect("an application");
    for status in [ApplicationStatus::Accepted; 2] {
        let decided = place.store.decide_application(Actor::Operator, account, application, status, at(1), steps(2));
        assert_eq!(decided.await.expect("a write"), Ok(()));
    }
    let conversation = NewConversation {
        account_id: account,
        human_id: human,
        message: "Hello".to_owned(),
        created_at: at(2),
        steps: steps(3),
    };
    let begun = place.store.unkeyed().create_conversation(Actor::Operator, conversation).await;
    let (conversation_id, _) = begun.expect("a write").expect("a conversation");
    let message = NewMessage {
        conversation_id,
        sender: Party::Agent(account),
        content: "Again".to_owned(),
        created_at: at(3),
        steps: steps(4),
    };
    let said = place.store.unkeyed().create_message(Actor::Operator, message).await;
    assert!(said.expect("a write").is_ok());
    let place = place.reopened().await;
    let stored = place.store.due_steps(9, 9).await.expect("an answer").due;
    let stored: Vec<_> = stored.iter().map(|step| (step.key.due, step.about)).collect();
    // The second decision changed nothing. `step` is about 7, and a created record is named instead.
    assert_eq!(stored, [(1, bounty.get()), (2, 7), (3, conversation_id.get()), (4, 7)]);
}
