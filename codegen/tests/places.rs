//! Every node of the tree knows its position.

use codegen::span::Span;
use codegen::yaml::{Node, Value, parse};

#[track_caller]
fn tree(source: &str) -> Node {
    let mut diagnostics = Vec::new();
    let tree = parse(source, &mut diagnostics);
    assert_eq!(diagnostics, []);
    tree.expect("the text is YAML")
}

#[track_caller]
fn check(source: &str, path: &str, (line, column): (usize, usize)) {
    let tree = tree(source);
    let node = tree.find(path).expect("the path leads to a node");
    assert_eq!((node.at.line, node.at.column), (line, column), "{path}");
}

#[test]
fn block_collections_begin_at_their_first_entry() {
    let source = "a:\n  b: 1\nc:\n  - d\n  - e: 2\n";
    check(source, "a", (2, 3));
    check(source, "a.b", (2, 6));
    check(source, "c", (4, 3));
    check(source, "c.d", (4, 5));
    check(source, "c.e", (5, 8));
}

#[test]
fn flow_collections_begin_at_their_bracket() {
    let source = "a: { b: [], c: {}, d: [ x ] }";
    check(source, "a", (1, 4));
    check(source, "a.b", (1, 9));
    check(source, "a.c", (1, 16));
    check(source, "a.d.x", (1, 25));
}

#[test]
fn values_that_are_nothing_have_a_place() {
    let source = "a:\nb: ~\nc: { d: , e: null }\n";
    check(source, "a", (1, 2));
    check(source, "b", (2, 4));
    check(source, "c.e", (3, 14));
}

#[test]
fn quoted_texts_begin_at_their_mark_and_long_ones_at_their_first_line() {
    let source = "\"a b\": 'x'\nc: |\n  long\n  text\nd: \"e\\n\n  f\"\ng: h\n";
    check(source, "a b", (1, 8));
    check(source, "c", (3, 3));
    check(source, "d", (5, 4));
    check(source, "g", (7, 4));
}

#[test]
fn columns_count_characters() {
    check("日本: 語\n", "日本", (1, 5));
    check("\u{feff}a: b\r\nc: d\r\n", "c", (2, 4));
}

#[test]
fn names_with_dots_are_found() {
    check("s: { A.b: { c: d } }", "s.A.b.c", (1, 16));
}

#[test]
fn a_path_that_is_unknown_finds_nothing() {
    let tree = tree("a: { b: [c] }");
    for path in ["", ".", "a.", "a.c", "a.b.c.d", "b", "a.b."] {
        assert!(tree.find(path).is_none(), "{path}");
    }
}

#[test]
fn a_path_that_is_unknown_leads_to_its_known_part() {
    let tree = tree("a: { b.c: [d] }");
    for (path, column, is_found) in [
        ("a.b.c", 11, true),
        ("a.b.c.e", 11, false),
        ("a.f", 4, false),
        ("g", 1, false),
    ] {
        let (node, found) = tree.nearest(path);
        assert_eq!((node.at.column, found), (column, is_found), "{path}");
    }
}

#[test]
fn a_path_leads_to_a_key() {
    let tree = tree("a: { b.c: [d] }");
    for (path, column) in [
        ("a", Some(1)),
        ("a.b.c", Some(6)),
        ("a.b.c.d", None),
        ("a.b", None),
        ("c", None),
    ] {
        assert_eq!(tree.key(path).map(|key| key.at.column), column, "{path}");
    }
}

#[test]
fn every_text_of_the_real_contract_stands_where_its_place_says() {
    let source = include_str!("../../api.yaml");
    let lines: Vec<&str> = source.lines().collect();
    let tree = tree(source);
    assert!(texts_below(&tree, &lines) > 1000);
}

/// Checks all keys and texts below a node, and counts them.
fn texts_below(node: &Node, lines: &[&str]) -> usize {
    match &node.form {
        Value::Text(text) => {
            stands_at(text, node.at, lines);
            1
        }
        Value::List(items) => items.iter().map(|item| texts_below(item, lines)).sum(),
        Value::Map(entries) => {
            entries.iter().for_each(|(key, _)| stands_at(&key.text, key.at, lines));
            entries.iter().map(|(_, value)| 1 + texts_below(value, lines)).sum()
        }
        _ => 0,
    }
}

#[track_caller]
fn stands_at(text: &str, at: Span, lines: &[&str]) {
    let rest: String = lines[at.line - 1].chars().skip(at.column - 1).collect();
    let inside = rest.strip_prefix(['"', '\'']).unwrap_or(&rest);
    assert!(inside.starts_with(text), "{}:{}: {text}", at.line, at.column);
    let quotes = 2 * usize::from(inside.len() < rest.len());
    assert_eq!(
        at.end - at.start,
        text.len() + quotes,
        "{}:{}: {text}",
        at.line,
        at.column
    );
}
