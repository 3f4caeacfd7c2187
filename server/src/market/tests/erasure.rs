//! Erasing workers: what is left of them.

use codegen_store::Tree;
use contract::FindHuman;
use futures_util::future::join_all;

use super::*;
use crate::market::erasure::{erase, erase_again};
use crate::store::tables::SCHEMA;

/// What only the worker's own texts contain.
const MARK: &str = "Zanzibar";

/// The trees that have a value with the mark.
async fn marked(place: &TestStore) -> Vec<Tree> {
    let found = place.store().read(|trees, _| {
        let mut found = Vec::new();
        for tree in SCHEMA.trees {
            for entry in trees.entries(*tree) {
                let (key, value) = entry?;
                let is_in = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(MARK);
                if (is_in(&key) || is_in(&value)) && found.last() != Some(tree) {
                    found.push(*tree);
                }
            }
        }
        Ok(found)
    });
    found.await.expect("the trees are read")
}

fn marked_human() -> NewHuman {
    NewHuman {
        headline: format!("{MARK} tours"),
        bio: format!("From {MARK}"),
        city: MARK.to_owned(),
        skills: vec![new_skill(&format!("{MARK} cooking"), "Home")],
        external_id: Some(format!("{MARK}-7")),
        ..new_human(&format!("Hana of {MARK}"))
    }
}

#[tokio::test]
async fn an_erased_worker_leaves_no_trace() {
    let place = TestStore::new();
    let account = place.account("Agent").await;
    let entered = place
        .store()
        .create_humans(vec![marked_human(), new_human("Ken")], false);
    let ids = entered.await.expect("workers are entered");
    let (erased, other) = (ids[0], ids[1]);
    place.store().set_token(erased, "token").await.expect("a write");
    let first = place.talk(account, erased, &format!("Hello {MARK}"), 1).await;
    let kept = place.talk(account, other, "Hello Ken", 2).await;
    // More than one transaction erases.
    let text = format!("I am in {MARK}");
    let said = (0..520).map(|_| place.say(first, Sender::Human, &text, 3));
    join_all(said).await;
    let bounty = place.bounty(account, "Photos").await;
    let applications = [place.apply(bounty, erased).await, place.apply(bounty, other).await];
    assert!(marked(&place).await.len() > 2);

    erase(place.store(), erased).await.expect("it is erased");
    // What was written before a version had erasing, or between its transactions, goes the next time.
    place.say(first, Sender::Agent, &format!("Are you in {MARK}?"), 4).await;
    erase(place.store(), erased).await.expect("it is erased again");

    let place = place.reopened().await;
    assert_eq!(marked(&place).await, Vec::new());
    place.assert_indexed();
    assert_eq!(place.names(HumanFilter::default()).await, ["Ken"]);
    let human = place
        .app
        .find_human(erased)
        .await
        .expect("an answer")
        .expect("the id stays");
    assert_eq!(
        (
            human.name.as_str(),
            human.erased,
            human.suspended,
            human.token_digest.is_none()
        ),
        ("(deleted)", true, true, true)
    );
    let messages = |application| {
        place
            .store()
            .write(Actor::Operator, move |tx| -> crate::store::Decided<_, Infallible> {
                Ok(tx.existing::<Application>(application)?.message)
            })
    };
    let [gone, stays] = applications.map(messages);
    assert_eq!(certain(gone.await).expect("it is read"), "(deleted)");
    assert_eq!(certain(stays.await).expect("it is read"), "I can");
    let words = place.say(kept, Sender::Human, "still here", 5).await;
    assert!(words.get() > 0);
}

#[tokio::test]
async fn a_list_of_erased_workers_is_applied_and_keeps_their_ids() {
    let place = TestStore::new();
    let entered = place
        .store()
        .create_humans(vec![marked_human(), new_human("Ken")], false);
    let ids = entered.await.expect("workers are entered");
    // The last one was entered after the backup.
    let list = [ids[0], ids[0], HumanId::new(40)];
    assert_eq!(erase_again(place.store(), &list).await.map_err(|_| ()), Ok(1));
    assert_eq!(marked(&place).await, Vec::new());
    assert_eq!(place.human("Mei").await, HumanId::new(41));
    let place = place.reopened().await;
    assert_eq!(place.names(HumanFilter::default()).await, ["Ken", "Mei"]);
}
