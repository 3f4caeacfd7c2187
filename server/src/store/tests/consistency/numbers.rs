//! Counts and last ids.

use contract::Account;
use serde_json::json;

use super::*;

#[test]
fn a_wrong_count_of_records() {
    for tree in [
        "accounts",
        "keys",
        "humans",
        "bounties",
        "applications",
        "conversations",
        "messages",
    ] {
        let (name, text) = (format!("count {tree}"), format!("`count {tree}` is 9, "));
        let found = findings(|trees| trees.put(Tree::META, name.as_bytes(), &9_i64.to_be_bytes()));
        assert!(matches!(&found[..], [one] if one.starts_with(&text)), "{found:?}");
    }
    let no_count = |trees: &Raw| drop(trees.take(Tree::META, b"count bounties"));
    check(no_count, &["`count bounties` is 0, but 3 exist"]);
}

#[test]
fn an_id_that_would_be_assigned_again() {
    for (tree, there) in [
        ("accounts", "account 2"),
        ("keys", "key 4"),
        ("humans", "worker 2"),
        ("bounties", "bounty 3"),
        ("applications", "application 3"),
        ("conversations", "conversation 2"),
        ("messages", "message 4"),
        ("skills", "skill 2"),
        ("pieces", "long value 5"),
    ] {
        let name = format!("last id {tree}");
        let set = |last: i64| findings(|trees| trees.put(Tree::META, name.as_bytes(), &last.to_be_bytes()));
        assert_eq!(set(1), [format!("`{name}` is 1, but {there} exists")]);
        assert_eq!(set(99), [""; 0], "ids may be left out");
    }
}

#[test]
fn a_number_of_meta_that_is_none() {
    let garble = |trees: &Raw| trees.put(Tree::META, b"count bounties", b"three");
    check(garble, &["`count bounties` is not a number"]);
}

#[test]
fn an_account_that_counts_other_keys_than_it_has() {
    let change = |trees: &Raw| edit::<Account>(trees, AccountId::new(1), |record| record["active_keys"] = json!(3));
    check(
        change,
        &["account 1 states 3 as `active_keys`, but `count ApiKey` is 2"],
    );
}

#[test]
fn a_bounty_that_counts_other_applications_than_it_has() {
    let change = |count: i64| {
        move |trees: &Raw| {
            edit::<Bounty>(trees, BountyId::new(1), |record| {
                record["applications_count"] = json!(count)
            });
        }
    };
    check(
        change(1),
        &["bounty 1 states 1 as `applications_count`, but `count Application` is 2"],
    );
    check(
        change(3),
        &["bounty 1 states 3 as `applications_count`, but `count Application` is 2"],
    );
}
