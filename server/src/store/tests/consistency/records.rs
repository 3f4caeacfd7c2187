//! Records: readable, complete, under their own keys, and with existing references.

use contract::{ApiKey, Application, Conversation, MessageId};
use serde_json::json;

use super::*;

#[test]
fn a_record_that_cannot_be_read() {
    let garble = |trees: &Raw| trees.put(tables::BOUNTIES, &BountyId::new(3).bytes(), b"{\"id\":3}");
    let found = findings(garble);
    assert!(
        found[0].starts_with("bounty 3 does not fit the contract (missing field"),
        "{found:?}"
    );
    assert_eq!(found.len(), 1, "what it had in indexes is not told, too: {found:?}");
    let garble = |trees: &Raw| {
        trees.put(
            tables::MESSAGES,
            &(ConversationId::new(1), MessageId::new(3)).bytes(),
            b"[",
        )
    };
    let found = findings(garble);
    assert!(
        found[0].starts_with("message 3 of conversation 1 cannot be read ("),
        "{found:?}"
    );
}

#[test]
fn a_record_in_the_place_of_another() {
    let swap = |trees: &Raw| edit::<Application>(trees, ApplicationId::new(3), |record| record["id"] = json!(2));
    check(
        swap,
        &[
            "another record is stored in the place of application 3",
            "bounty 2 states 1 as `applications_count`, but `count Application` is 0",
        ],
    );
}

#[test]
fn a_key_that_is_none() {
    let strange = |trees: &Raw| trees.put(tables::BOUNTIES, b"\x01\x02", b"{}");
    check(
        strange,
        &[
            "`bounties` has the invalid key 0102",
            "`count bounties` is 3, but 4 exist",
        ],
    );
    let zero = |trees: &Raw| trees.put(Raw::PIECES, b"\xff", b"");
    check(zero, &["`pieces` has the invalid key ff"]);
}

/// The key of a piece of a long value.
fn piece(serial: i64, place: u16) -> Vec<u8> {
    [&serial.to_be_bytes()[..], &place.to_be_bytes()].concat()
}

#[test]
fn a_long_value_without_all_its_pieces_and_a_piece_without_its_value() {
    let lose = |trees: &Raw| {
        drop((
            trees.take(Raw::PIECES, &piece(4, 1)),
            trees.take(Raw::PIECES, &piece(4, 3)),
        ))
    };
    check(lose, &["worker 1 lacks 2 of its 5 pieces"]);
    let lose = |trees: &Raw| drop(trees.take(Raw::PIECES, &piece(5, 0)));
    check(
        lose,
        &[
            "conversation 2 states 4 as `last_message_id`, but `latest Message.id` is 2",
            "conversation 2 states \"1970-01-01T00:00:25\" as `last_message_at`, but `latest Message.created_at` is \
             \"1970-01-01T00:00:20\"",
            "message 4 of conversation 2 lacks 1 of its 2 pieces",
        ],
    );
    let stray = |trees: &Raw| {
        for key in [piece(1, 7), piece(4, 5)] {
            trees.put(Raw::PIECES, &key, b"x");
        }
    };
    check(
        stray,
        &[
            "piece 7 of long value 1 belongs to no record",
            "piece 5 of long value 4 belongs to no record",
        ],
    );
}

#[test]
fn a_long_value_of_two_records() {
    let share = |trees: &Raw| {
        let reference = trees.stored(tables::HUMANS, &HumanId::new(1).bytes());
        trees.put(
            tables::MESSAGES,
            &(ConversationId::new(1), MessageId::new(3)).bytes(),
            &reference,
        );
    };
    let found = findings(share);
    assert!(
        found[0].starts_with("message 3 of conversation 1 does not fit the contract ("),
        "{found:?}"
    );
    assert_eq!(
        found[3..],
        ["worker 1 and message 3 of conversation 1 have the same long value 4"]
    );
}

#[test]
fn a_record_without_the_one_that_it_belongs_to() {
    for (tree, id, count, expected) in [
        (
            tables::ACCOUNTS,
            2,
            "count accounts",
            vec!["key 4 exists, but its account 2 does not"],
        ),
        (
            tables::HUMANS,
            2,
            "count humans",
            vec![
                "application 2 exists, but its worker 2 does not",
                "conversation 2 exists, but its worker 2 does not",
                "there is a feed of worker 2, which does not exist",
            ],
        ),
        (
            tables::BOUNTIES,
            2,
            "count bounties",
            vec!["application 3 exists, but its bounty 2 does not"],
        ),
        (
            tables::ACCOUNTS,
            1,
            "count accounts",
            vec![
                "key 1 exists, but its account 1 does not",
                "key 3 exists, but its account 1 does not",
                "bounty 1 exists, but its account 1 does not",
                "bounty 2 exists, but its account 1 does not",
                "bounty 3 exists, but its account 1 does not",
                "conversation 1 exists, but its account 1 does not",
                "conversation 2 exists, but its account 1 does not",
                "there is a feed of account 1, which does not exist",
            ],
        ),
    ] {
        let lose = |trees: &Raw| {
            trees.take(tree, &i64::to_be_bytes(id));
            let others = i64::to_be_bytes(meta(trees, count) - 1);
            trees.put(Tree::META, count.as_bytes(), &others);
        };
        check(lose, &expected);
    }
}

#[test]
fn a_message_without_its_conversation() {
    let lose = |trees: &Raw| {
        let conversation: Conversation = record(trees, ConversationId::new(1));
        for row in conversation.rows() {
            trees.take(row.tree, &row.key);
        }
        trees.take(tables::CONVERSATIONS, &ConversationId::new(1).bytes());
        trees.put(Tree::META, b"count conversations", &1_i64.to_be_bytes());
    };
    check(
        lose,
        &[
            "message 1 of conversation 1 exists, but its conversation 1 does not",
            "message 3 of conversation 1 exists, but its conversation 1 does not",
        ],
    );
}

#[test]
fn a_credential_that_is_none_or_of_two() {
    let key = |trees: &Raw, digest: Value| edit::<ApiKey>(trees, ApiKeyId::new(3), |record| record["digest"] = digest);
    check(|trees| key(trees, json!("12")), &["key 3 has an invalid credential"]);
    let same = Digest::from_secret("b").to_hex();
    check(
        |trees| key(trees, json!(same)),
        &["key 3 and key 4 have the same credential"],
    );
    let token = |trees: &Raw, digest: Value| {
        edit::<Human>(trees, HumanId::new(2), |record| record["token_digest"] = digest);
    };
    check(|trees| token(trees, json!("")), &["worker 2 has an invalid credential"]);
    let same = Digest::from_secret("1").to_hex();
    check(
        |trees| token(trees, json!(same)),
        &["worker 1 and worker 2 have the same credential"],
    );
    check(|trees| token(trees, Value::Null), &[]);
}

#[test]
fn a_rating_of_other_reviews_than_there_are() {
    let worker =
        |trees: &Raw, change: &dyn Fn(&mut Value)| edit::<Human>(trees, HumanId::new(2), |record| change(record));
    let counted = |trees: &Raw, rating: f64| {
        worker(trees, &|record| {
            for (field, value) in [
                ("review_count", json!(1)),
                ("review_stars", json!(4)),
                ("total_reviews", json!(1)),
            ] {
                record[field] = value;
            }
            (record["given_rating"], record["given_reviews"]) = (json!(0), json!(0));
            record["rating"] = json!(rating);
        });
    };
    let other = "worker 2 has counted other reviews than there are";
    check(|trees| counted(trees, 4.0), &[other]);
    check(
        |trees| counted(trees, 4.5),
        &["the rating of worker 2 is not the mean of its reviews", other],
    );
    // Reviews of simulated workers change no rating.
    let simulated = |trees: &Raw| {
        counted(trees, 4.5);
        worker(trees, &|record| record["sandbox"] = json!(true));
    };
    check(simulated, &[]);
}
