//! Snapshots: what they read while the trees change.

use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use tokio::runtime::Runtime;

use super::*;
use crate::store::Absent;
use crate::store::backup::BackupWriteError;
use crate::store::sled::snapshot::{MAX_KEPT_BYTES, ORDER, Snapshot};
use crate::store::sled::transaction::Tx;
use crate::store::sled::trees::{Tree, Trees};

/// Tree, key and whole value of an entry.
type Entry = (Tree, Vec<u8>, Vec<u8>);

fn content(trees: &Trees) -> Vec<Entry> {
    let of = |tree: Tree| {
        trees
            .entries_of(tree)
            .map(move |entry| (tree, entry.expect("an entry")))
    };
    let all = ORDER.into_iter().flat_map(of);
    let whole = |(tree, (key, value)): (Tree, (sled::IVec, sled::IVec))| {
        let value = trees
            .whole(&value)
            .expect("the pieces can be read")
            .expect("all pieces");
        (tree, key.to_vec(), value.to_vec())
    };
    all.map(whole).collect()
}

/// Sets or removes some entries in one write; some values are long.
fn change(runtime: &Runtime, store: &SledStore, random: &mut StdRng) {
    let mut changes = Vec::new();
    for _ in 0..random.random_range(1..4) {
        let tree = ORDER[random.random_range(0..ORDER.len())];
        let key = random.random_range(0_u64..12).to_be_bytes();
        let is_long = random.random_bool(0.3);
        let bytes = random.random_range(1..if is_long { 12_000 } else { 40 });
        let mut value = vec![1; bytes];
        random.fill_bytes(&mut value[1..]);
        changes.push((tree, key, random.random_bool(0.7).then_some(value)));
    }
    let write = move |tx: &mut Tx<'_>| {
        for (tree, key, value) in &changes {
            tx.remove_pieces(*tree, key)?;
            match value {
                Some(value) => tx.write_in_pieces(*tree, key, value.clone())?,
                None => tx.write(*tree, key, None),
            }
        }
        Ok(())
    };
    let written = runtime.block_on(store.write::<_, Absent>(Actor::Operator, write));
    written.expect("a write").expect("nothing is absent");
}

fn begin(trees: &Trees) -> Snapshot<'_> {
    let snapshot = Snapshot::begin(trees, &[]).expect("the trees can be read");
    snapshot.expect("there is no other")
}

#[test]
fn a_snapshot_has_what_was_there_when_it_began() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    for seed in 0..8 {
        let mut random = StdRng::seed_from_u64(seed);
        let place = runtime.block_on(async { TestStore::new() });
        for _ in 0..80 {
            change(&runtime, &place.store, &mut random);
        }
        let trees = place.store.trees.upgrade().expect("it is open");
        let expected = content(&trees);
        let snapshot = begin(&trees);
        let mut found = Vec::new();
        for tree in ORDER {
            let read = snapshot.read(tree, |key, value| {
                found.push((tree, key.to_vec(), value.to_vec()));
                for _ in 0..random.random_range(0..3) {
                    change(&runtime, &place.store, &mut random);
                }
                Ok(())
            });
            read.expect("it can be read");
        }
        assert!(found == expected, "seed {seed}");
        assert!(content(&trees) != expected, "nothing changed meanwhile");
    }
}

#[test]
fn one_snapshot_is_read_at_a_time_and_one_that_ended_keeps_nothing() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let place = runtime.block_on(async { TestStore::new() });
    let mut random = StdRng::seed_from_u64(0);
    let trees = place.store.trees.upgrade().expect("it is open");
    let snapshot = begin(&trees);
    assert!(Snapshot::begin(&trees, &[]).expect("the trees can be read").is_none());
    change(&runtime, &place.store, &mut random);
    assert!(trees.keeper().kept_bytes() > 0);
    drop(snapshot);
    assert_eq!(trees.keeper().kept_bytes(), 0);
    change(&runtime, &place.store, &mut random);
    assert_eq!(trees.keeper().kept_bytes(), 0);
    drop(begin(&trees));
}

#[test]
fn a_snapshot_for_which_too_much_is_kept_fails() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let place = runtime.block_on(async { TestStore::new() });
    let mut random = StdRng::seed_from_u64(0);
    let trees = place.store.trees.upgrade().expect("it is open");
    for _ in 0..80 {
        change(&runtime, &place.store, &mut random);
    }
    let snapshot = begin(&trees);
    for _ in 0..2_000 {
        if trees.keeper().kept_bytes() < MAX_KEPT_BYTES {
            change(&runtime, &place.store, &mut random);
        }
    }
    let read = ORDER
        .into_iter()
        .try_for_each(|tree| snapshot.read(tree, |_, _| Ok(())));
    assert!(matches!(read, Err(BackupWriteError::TooManyChanges)), "{read:?}");
}
