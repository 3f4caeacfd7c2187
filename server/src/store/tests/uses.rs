//! What reaches the trees beside records: the last uses of keys, and the pieces of long values.

use std::time::Duration;

use contract::{ApiKey, FindHuman};
use tokio::time::timeout;

use super::*;

#[tokio::test]
async fn a_use_is_written_with_its_request_but_not_each_within_a_minute() {
    let place = TestStore::new();
    let (account, key) = place.account_with_key("a", "first").await;
    for (unix, saved) in [(120, 120), (179, 120), (180, 180), (239, 180), (60, 60)] {
        assert_eq!(place.admits_at("first", unix).await, Some(account));
        // On a busy machine, the request has not waited for it. What is written later does.
        place.account(&format!("at {unix}")).await;
        let on_disk = place.store().read(move |trees, _| trees.get::<ApiKey>(key)).await;
        let on_disk = on_disk.expect("an answer").expect("it is there");
        assert_eq!(on_disk.last_used_at, Some(at(saved)), "{unix}");
    }
}

#[tokio::test]
async fn a_disk_that_stalls_does_not_hold_up_requests_that_read() {
    let place = TestStore::new();
    let (account, _) = place.account_with_key("a", "first").await;
    let (store, dir) = place.into_parts();
    store.close().await.expect("it closes");
    let (stall, stalled) = std::sync::mpsc::channel::<()>();
    let store = with_sync(&dir, move |_| {
        let _ = stalled.recv();
        Ok(())
    });
    let place = TestStore::over(store, dir);
    for unix in [120, 240, 360] {
        let admitted = timeout(Duration::from_secs(60), place.admits_at("first", unix)).await;
        assert_eq!(admitted, Ok(Some(account)));
    }
    drop(stall);
}

#[tokio::test]
async fn a_use_of_a_key_that_was_revoked_meanwhile_does_not_bring_it_back() {
    let place = TestStore::new();
    let (_, key) = place.account_with_key("a", "first").await;
    let revoked = place.store().delete_key(Actor::Operator, key).await;
    revoked.expect("a write").expect("revoked");
    place.app.save_use(key, at(120)).await;
    assert_eq!(place.reopened().await.admits("first").await, None);
}

#[tokio::test]
async fn long_values_are_whole_again_and_leave_no_pieces_behind() {
    let place = TestStore::new();
    let bio: String = "人手\"".chars().cycle().take(10_000).collect();
    let human = place.store().create_humans(
        vec![NewHuman {
            bio: bio.clone(),
            ..new_human("a")
        }],
        false,
    );
    let human = human.await.expect("a worker is entered")[0];
    let place = place.reopened().await;
    let found = place
        .app
        .find_human(human)
        .await
        .expect("an answer")
        .expect("it is there");
    assert_eq!(found.bio, bio);
    place
        .store()
        .update_human(Actor::Operator, human, None, |human| human.bio.truncate(0))
        .await
        .expect("a write");
    let (store, dir) = place.into_parts();
    store.close().await.expect("it closes");
    assert_eq!(Raw::open(dir.path(), &tables::SCHEMA).pieces(), 0);
}
