//! Snapshots: what they read while the trees change. Damage that a start notices by the checksum alone.

use std::ops::Bound;

use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use tempfile::TempDir;

use super::keeper::MAX_KEPT_BYTES;
use super::*;
use crate::schema::HITODE;

const ONE: Tree = Tree::at(Tree::FIRST, "one");
const TWO: Tree = Tree::at(Tree::FIRST + 1, "two");
const LEFT_OUT: Tree = Tree::at(Tree::FIRST + 2, "left_out").without_checksum();

static SCHEMA: Schema = Schema {
    program: HITODE,
    layout: 1,
    trees: &[Tree::META, ONE, TWO, LEFT_OUT],
};

const ORDER: [Tree; 2] = [TWO, ONE];

/// Reads everything.
fn load(reader: &mut Reader<'_>) -> Result<Result<(), Findings>, EngineError> {
    let mut findings = Findings::default();
    for tree in SCHEMA.trees {
        let mut entries = reader.tree(*tree);
        while entries.next(reader)?.is_some() {}
    }
    reader.pieces(&mut findings, |tree, key| format!("{} {key:?}", tree.name()))?;
    Ok(if findings.is_empty() { Ok(()) } else { Err(findings) })
}

fn open(dir: &TempDir) -> Opened<()> {
    SledEngine::open(dir.path(), &SCHEMA, Durability::Unsynced, load).expect("it opens")
}

fn engine() -> (TempDir, SledEngine) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let engine = open(&dir).engine;
    (dir, engine)
}

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
    let snapshot = engine.snapshot(&ORDER).expect("the trees can be read");
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
    assert!(engine.snapshot(&ORDER).expect("the trees can be read").is_none());
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

/// What a start says after this change of a directory with one short value in each tree, and a long one in the first.
fn rejected(change: impl FnOnce(&Raw)) -> Option<String> {
    let (dir, engine) = engine();
    let mut batch = Batch::new();
    for tree in [ONE, TWO, LEFT_OUT] {
        batch.insert((tree, Bytes::from(b"key")), Some(Bytes::from(b"value")));
    }
    batch.insert((ONE, Bytes::from(b"long")), Some(vec![7; 11_000].into()));
    engine.commit(&batch).expect("it is written");
    drop(engine);
    change(&Raw::open(dir.path(), &SCHEMA));
    let opened = SledEngine::open(dir.path(), &SCHEMA, Durability::Synced, load);
    opened.err().map(|error| error.to_string())
}

#[test]
fn what_is_lost_or_changed_is_noticed_but_in_a_tree_without_checksum() {
    assert_eq!(rejected(|_| ()), None);
    assert_eq!(rejected(|raw| raw.put(LEFT_OUT, b"key", b"other")), None);
    let changes: [fn(&Raw); 3] = [
        |raw| raw.put(ONE, b"key", b"other"),
        |raw| drop(raw.take(TWO, b"key")),
        |raw| raw.put(Tree::META, b"new", b"1"),
    ];
    for change in changes {
        let text = rejected(change).expect("it is rejected");
        assert!(
            text.contains("lacks parts of what was written up to commit 1"),
            "{text}"
        );
    }
    let sealed = |raw: &Raw| {
        raw.put(ONE, b"key", b"other");
        raw.seal();
    };
    assert_eq!(rejected(sealed), None);
}

#[test]
fn pieces_of_a_long_value_that_are_lost_or_stray_are_findings() {
    let piece = |place: u16| [&1_i64.to_be_bytes()[..], &place.to_be_bytes()].concat();
    let long = format!("one {:?}", b"long");
    for (change, expected) in [
        (
            &(|raw: &Raw| drop(raw.take(Raw::PIECES, &piece(1)))) as &dyn Fn(&Raw),
            format!("{long} lacks 1 of its 3 pieces"),
        ),
        (
            &|raw: &Raw| raw.put(Raw::PIECES, &piece(3), b"x"),
            "piece 3 of long value 1 belongs to no record".to_owned(),
        ),
        (
            &|raw: &Raw| raw.put(TWO, b"same", &raw.stored(ONE, b"long")),
            format!("{long} and two {:?} have the same long value 1", b"same"),
        ),
        (
            &|raw: &Raw| raw.put(Tree::META, b"last id pieces", &[0; 8]),
            "`last id pieces` is 0, but long value 1 exists".to_owned(),
        ),
        (
            &|raw: &Raw| raw.put(Raw::PIECES, b"\x07", b"x"),
            "`pieces` has the invalid key 07".to_owned(),
        ),
    ] {
        let text = rejected(change).expect("it is rejected");
        assert!(
            text.contains(&format!("is inconsistent: {expected}. Nothing")),
            "{text}"
        );
    }
}

#[test]
fn another_layout_is_rejected_by_name() {
    static NEXT: Schema = Schema {
        program: HITODE,
        layout: 2,
        trees: &[Tree::META, ONE],
    };
    let (dir, engine) = engine();
    drop(engine);
    let opened = SledEngine::open(dir.path(), &NEXT, Durability::Synced, |_| Ok(Ok(())));
    let text = opened.map(drop).expect_err("it is rejected").to_string();
    assert!(text.contains("has layout 1, this version of hitode needs 2"), "{text}");
}
