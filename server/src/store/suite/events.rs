//! Feeds of events: each cause gives one event to each whom it concerns.

use std::collections::BTreeSet;

use contract::events::{Name, Recipient};
use contract::support::feed::{After, FeedPage};
use contract::{ApplicationStatus, ConversationId, Timestamp};
use serde_json::{Value, json};

use super::*;
use crate::store::{FeedRequest, NewApplication, NewConversation, NewMessage, Party, UnknownCursor};

fn asked(after: Option<After>, limit: usize) -> FeedRequest {
    FeedRequest {
        after,
        names: None,
        limit,
        now: at(100),
    }
}

fn rows(page: FeedPage) -> Vec<Value> {
    let row = |row: &Encoded<_>| serde_json::from_str(row.as_str()).expect("JSON");
    page.events.iter().map(row).collect()
}

impl TestStore {
    async fn page(&self, of: Recipient, request: FeedRequest) -> Result<FeedPage, UnknownCursor> {
        self.store.events(of, request).await.expect("a read")
    }

    /// The names and the data of all events of a recipient.
    async fn feed(&self, of: Recipient) -> Vec<(String, Value)> {
        let page = self.page(of, asked(None, 100)).await.expect("no cursor is given");
        let row = |row: Value| (row["name"].as_str().unwrap_or_default().to_owned(), row["data"].clone());
        rows(page).into_iter().map(row).collect()
    }

    async fn apply(&self, bounty: BountyId, human: HumanId) -> ApplicationId {
        let application = NewApplication {
            bounty_id: bounty,
            human_id: human,
            message: "I can.".to_owned(),
            created_at: at(5),
        };
        let created = self.store.unkeyed().create_application(Actor::Operator, application).await;
        created.expect("a write").expect("an application")
    }

    async fn talk(&self, account: AccountId, human: HumanId) -> ConversationId {
        let conversation = NewConversation {
            account_id: account,
            human_id: human,
            message: "Hello".to_owned(),
            created_at: at(5),
            steps: vec![],
        };
        let created = self.store.unkeyed().create_conversation(Actor::Operator, conversation).await;
        created.expect("a write").expect("a conversation").0
    }

    async fn write(&self, conversation: ConversationId, sender: Party) {
        let message = NewMessage {
            conversation_id: conversation,
            sender,
            content: "Hello".to_owned(),
            created_at: at(6),
            steps: vec![],
        };
        let created = self.store.unkeyed().create_message(Actor::Operator, message).await;
        created.expect("a write").expect("a message");
    }
}

fn of_account(id: AccountId) -> Recipient {
    Recipient::Account(id)
}

fn named(events: &[(String, Value)]) -> Vec<&str> {
    events.iter().map(|(name, _)| name.as_str()).collect()
}

#[tokio::test]
async fn an_application_and_its_decision_concern_owner_and_worker() {
    let place = TestStore::new();
    let (account, other) = (place.account("a").await, place.account("b").await);
    let (human, stranger) = (place.human("h").await, place.human("i").await);
    let bounty = place.bounty(account, "one").await;
    let application = place.apply(bounty, human).await;
    for status in [ApplicationStatus::Accepted, ApplicationStatus::Accepted, ApplicationStatus::Rejected] {
        let decided = place.store.decide_application(Actor::Operator, account, application, status, at(7), vec![]);
        decided.await.expect("a write").expect("decided");
    }
    let data = json!({ "bounty_id": bounty, "application_id": application, "human_id": human });
    assert_eq!(place.feed(of_account(account)).await, [("application.created".to_owned(), data)]);
    let decided = |status: &str| {
        let data = json!({ "bounty_id": bounty, "application_id": application, "status": status });
        ("application.decided".to_owned(), data)
    };
    assert_eq!(place.feed(Recipient::Human(human)).await, [decided("accepted"), decided("rejected")]);
    assert_eq!(place.feed(of_account(other)).await, []);
    assert_eq!(place.feed(Recipient::Human(stranger)).await, []);
}

#[tokio::test]
async fn all_applicants_learn_of_a_new_status_and_only_of_a_new_one() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let (first, second, third) = (place.human("h").await, place.human("i").await, place.human("j").await);
    let (bounty, other) = (place.bounty(account, "one").await, place.bounty(account, "two").await);
    place.apply(bounty, first).await;
    place.apply(bounty, second).await;
    place.apply(other, third).await;
    for status in [BountyStatus::Open, BountyStatus::InProgress, BountyStatus::InProgress] {
        let moved = place.store.move_bounty(Actor::Operator, account, bounty, status, at(7));
        moved.await.expect("a write").expect("moved");
    }
    let data = json!({ "bounty_id": bounty, "bounty_status": "in_progress" });
    for human in [first, second] {
        let feed = place.feed(Recipient::Human(human)).await;
        assert_eq!(feed, [("bounty.updated".to_owned(), data.clone())]);
    }
    assert_eq!(place.feed(Recipient::Human(third)).await, []);
    assert_eq!(named(&place.feed(of_account(account)).await), ["application.created"; 3]);
}

#[tokio::test]
async fn each_party_learns_what_the_other_one_writes() {
    let place = TestStore::new();
    let (account, human) = (place.account("a").await, place.human("h").await);
    let talk = place.talk(account, human).await;
    place.write(talk, Party::Human(human)).await;
    place.write(talk, Party::Agent(account)).await;
    assert_eq!(named(&place.feed(of_account(account)).await), ["message.created"]);
    let feed = place.feed(Recipient::Human(human)).await;
    assert_eq!(named(&feed), ["conversation.created", "message.created"]);
    assert_eq!(feed[0].1, json!({ "conversation_id": talk, "message_id": 1 }));
    assert_eq!(feed[1].1, json!({ "conversation_id": talk, "message_id": 3 }));
}

#[tokio::test]
async fn a_rejected_write_causes_nothing() {
    let place = TestStore::new();
    let (account, human) = (place.account("a").await, place.human("h").await);
    let bounty = place.bounty(account, "one").await;
    place.apply(bounty, human).await;
    let again = NewApplication {
        bounty_id: bounty,
        human_id: human,
        message: "Again.".to_owned(),
        created_at: at(5),
    };
    let denied = place.store.unkeyed().create_application(Actor::Operator, again).await.expect("a write");
    assert!(denied.is_err());
    assert_eq!(place.feed(of_account(account)).await.len(), 1);
}

#[tokio::test]
async fn a_feed_is_read_in_parts_and_goes_on_after_a_restart() {
    let place = TestStore::new();
    let (account, human) = (place.account("a").await, place.human("h").await);
    let talk = place.talk(account, human).await;
    for _ in 0..5 {
        place.write(talk, Party::Human(human)).await;
    }
    let of = of_account(account);
    let (mut after, mut seen) = (None, Vec::new());
    loop {
        let page = place.page(of, asked(after, 2)).await.expect("a known cursor");
        after = Some(After::Event(page.cursor));
        let has_more = page.has_more;
        assert!(!page.truncated);
        seen.extend(rows(page).iter().map(|row| row["cursor"].as_str().unwrap_or_default().to_owned()));
        if !has_more {
            break;
        }
    }
    assert_eq!(seen, ["1", "2", "3", "4", "5"]);
    let place = place.reopened().await;
    let page = place.page(of, asked(after, 2)).await.expect("a known cursor");
    assert!(page.events.is_empty() && page.cursor == 5);
    place.write(talk, Party::Human(human)).await;
    let page = place.page(of, asked(after, 2)).await.expect("a known cursor");
    assert_eq!((page.cursor, rows(page)[0]["cursor"].clone()), (6, json!("6")));
}

#[tokio::test]
async fn an_event_has_an_id_that_no_other_feed_has_and_keeps_it() {
    let place = TestStore::new();
    let (account, other, human) = (place.account("a").await, place.account("b").await, place.human("h").await);
    let (talk, other_talk) = (place.talk(account, human).await, place.talk(other, human).await);
    for talk in [talk, other_talk, talk] {
        place.write(talk, Party::Human(human)).await;
    }
    let ids = async |place: &TestStore| {
        let mut ids = Vec::new();
        for of in [of_account(account), of_account(other), Recipient::Human(human)] {
            let page = place.page(of, asked(None, 100)).await.expect("a known cursor");
            ids.extend(rows(page).iter().map(|row| row["eventId"].as_str().unwrap_or_default().to_owned()));
        }
        ids
    };
    let before = ids(&place).await;
    let unique: BTreeSet<_> = before.iter().collect();
    assert_eq!((before.len(), unique.len()), (5, 5), "{before:?}");
    let place = place.reopened().await;
    assert_eq!(ids(&place).await, before);
}

#[tokio::test]
async fn a_cursor_from_the_future_is_unknown_and_now_shows_nothing() {
    let place = TestStore::new();
    let (account, human) = (place.account("a").await, place.human("h").await);
    let of = of_account(account);
    let now = |page: FeedPage| (page.events.len(), page.cursor, page.has_more, page.truncated);
    let page = place.page(of, asked(Some(After::Now), 9)).await.expect("now is known");
    assert_eq!(now(page), (0, 0, false, false));
    let talk = place.talk(account, human).await;
    place.write(talk, Party::Human(human)).await;
    let page = place.page(of, asked(Some(After::Now), 9)).await.expect("now is known");
    assert_eq!(now(page), (0, 1, false, false));
    assert!(place.page(of, asked(Some(After::Event(1)), 9)).await.is_ok());
    let unknown = place.page(of, asked(Some(After::Event(2)), 9)).await;
    assert_eq!(unknown.map(|_| ()), Err(UnknownCursor));
}

#[tokio::test]
async fn kinds_are_selected_and_the_others_are_passed_over() {
    let place = TestStore::new();
    let (account, human) = (place.account("a").await, place.human("h").await);
    let talk = place.talk(account, human).await;
    place.write(talk, Party::Agent(account)).await;
    place.write(talk, Party::Agent(account)).await;
    let request = |names| FeedRequest {
        names: Some(names),
        ..asked(None, 1)
    };
    let of = Recipient::Human(human);
    let page = place.page(of, request(vec![Name::ConversationCreated])).await.expect("no cursor");
    assert_eq!((page.events.len(), page.cursor, page.has_more), (1, 3, false));
    let page = place.page(of, request(vec![Name::MessageCreated])).await.expect("no cursor");
    assert_eq!((page.events.len(), page.cursor, page.has_more), (1, 2, true));
    let page = place.page(of, request(vec![Name::BountyUpdated])).await.expect("no cursor");
    assert_eq!((page.events.len(), page.cursor, page.has_more), (0, 3, false));
}

#[tokio::test]
async fn the_write_that_brings_an_event_wakes_those_who_wait_for_it() {
    let place = TestStore::new();
    let (account, human) = (place.account("a").await, place.human("h").await);
    let talk = place.talk(account, human).await;
    let mut next = place.store.next_event(of_account(account));
    place.write(talk, Party::Human(human)).await;
    next.comes().await;
    assert_eq!(place.feed(of_account(account)).await.len(), 1);
}

#[tokio::test]
async fn events_have_the_time_of_their_cause() {
    let place = TestStore::new();
    let (account, human) = (place.account("a").await, place.human("h").await);
    place.talk(account, human).await;
    let page = place.page(Recipient::Human(human), asked(None, 9)).await.expect("no cursor");
    assert_eq!(rows(page)[0]["timestamp"], json!(Timestamp::from_unix(5)));
}
