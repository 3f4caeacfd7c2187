//! Feeds of events: what reads them in parts, also across a restart. Which write causes which event is tested over HTTP.

use std::collections::BTreeSet;

use codegen_store::Hooks as _;
use contract::events::{Name, Recipient};
use contract::support::feed::{After, FeedPage};
use serde_json::{Value, json};

use super::*;
use crate::store::{FeedRequest, UnknownCursor, names};

fn asked(after: Option<After>, limit: usize) -> FeedRequest {
    FeedRequest {
        after,
        names: names(None),
        limit,
        now: at(100),
    }
}

fn rows(page: FeedPage) -> Vec<Value> {
    let row = |row: &Encoded<_>| serde_json::from_str(row.as_str()).expect("JSON");
    page.events.iter().map(row).collect()
}

fn texts(page: FeedPage, member: &str) -> Vec<String> {
    let text = |row: Value| row[member].as_str().unwrap_or_default().to_owned();
    rows(page).into_iter().map(text).collect()
}

impl TestStore {
    async fn page(&self, of: Recipient, request: FeedRequest) -> Result<FeedPage, UnknownCursor> {
        self.store().events(of, request).await.expect("a read")
    }
}

#[tokio::test]
async fn a_feed_is_read_in_parts_and_goes_on_after_a_restart() {
    let place = TestStore::new();
    let (account, human) = (place.account("a").await, place.human("h").await);
    let talk = place.talk(account, human, "Hello", 5).await;
    for _ in 0..5 {
        place.say(talk, Sender::Human, "Hello", 6).await;
    }
    let of = Recipient::Account(account);
    let (mut after, mut seen) = (None, Vec::new());
    loop {
        let page = place.page(of, asked(after, 2)).await.expect("a known cursor");
        after = Some(After::Event(page.cursor));
        let has_more = page.has_more;
        assert!(!page.truncated);
        seen.extend(texts(page, "cursor"));
        if !has_more {
            break;
        }
    }
    assert_eq!(seen, ["1", "2", "3", "4", "5"]);
    let place = place.reopened().await;
    let page = place.page(of, asked(after, 2)).await.expect("a known cursor");
    assert!(page.events.is_empty() && page.cursor == 5);
    place.say(talk, Sender::Human, "Hello", 6).await;
    let page = place.page(of, asked(after, 2)).await.expect("a known cursor");
    assert_eq!((page.cursor, texts(page, "cursor")), (6, vec!["6".to_owned()]));
}

#[tokio::test]
async fn an_event_has_an_id_that_no_other_feed_has_and_keeps_it() {
    let place = TestStore::new();
    let (account, other, human) = (
        place.account("a").await,
        place.account("b").await,
        place.human("h").await,
    );
    let talks = [
        place.talk(account, human, "Hello", 5).await,
        place.talk(other, human, "Hello", 5).await,
    ];
    for talk in [talks[0], talks[1], talks[0]] {
        place.say(talk, Sender::Human, "Hello", 6).await;
    }
    let ids = async |place: &TestStore| {
        let mut ids = Vec::new();
        for of in [
            Recipient::Account(account),
            Recipient::Account(other),
            Recipient::Human(human),
        ] {
            ids.extend(texts(
                place.page(of, asked(None, 100)).await.expect("a known cursor"),
                "eventId",
            ));
        }
        ids
    };
    let before = ids(&place).await;
    let unique: BTreeSet<_> = before.iter().collect();
    assert_eq!((before.len(), unique.len()), (5, 5), "{before:?}");
    assert_eq!(ids(&place.reopened().await).await, before);
}

#[tokio::test]
async fn a_cursor_from_the_future_is_unknown_and_now_shows_nothing() {
    let place = TestStore::new();
    let (account, human) = (place.account("a").await, place.human("h").await);
    let of = Recipient::Account(account);
    let now = |page: FeedPage| (page.events.len(), page.cursor, page.has_more, page.truncated);
    let page = place.page(of, asked(Some(After::Now), 9)).await.expect("now is known");
    assert_eq!(now(page), (0, 0, false, false));
    let talk = place.talk(account, human, "Hello", 5).await;
    place.say(talk, Sender::Human, "Hello", 6).await;
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
    let talk = place.talk(account, human, "Hello", 5).await;
    place.say(talk, Sender::Agent, "Hello", 6).await;
    place.say(talk, Sender::Agent, "Hello", 6).await;
    for (name, expected) in [
        (Name::ConversationCreated, (1, 3, false)),
        (Name::MessageCreated, (1, 2, true)),
        (Name::BountyUpdated, (0, 3, false)),
    ] {
        let request = FeedRequest {
            names: names(Some(vec![name])),
            ..asked(None, 1)
        };
        let page = place.page(Recipient::Human(human), request).await.expect("no cursor");
        assert_eq!((page.events.len(), page.cursor, page.has_more), expected, "{name:?}");
    }
}

#[tokio::test]
async fn the_write_that_brings_an_event_wakes_those_who_wait_for_it_with_the_time_of_the_cause() {
    let place = TestStore::new();
    let (account, human) = (place.account("a").await, place.human("h").await);
    let mut next = place.store().service().waiters().next(Recipient::Human(human));
    place.talk(account, human, "Hello", 5).await;
    next.comes().await;
    let page = place
        .page(Recipient::Human(human), asked(None, 9))
        .await
        .expect("no cursor");
    assert_eq!(rows(page)[0]["timestamp"], json!(at(5)));
}
