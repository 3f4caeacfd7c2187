//! What every engine does, compared with a sorted map.

use std::collections::BTreeMap;
use std::ops::Bound;

use codegen_store::{
    Batch, Bytes, Durability, Engine, Entry, Memory, Program, Schema, SledEngine, Tree, keys, prefixed, scan,
};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};

const ONE: Tree = Tree::at(Tree::FIRST, "one");
const TWO: Tree = Tree::at(Tree::FIRST + 1, "two");
const TREES: [Tree; 3] = [Tree::META, ONE, TWO];

static SCHEMA: Schema = Schema {
    program: Program {
        name: "a test",
        data_option: "--data DIR",
        database_option: "--url URL",
        contract: "api.yaml",
    },
    layout: 1,
    trees: &TREES,
};

/// Opens a directory, with the entries that its start reads.
fn open(path: &std::path::Path) -> (SledEngine, Vec<(Tree, Entry)>) {
    let opened = SledEngine::open(path, &SCHEMA, Durability::Synced, |reader| {
        let mut read = Vec::new();
        for tree in TREES {
            let mut entries = reader.tree(tree);
            while let Some((key, value)) = entries.next(reader)? {
                read.push((tree, (key, value.expect("all pieces are there"))));
            }
        }
        let mut findings = codegen_store::Findings::default();
        reader.pieces(&mut findings, |_, _| String::new())?;
        assert!(findings.is_empty(), "{findings}");
        Ok(Ok(read))
    });
    let opened = opened.expect("it opens");
    (opened.engine, opened.loaded)
}

/// Calls `check` with each engine.
fn with_each(check: impl Fn(&dyn Engine)) {
    check(&Memory::default());
    let dir = tempfile::tempdir().expect("a temporary directory");
    check(&open(dir.path()).0);
}

/// The new value of a key in a tree.
type NewValue<'v> = (Tree, &'v [u8], Option<&'v [u8]>);

fn batch(entries: &[NewValue<'_>]) -> Batch {
    let entry = |(tree, key, value): &NewValue<'_>| ((*tree, Bytes::from(*key)), value.map(Bytes::from));
    entries.iter().map(entry).collect()
}

#[test]
fn a_batch_is_seen_as_a_whole_and_numbered() {
    with_each(|engine| {
        assert_eq!(engine.last_commit(), 0);
        let first = batch(&[(ONE, b"a", Some(b"1")), (TWO, b"a", Some(b"2")), (ONE, b"b", Some(b""))]);
        assert_eq!(engine.commit(&first).expect("it is written").number, 1);
        let get = |tree, key: &[u8]| engine.get(tree, key).expect("a read").map(|value| value.to_vec());
        assert_eq!(get(ONE, b"a"), Some(b"1".to_vec()));
        assert_eq!(get(TWO, b"a"), Some(b"2".to_vec()));
        assert_eq!(get(ONE, b"b"), Some(vec![]));
        assert_eq!(get(TWO, b"b"), None);
        engine
            .commit(&batch(&[(ONE, b"a", None), (TWO, b"z", None)]))
            .expect("it is written");
        assert_eq!((get(ONE, b"a"), engine.last_commit()), (None, 2));
    });
}

/// Eleven bytes that begin with a zero are the form in which one engine refers to the pieces of a long value.
#[test]
fn every_value_is_read_as_it_was_written() {
    let values: Vec<Vec<u8>> = vec![
        vec![],
        vec![0; 11],
        b"\0\0\0\0\0\0\0\0\x01\0\x01".to_vec(),
        vec![7; 5_000],
        vec![0; 5_001],
        vec![9; 300_000],
        vec![1; 10],
    ];
    with_each(|engine| {
        // Each value takes the place of each other one.
        for (nth, value) in values.iter().chain(values.iter().rev()).enumerate() {
            let other = [b"other", &nth.to_be_bytes()[..]].concat();
            let entries = batch(&[(ONE, b"key", Some(value)), (TWO, &other, Some(value))]);
            engine.commit(&entries).expect("it is written");
            assert_eq!(engine.get(ONE, b"key").expect("a read").as_deref(), Some(&value[..]));
            let range = engine.range(ONE, (Bound::Unbounded, Bound::Unbounded), 9);
            assert_eq!(range.expect("a read"), [(Bytes::from(b"key"), Bytes::from(&value[..]))]);
        }
    });
}

fn random_key(random: &mut StdRng) -> Vec<u8> {
    let mut key = vec![0; random.random_range(0..4)];
    key.fill_with(|| [0, 1, 0x7f, 0xfe, 0xff][random.random_range(0..5)]);
    key
}

fn random_bound(random: &mut StdRng) -> Bound<Vec<u8>> {
    match random.random_range(0..3) {
        0 => Bound::Included(random_key(random)),
        1 => Bound::Excluded(random_key(random)),
        _ => Bound::Unbounded,
    }
}

/// Whether a map can be asked for this range.
fn is_range(from: &Bound<Vec<u8>>, to: &Bound<Vec<u8>>) -> bool {
    match (from, to) {
        (Bound::Excluded(from), Bound::Excluded(to)) => from < to,
        (Bound::Included(from) | Bound::Excluded(from), Bound::Included(to) | Bound::Excluded(to)) => from <= to,
        _ => true,
    }
}

type Model = BTreeMap<(Tree, Vec<u8>), Vec<u8>>;

fn model_of(model: &Model, tree: Tree, (from, to): (Bound<&[u8]>, Bound<&[u8]>)) -> Vec<Entry> {
    let of_tree: BTreeMap<&[u8], &Vec<u8>> = model
        .iter()
        .filter(|((of, _), _)| *of == tree)
        .map(|((_, key), value)| (key.as_slice(), value))
        .collect();
    let range = of_tree.range::<[u8], _>((from, to));
    range
        .map(|(key, value)| (Bytes::from(*key), Bytes::from(value.as_slice())))
        .collect()
}

fn change(random: &mut StdRng, model: &mut Model) -> Batch {
    let mut batch = Batch::new();
    for _ in 0..random.random_range(1..6) {
        let (tree, key) = ([ONE, TWO][random.random_range(0..2)], random_key(random));
        let is_long = random.random_bool(0.2);
        let mut value = vec![0; random.random_range(0..if is_long { 12_000 } else { 20 })];
        random.fill_bytes(&mut value);
        let value = random.random_bool(0.7).then_some(value);
        batch.insert((tree, Bytes::from(&key[..])), value.as_deref().map(Bytes::from));
        match value {
            Some(value) => drop(model.insert((tree, key), value)),
            None => drop(model.remove(&(tree, key))),
        }
    }
    batch
}

fn same_as(engine: &dyn Engine, model: &Model, random: &mut StdRng) {
    let tree = [ONE, TWO][random.random_range(0..2)];
    let (from, to) = (random_bound(random), random_bound(random));
    if !is_range(&from, &to) {
        return;
    }
    let (most, size) = (random.random_range(1..8), random.random_range(1..5));
    let range = (from.as_ref().map(Vec::as_slice), to.as_ref().map(Vec::as_slice));
    let expected = model_of(model, tree, range);
    let first = &expected[..most.min(expected.len())];
    assert_eq!(engine.range(tree, range, most).expect("a read"), first);
    let found = scan(engine, tree, (from.clone(), to.clone()), size).collect::<Result<Vec<_>, _>>();
    assert_eq!(found.expect("a read"), expected);
    let all_keys: Vec<Bytes> = expected.into_iter().map(|(key, _)| key).collect();
    assert_eq!(
        engine.keys(tree, range, most).expect("a read"),
        all_keys[..most.min(all_keys.len())]
    );
    let found = keys(engine, tree, (from, to), size).collect::<Result<Vec<_>, _>>();
    assert_eq!(found.expect("a read"), all_keys);
    let prefix = random_key(random);
    let (from, to) = prefixed(&prefix);
    let range = (from, to.as_ref().map(Vec::as_slice));
    let found = engine.keys(tree, range, usize::MAX).expect("a read");
    let is_meant = |(key, _): &Entry| key.starts_with(&prefix);
    let all = model_of(model, tree, (Bound::Unbounded, Bound::Unbounded));
    let expected: Vec<Bytes> = all.into_iter().filter(is_meant).map(|(key, _)| key).collect();
    assert_eq!(found, expected, "{prefix:?}");
}

#[test]
fn ranges_are_those_of_a_sorted_map() {
    with_each(|engine| {
        let (mut random, mut model) = (StdRng::seed_from_u64(1), Model::new());
        for _ in 0..150 {
            engine.commit(&change(&mut random, &mut model)).expect("it is written");
            for _ in 0..8 {
                same_as(engine, &model, &mut random);
            }
        }
    });
}

#[test]
fn a_directory_is_opened_with_what_was_written() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (mut random, mut model) = (StdRng::seed_from_u64(2), Model::new());
    for round in 0..6_u64 {
        let (engine, read) = open(dir.path());
        assert_eq!(engine.last_commit(), round * 40);
        for tree in [ONE, TWO] {
            let of_tree = read
                .iter()
                .filter(|(of, _)| *of == tree)
                .map(|(_, entry)| entry.clone());
            let expected = model_of(&model, tree, (Bound::Unbounded, Bound::Unbounded));
            assert_eq!(of_tree.collect::<Vec<_>>(), expected, "round {round}");
        }
        for _ in 0..40 {
            engine.commit(&change(&mut random, &mut model)).expect("it is written");
        }
    }
}
