//! What reaches the trees beside records: the last uses of keys, and the pieces of long values.

use std::time::{Duration, Instant};

use contract::ApiKey;

use super::*;
use crate::store::WithoutKeys;
use crate::store::sled::start;
use crate::store::sled::transaction::Tx;
use crate::store::sled::writes::persist_uses;

/// Waits until the last use on disk is this one.
async fn wait_for_use_on_disk(place: &TestStore, key: ApiKeyId, unix: i64) {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let on_disk = place.store.read(move |trees, _| trees.get::<ApiKey>(key)).await;
        let on_disk = on_disk.expect("an answer").expect("it is there").last_used_at;
        if on_disk == Some(at(unix)) {
            return;
        }
        assert!(Instant::now() < deadline, "on the disk is {on_disk:?}");
    }
}

#[tokio::test]
async fn uses_go_to_the_disk_while_the_store_is_open() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let opened = start::open(dir.path()).expect("the directory opens");
    let often = Duration::from_millis(1);
    let store = SledStore::start_with(dir.path(), opened, |_, _| Box::new(|_| Ok(())), often).expect("it starts");
    let place = TestStore { store, dir };
    let (account, key) = place.account_with_key("a", "first").await;
    for unix in [120, 180, 60] {
        assert_eq!(place.admits_at("first", unix).await, Some(account));
        wait_for_use_on_disk(&place, key, unix).await;
    }
}

#[tokio::test]
async fn a_use_of_a_key_that_was_revoked_meanwhile_does_not_bring_it_back() {
    let place = TestStore::new();
    let (account, key) = place.account_with_key("a", "first").await;
    let revoked = place.store.delete_key(Actor::Operator, account, key).await;
    revoked.expect("a write").expect("revoked");
    let late = move |tx: &mut Tx<'_>| persist_uses(tx, &[(key, at(120))]);
    place
        .store
        .write(Actor::Operator, late)
        .await
        .expect("a write")
        .expect("nothing rejects it");
    assert_eq!(place.reopened().await.admits("first").await, None);
}

#[tokio::test]
async fn long_values_are_whole_again_and_leave_no_pieces_behind() {
    let place = TestStore::new();
    let bio: String = "人手\"".chars().cycle().take(10_000).collect();
    let human = place.store.unkeyed().create_humans(
        vec![NewHuman {
            bio: bio.clone(),
            ..new_human("a")
        }],
        false,
    );
    let human = human.await.expect("a worker is entered")[0];
    let place = place.reopened().await;
    let pieces = async || {
        place
            .store
            .read(|trees, _| Ok(trees.pieces()))
            .await
            .expect("an answer")
    };
    let found = place
        .store
        .find_human(human)
        .await
        .expect("an answer")
        .expect("it is there");
    assert_eq!(found.bio, bio);
    assert!(pieces().await > 4);
    place
        .store
        .update_human(Actor::Operator, human, None, |human| human.bio.truncate(0))
        .await
        .expect("a write")
        .expect("changed");
    assert_eq!(pieces().await, 0);
}
