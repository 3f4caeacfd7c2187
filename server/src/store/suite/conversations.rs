//! Conversations: both parties write, each sees its own, latest message first.

use contract::{ConversationId, MessageItem};

use super::*;
use crate::store::{Absent, NewConversation, NewMessage, Party};

impl TestStore {
    async fn conversation(&self, account_id: AccountId, human_id: HumanId, message: &str, unix: i64) -> ConversationId {
        let message = message.to_owned();
        let new = NewConversation {
            account_id,
            human_id,
            message,
            created_at: at(unix),
            steps: vec![],
        };
        self.store
            .unkeyed().create_conversation(Actor::Operator, new)
            .await
            .expect("a write")
            .expect("a conversation")
            .0
    }

    async fn send_message(&self, id: ConversationId, sender: Party, content: &str, unix: i64) -> Result<(), Absent> {
        let content = content.to_owned();
        let new = NewMessage {
            conversation_id: id,
            sender,
            content,
            created_at: at(unix),
            steps: vec![],
        };
        self.store
            .unkeyed().create_message(Actor::Operator, new)
            .await
            .expect("a write")
            .map(drop)
    }

    async fn messages(&self, id: ConversationId) -> Vec<Encoded<MessageItem>> {
        let found = self.store.find_conversation(id).await.expect("an answer");
        let rows = self.store.messages(&found.expect("it is there")).await;
        whole(rows.expect("a list"))
    }

    async fn inbox(&self, account: AccountId, limit: i64) -> Vec<String> {
        let rows = self.store.agent_conversations(account, PageRequest::new(limit, 0)).await.expect("a list");
        whole(rows).iter().map(|row| text_of(row, "last_message")).collect()
    }
}

#[tokio::test]
async fn the_latest_conversation_comes_first() {
    let place = TestStore::new();
    let (account, other) = (place.account("a").await, place.account("b").await);
    let (hana, ken) = (place.human("Hana").await, place.human("Ken").await);
    let first = place.conversation(account, hana, "one", 100).await;
    place.conversation(account, ken, "two", 200).await;
    place.conversation(account, ken, "three", 200).await;
    place.conversation(other, ken, "not seen", 900).await;
    assert_eq!(place.inbox(account, 20).await, ["three", "two", "one"]);
    place.send_message(first, Party::Human(hana), "answer", 300).await.expect("sent");
    let place = place.reopened().await;
    assert_eq!(place.inbox(account, 20).await, ["answer", "three", "two"]);
    assert_eq!(place.inbox(account, 1).await, ["answer"]);
    let second = place.store.agent_conversations(account, PageRequest::new(1, 1)).await;
    assert_eq!(text_of(&whole(second.expect("a list"))[0], "last_message"), "three");
    let hanas = place.store.worker_conversations(hana, PageRequest::new(20, 0)).await.expect("a list");
    assert_eq!(
        whole(hanas)
            .iter()
            .map(|row| text_of(row, "poster_name"))
            .collect::<Vec<_>>(),
        ["a"]
    );
}

#[tokio::test]
async fn messages_are_listed_in_pages_the_latest_first() {
    let place = TestStore::new();
    let (account, hana) = (place.account("a").await, place.human("Hana").await);
    let first = place.conversation(account, hana, "0", 100).await;
    let other = place.conversation(account, hana, "other", 100).await;
    for (number, id) in (1..6).zip([first, other].into_iter().cycle()) {
        let text = number.to_string();
        place.send_message(id, Party::Human(hana), &text, 200).await.expect("sent");
    }
    let conversation = place.store.find_conversation(first).await.expect("an answer").expect("it is there");
    for (limit, offset, expected) in [(9, 0, "5 3 1 0"), (2, 1, "3 1"), (2, 3, "0"), (2, 4, "")] {
        let rows = place.store.latest_messages(&conversation, PageRequest::new(limit, offset)).await;
        let texts: Vec<_> = whole(rows.expect("a list")).iter().map(|row| text_of(row, "content")).collect();
        assert_eq!(texts.join(" "), expected, "{limit} {offset}");
    }
}

#[tokio::test]
async fn a_message_of_a_clock_that_was_set_back_is_not_before_the_one_before_it() {
    let place = TestStore::new();
    let (account, hana) = (place.account("a").await, place.human("Hana").await);
    let first = place.conversation(account, hana, "one", 100).await;
    place.conversation(account, hana, "two", 50).await;
    place.send_message(first, Party::Agent(account), "late", 40).await.expect("sent");
    assert_eq!(place.inbox(account, 20).await, ["late", "two"]);
    let found = place
        .store
        .find_conversation(first)
        .await
        .expect("an answer")
        .expect("it is there");
    assert_eq!(found.last_message_at, at(100));
    let hanas = Party::Human(hana);
    for (content, unix) in [("later", 101), ("late again", 60)] {
        place.send_message(first, hanas, content, unix).await.expect("sent");
    }
    let messages = place.messages(first).await;
    let dates: Vec<_> = messages.iter().map(|row| text_of(row, "created_at")).collect();
    assert_eq!(dates, [100, 100, 101, 101].map(|unix| at(unix).to_string()));
}

#[tokio::test]
async fn only_the_two_may_write() {
    let place = TestStore::new();
    let (account, other) = (place.account("a").await, place.account("b").await);
    let (hana, ken) = (place.human("Hana").await, place.human("Ken").await);
    let id = place.conversation(account, hana, "one", 0).await;
    for outsider in [Party::Agent(other), Party::Human(ken)] {
        assert_eq!(place.send_message(id, outsider, "no", 1).await, Err(Absent));
    }
    assert_eq!(
        place.send_message(ConversationId::new(9), Party::Agent(account), "no", 1).await,
        Err(Absent)
    );
    for human_id in [HumanId::new(0), HumanId::new(9)] {
        let new = NewConversation {
            account_id: account,
            human_id,
            message: "no".to_owned(),
            created_at: at(0),
            steps: vec![],
        };
        assert_eq!(
            place
                .store
                .unkeyed().create_conversation(Actor::Operator, new)
                .await
                .expect("a write"),
            Err(Absent)
        );
    }
    assert_eq!(place.messages(id).await.len(), 1);
}

#[tokio::test]
async fn messages_come_by_id_and_whole() {
    let place = TestStore::new();
    let (account, hana) = (place.account("a").await, place.human("Hana").await);
    let other = place.conversation(account, hana, "other", 0).await;
    let id = place.conversation(account, hana, "one", 0).await;
    let long = "長い".repeat(5_000);
    place.send_message(id, Party::Human(hana), &long, 1).await.expect("sent");
    place
        .send_message(other, Party::Agent(account), "elsewhere", 1)
        .await
        .expect("sent");
    place.send_message(id, Party::Agent(account), "three", 1).await.expect("sent");
    let place = place.reopened().await;
    let messages = place.messages(id).await;
    assert_eq!(
        messages.iter().map(|row| text_of(row, "content")).collect::<Vec<_>>(),
        ["one", &long, "three"]
    );
    let senders: Vec<_> = messages.iter().map(|row| text_of(row, "sender_type")).collect();
    assert_eq!(senders, ["agent", "human", "agent"]);
    assert_eq!(place.inbox(account, 20).await, ["three", "elsewhere"]);
}
