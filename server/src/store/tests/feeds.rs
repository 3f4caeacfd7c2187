//! Feeds of events: when an event is shown, and how long it is kept.

use std::pin::pin;

use contract::events::{Event, Recipient};
use contract::support::feed::{After, FeedPage};
use contract::{AccountId, ConversationId, Encoded, MessageId, Timestamp};

use super::backup::{back_up, restore};
use super::group::{gated, poll};
use super::*;
use crate::store::events::{names, new_event};
use crate::store::{Abort, Content, FeedRequest, Market, NextDelivery, RestoreOptions, UnknownCursor};
use crate::webhooks::Deliveries;
use codegen_store::Retention;
use codegen_store::kept::feeds::{self, Span, StoredEvent};
use codegen_store::{Hooks as _, Service};

const OF: Recipient = Recipient::Account(AccountId::new(1));

fn event(number: i64) -> Event {
    Event::MessageCreated {
        conversation_id: ConversationId::new(1),
        message_id: MessageId::new(number),
    }
}

impl TestStore {
    /// Appends an event in a write of its own.
    async fn append(&self, number: i64, now: Timestamp, retention: Retention) {
        let appended = self.store().write(Actor::Operator, move |tx| {
            feeds::append(tx, [new_event((OF, event(number)))], now, retention).map_err(Abort::<()>::from)
        });
        appended.await.expect("a write").expect("an event");
    }

    async fn read(
        &self,
        after: Option<After>,
        now: Timestamp,
        retention: Retention,
    ) -> Result<FeedPage, UnknownCursor> {
        let request = FeedRequest {
            after,
            names: names(None),
            limit: 100,
            now,
        };
        let durable = self.store().durable();
        let page = self
            .store()
            .read(move |trees, _| feeds::page(trees, durable, OF, &request, retention));
        page.await.expect("a read")
    }

    /// The cursors of a page, and whether it is truncated.
    async fn cursors(&self, after: Option<i64>, now: Timestamp, retention: Retention) -> (Vec<i64>, bool) {
        let page = self
            .read(after.map(After::Event), now, retention)
            .await
            .expect("a known cursor");
        let cursor = |row: &Encoded<_>| {
            let row: serde_json::Value = serde_json::from_str(row.as_str()).expect("JSON");
            row["cursor"]
                .as_str()
                .and_then(|cursor| cursor.parse().ok())
                .expect("a number")
        };
        (page.events.iter().map(cursor).collect(), page.truncated)
    }

    /// The ids of all events.
    async fn ids(&self) -> Vec<String> {
        let page = self.read(None, at(10), Market::RETENTION).await;
        let id = |row: &Encoded<_>| {
            let row: serde_json::Value = serde_json::from_str(row.as_str()).expect("JSON");
            row["eventId"].as_str().expect("an id").to_owned()
        };
        page.expect("a known cursor").events.iter().map(id).collect()
    }
}

#[test]
fn a_feed_that_begins_after_a_restore_begins_after_the_gap() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let (original, webhook) = runtime.block_on(async {
        let place = TestStore::new();
        let webhook = place.active_webhook(place.account("a").await).await;
        place.store().close().await.expect("the store closes");
        (place.dir, webhook)
    });
    let options = RestoreOptions {
        keep_credentials: true,
        id_gap: 1_000,
    };
    let dir = tempfile::tempdir().expect("a temporary directory");
    restore(&back_up(original.path()), dir.path(), options).expect("a restored directory");
    let place = TestStore::over(open(&dir), dir);
    let all = Market::RETENTION;
    runtime.block_on(async {
        // The cursor of an event that came after the backup, and is lost.
        assert_eq!(place.cursors(Some(5), at(10), all).await, (vec![], true));
        assert_eq!(place.cursors(Some(1_000), at(10), all).await, (vec![], false));
        place.append(1, at(10), all).await;
        assert_eq!(place.cursors(Some(5), at(10), all).await, (vec![1_001], true));
        assert_eq!(place.cursors(Some(1_000), at(10), all).await, (vec![1_001], false));
        let next = place.app.next_delivery(webhook, at(10)).await.expect("an answer");
        assert!(matches!(next, NextDelivery::Now(_)), "{next:?}");
    });
    // The numbers that were left out are a part of the next backup.
    let again = tempfile::tempdir().expect("a temporary directory");
    runtime.block_on(place.store().close()).expect("the store closes");
    restore(&back_up(place.dir.path()), again.path(), options).expect("a restored directory");
    let store = open(&again);
    let trees = store.trees().expect("it is open");
    assert_eq!(trees.meta("last id events").expect("a number"), 2_000);
}

#[test]
fn ids_survive_a_restore_and_events_from_before_keep_the_former_ones() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let all = Market::RETENTION;
    let (original, webhook, ids) = runtime.block_on(async {
        let place = TestStore::new();
        let webhook = place.active_webhook(place.account("a").await).await;
        let written = place.store().write(Actor::Operator, |tx| {
            let former = StoredEvent {
                id: None,
                commit: tx.commit(),
                timestamp: at(10),
                name: event(1).name().as_str().to_owned(),
                data: serde_json::value::to_raw_value(&event(1)).expect("JSON"),
            };
            feeds::write_event(tx, OF, 1, &former);
            feeds::write_span(tx, OF, Span { first: 1, last: 1 });
            Ok::<_, Abort<()>>(())
        });
        written.await.expect("a write").expect("an event");
        place.append(2, at(10), all).await;
        let ids = place.ids().await;
        place.store().close().await.expect("the store closes");
        (place.dir, webhook, ids)
    });
    assert_eq!((ids.len(), ids[0].as_str()), (2, "evt_1"));
    assert!(ids[1].len() > 20, "{ids:?}");
    let backup = back_up(original.path());
    for id_gap in [0, 1_000] {
        let options = RestoreOptions {
            keep_credentials: true,
            id_gap,
        };
        let dir = tempfile::tempdir().expect("a temporary directory");
        restore(&backup, dir.path(), options).expect("a restored directory");
        let place = TestStore::over(open(&dir), dir);
        runtime.block_on(async {
            assert_eq!(place.cursors(None, at(10), all).await.0, [id_gap + 1, id_gap + 2]);
            assert_eq!(place.ids().await, ids);
            let next = place.app.next_delivery(webhook, at(10)).await.expect("an answer");
            let NextDelivery::Now(delivery) = next else {
                panic!("{next:?}");
            };
            assert!(
                matches!(&delivery.content, Content::Event { id, .. } if *id == ids[0]),
                "{delivery:?}"
            );
        });
    }
}

#[tokio::test]
async fn the_oldest_events_go_and_their_readers_learn_of_it() {
    let place = TestStore::new();
    let few = Retention { keep: 1_000, max: 3 };
    for number in 1..=5 {
        place.append(number, at(number), few).await;
    }
    assert_eq!(place.cursors(None, at(5), few).await, (vec![3, 4, 5], false));
    assert_eq!(place.cursors(Some(2), at(5), few).await, (vec![3, 4, 5], false));
    assert_eq!(place.cursors(Some(1), at(5), few).await, (vec![3, 4, 5], true));
    // A shorter bound takes effect by and by: each event removes at most two.
    let fewer = Retention { keep: 1_000, max: 1 };
    place.append(6, at(6), fewer).await;
    assert_eq!(place.cursors(None, at(6), fewer).await, (vec![5, 6], false));
    place.append(7, at(7), fewer).await;
    assert_eq!(place.cursors(None, at(7), fewer).await, (vec![7], false));
}

#[tokio::test]
async fn old_events_are_not_shown_and_are_removed_by_later_ones() {
    let place = TestStore::new();
    let short = Retention { keep: 10, max: 100 };
    for number in 1..=3 {
        place.append(number, at(number), short).await;
    }
    assert_eq!(place.cursors(None, at(12), short).await, (vec![2, 3], false));
    assert_eq!(place.cursors(Some(0), at(12), short).await, (vec![2, 3], true));
    assert_eq!(place.cursors(Some(1), at(14), short).await, (vec![], true));
    let page = place.read(None, at(14), short).await.expect("no cursor");
    assert_eq!((page.cursor, page.truncated), (3, false));
    place.append(4, at(14), short).await;
    place.append(5, at(14), short).await;
    let forever = Retention { keep: 1_000, max: 100 };
    assert_eq!(place.cursors(None, at(14), forever).await, (vec![4, 5], false));
}

#[tokio::test]
async fn an_event_is_shown_only_after_its_sync() {
    let (place, began, let_through) = gated();
    let all = Market::RETENTION;
    let mut first = pin!(place.append(1, at(1), all));
    assert!(poll(first.as_mut()).is_pending());
    began.recv().expect("the sync begins");
    let mut next = place.store().service().waiters().next(OF);
    assert_eq!(place.cursors(None, at(1), all).await, (vec![], false));
    let unknown = place.read(Some(After::Event(1)), at(1), all).await;
    assert_eq!(unknown.map(|_| ()), Err(UnknownCursor));
    let_through.send(()).expect("the sync waits");
    first.await;
    next.comes().await;
    assert_eq!(place.cursors(None, at(1), all).await, (vec![1], false));
}
