//! Conversations: both parties write, each sees its own, latest message first.

use contract::{FindConversation, Rows};

use super::*;
use crate::market::conversations::rows_of_messages;

impl TestStore {
    async fn record(&self, id: ConversationId) -> Conversation {
        let found = self.app.find_conversation(id).await.expect("an answer");
        Conversation::clone(&found.expect("it is there"))
    }

    /// A member of each message of a conversation.
    async fn messages(&self, id: ConversationId, member: &str) -> Vec<String> {
        let rows = self.app.rows(rows_of_messages(&self.record(id).await)).await;
        texts(rows.expect("a list"), member)
    }

    async fn inbox(&self, account: AccountId, window: PageRequest) -> Vec<String> {
        let rows = self.app.agent_conversations(account, window).await;
        texts(rows.expect("a list"), "last_message")
    }
}

fn texts<V: 'static>(rows: Rows<V>, member: &str) -> Vec<String> {
    whole(rows).iter().map(|row| text_of(row, member)).collect()
}

#[tokio::test]
async fn the_latest_conversation_comes_first() {
    let place = TestStore::new();
    let (account, other) = (place.account("a").await, place.account("b").await);
    let (hana, ken) = (place.human("Hana").await, place.human("Ken").await);
    let first = place.talk(account, hana, "one", 100).await;
    place.talk(account, ken, "two", 200).await;
    place.talk(account, ken, "three", 200).await;
    place.talk(other, ken, "not seen", 900).await;
    assert_eq!(place.inbox(account, all()).await, ["three", "two", "one"]);
    place.say(first, Sender::Human, "answer", 300).await;
    let place = place.reopened().await;
    assert_eq!(place.inbox(account, all()).await, ["answer", "three", "two"]);
    assert_eq!(place.inbox(account, PageRequest::new(1, 1)).await, ["three"]);
}

#[tokio::test]
async fn messages_are_listed_in_pages_the_latest_first() {
    let place = TestStore::new();
    let (account, hana) = (place.account("a").await, place.human("Hana").await);
    let first = place.talk(account, hana, "0", 100).await;
    let other = place.talk(account, hana, "other", 100).await;
    for (number, id) in (1..6).zip([first, other].into_iter().cycle()) {
        place.say(id, Sender::Human, &number.to_string(), 200).await;
    }
    let conversation = place.record(first).await;
    for (limit, offset, expected) in [(9, 0, "5 3 1 0"), (2, 1, "3 1"), (2, 3, "0"), (2, 4, "")] {
        let rows = place
            .app
            .latest_messages(&conversation, PageRequest::new(limit, offset))
            .await;
        assert_eq!(
            texts(rows.expect("a list"), "content").join(" "),
            expected,
            "{limit} {offset}"
        );
    }
}

#[tokio::test]
async fn a_message_of_a_clock_that_was_set_back_is_not_before_the_one_before_it() {
    let place = TestStore::new();
    let (account, hana) = (place.account("a").await, place.human("Hana").await);
    let first = place.talk(account, hana, "one", 100).await;
    place.talk(account, hana, "two", 50).await;
    place.say(first, Sender::Agent, "late", 40).await;
    assert_eq!(place.inbox(account, all()).await, ["late", "two"]);
    assert_eq!(place.record(first).await.last_message_at, at(100));
    for (content, unix) in [("later", 101), ("late again", 60)] {
        place.say(first, Sender::Human, content, unix).await;
    }
    let dates = place.messages(first, "created_at").await;
    assert_eq!(dates, [100, 100, 101, 101].map(|unix| at(unix).to_string()));
}

#[tokio::test]
async fn messages_come_by_id_and_whole() {
    let place = TestStore::new();
    let (account, hana) = (place.account("a").await, place.human("Hana").await);
    let other = place.talk(account, hana, "other", 0).await;
    let id = place.talk(account, hana, "one", 0).await;
    let long = "長い".repeat(5_000);
    place.say(id, Sender::Human, &long, 1).await;
    place.say(other, Sender::Agent, "elsewhere", 1).await;
    place.say(id, Sender::Agent, "three", 1).await;
    let place = place.reopened().await;
    assert_eq!(place.messages(id, "content").await, ["one", &long, "three"]);
    assert_eq!(place.messages(id, "sender_type").await, ["agent", "human", "agent"]);
}
