//! What a start notices by the checksum and the pieces alone.

use super::*;

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
