//! Snapshots: what they read while the trees change.

use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};

use super::*;
use crate::sled::keeper::MAX_KEPT_BYTES;

/// Tree, key and value of an entry.
type Found = (Tree, Vec<u8>, Vec<u8>);

fn content(reads: &impl Reads) -> Vec<Found> {
    let of = |tree: Tree| {
        let entries = reads.range(tree, (Bound::Unbounded, Bound::Unbounded), usize::MAX);
        let entries = entries.expect("it can be read").into_iter();
        entries.map(move |(key, value)| (tree, key.to_vec(), value.to_vec()))
    };
    ORDER.into_iter().flat_map(of).collect()
}

/// Sets or removes some entries in one batch; some values are long.
fn change(engine: &SledEngine, random: &mut StdRng) {
    let mut batch = Batch::new();
    for _ in 0..random.random_range(1..4) {
        let tree = ORDER[random.random_range(0..ORDER.len())];
        let key = random.random_range(0_u64..60).to_be_bytes();
        let is_long = random.random_bool(0.3);
        let mut value = vec![0; random.random_range(1..if is_long { 12_000 } else { 40 })];
        random.fill_bytes(&mut value);
        let value = random.random_bool(0.7).then(|| Bytes::from(value));
        batch.insert((tree, Bytes::from(&key)), value);
    }
    engine.commit(&batch).expect("it is written");
}

fn begin(engine: &SledEngine) -> Snapshot<'_> {
    let snapshot = engine.snapshot(ORDER).expect("the trees can be read");
    snapshot.expect("there is no other")
}

#[test]
fn a_snapshot_has_what_was_there_when_it_began() {
    for seed in 0..8 {
        let mut random = StdRng::seed_from_u64(seed);
        let (_dir, engine) = engine();
        for _ in 0..80 {
            change(&engine, &mut random);
        }
        let expected = content(&engine);
        let snapshot = begin(&engine);
        assert_eq!(snapshot.commit(), 80);
        let mut found = Vec::new();
        for tree in ORDER {
            let read = snapshot.read(tree, |key, value| {
                found.push((tree, key.to_vec(), value.to_vec()));
                for _ in 0..random.random_range(0..3) {
                    change(&engine, &mut random);
                }
                Ok::<_, SnapshotError>(())
            });
            read.expect("it can be read");
        }
        assert!(found == expected, "seed {seed}");
        assert!(content(&engine) != expected, "nothing changed meanwhile");
    }
}

#[test]
fn one_snapshot_is_read_at_a_time_and_one_that_ended_keeps_nothing() {
    let (_dir, engine) = engine();
    let mut random = StdRng::seed_from_u64(0);
    let kept = || engine.trees.keeper().kept_bytes();
    let snapshot = begin(&engine);
    assert!(engine.snapshot(ORDER).expect("the trees can be read").is_none());
    change(&engine, &mut random);
    assert!(kept() > 0);
    drop(snapshot);
    assert_eq!(kept(), 0);
    change(&engine, &mut random);
    assert_eq!(kept(), 0);
    drop(begin(&engine));
}

#[test]
fn a_snapshot_for_which_too_much_is_kept_fails() {
    let (_dir, engine) = engine();
    let mut random = StdRng::seed_from_u64(0);
    for _ in 0..80 {
        change(&engine, &mut random);
    }
    let snapshot = begin(&engine);
    for _ in 0..2_000 {
        if engine.trees.keeper().kept_bytes() < MAX_KEPT_BYTES {
            change(&engine, &mut random);
        }
    }
    let read = ORDER
        .into_iter()
        .try_for_each(|tree| snapshot.read(tree, |_, _| Ok::<_, SnapshotError>(())));
    assert!(matches!(read, Err(SnapshotError::TooManyChanges)), "{read:?}");
}
