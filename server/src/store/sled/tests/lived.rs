//! A store in which all kinds of writes were made.

use contract::ApplicationStatus;

use super::*;
use crate::store::WithoutKeys;
use crate::store::{NewApplication, NewConversation, NewMessage, Party};

/// Makes every kind of write, `times` times.
pub(super) async fn live(place: &TestStore, times: i64) {
    let account = place.account(&times.to_string()).await;
    for round in 0..times {
        let (human, bounty) = (place.human("Hana").await, place.bounty(account, "A task").await);
        let bio = format!("{round}").repeat(6_000);
        let change = move |human: &mut contract::Human| human.bio = bio.clone();
        let changed = place.store.update_human(Actor::Operator, human, None, change).await;
        changed.expect("a write").expect("changed");
        let application = NewApplication {
            bounty_id: bounty,
            human_id: human,
            message: "I can".to_owned(),
            created_at: at(round),
        };
        let application = place
            .store
            .unkeyed()
            .create_application(Actor::Operator, application)
            .await;
        let application = application.expect("a write").expect("an application");
        let decided = place
            .store
            .decide_application(
                Actor::Operator,
                account,
                application,
                ApplicationStatus::Accepted,
                at(1),
                vec![],
            )
            .await;
        decided.expect("a write").expect("decided");
        let conversation = NewConversation {
            account_id: account,
            human_id: human,
            message: "Hello".to_owned(),
            created_at: at(round),
            steps: vec![],
        };
        let begun = place
            .store
            .unkeyed()
            .create_conversation(Actor::Operator, conversation)
            .await;
        let message = NewMessage {
            conversation_id: begun.expect("a write").expect("a conversation").0,
            sender: Party::Human(human),
            content: "Good day".to_owned(),
            created_at: at(round),
            steps: vec![],
        };
        place
            .store
            .unkeyed()
            .create_message(Actor::Operator, message)
            .await
            .expect("a write")
            .expect("sent");
        let moved = place
            .store
            .move_bounty(Actor::Operator, account, bounty, BountyStatus::Completed, at(1))
            .await;
        moved.expect("a write").expect("moved");
    }
}
