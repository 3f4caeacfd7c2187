//! Indexes and other data derived from records.

use contract::{Application, Conversation, MessageId};
use serde_json::json;

use super::*;
use codegen_store::IndexEntry;

/// The row of a record in an index.
fn row<R: Record<Market>>(trees: &Raw, id: R::Id, index: Tree) -> IndexEntry {
    let record: R = record(trees, id);
    let mut rows = record.rows().into_iter();
    rows.find(|row| row.tree == index).expect("it has a row there")
}

#[test]
fn a_row_that_is_missing_from_an_index() {
    let of_application = |trees: &Raw, index| row::<Application>(trees, ApplicationId::new(2), index);
    let of_conversation = |trees: &Raw, index| row::<Conversation>(trees, ConversationId::new(1), index);
    for (index, text) in [
        (tables::APPLIED, "application 2"),
        (tables::RECEIVED, "application 2"),
        (tables::SENT, "application 2"),
    ] {
        let lose = |trees: &Raw| drop(trees.take(index, &of_application(trees, index).key));
        check(lose, &[&format!("{text} is missing from the index `{}`", index.name())]);
    }
    for (index, text) in [
        (tables::AGENT_INBOX, "conversation 1"),
        (tables::WORKER_INBOX, "conversation 1"),
    ] {
        let lose = |trees: &Raw| drop(trees.take(index, &of_conversation(trees, index).key));
        check(lose, &[&format!("{text} is missing from the index `{}`", index.name())]);
    }
    let lose = |trees: &Raw| drop(trees.take(tables::OPEN_BOUNTIES, &BountyId::new(3).bytes()));
    check(lose, &["bounty 3 is missing from the index `open_bounties`"]);
}

#[test]
fn a_row_that_no_record_has() {
    let (bounty, worker) = (BountyId::new(2), HumanId::new(2));
    let application = ApplicationId::new(1);
    for (index, key, text) in [
        (tables::OPEN_BOUNTIES, bounty.bytes().to_vec(), "bounty 2"),
        (tables::OPEN_BOUNTIES, BountyId::new(9).bytes().to_vec(), "bounty 9"),
        (
            tables::RECEIVED,
            (bounty, application).bytes().to_vec(),
            "application 1",
        ),
        (tables::SENT, (worker, application).bytes().to_vec(), "application 1"),
        (
            tables::SENT,
            (worker, ApplicationId::new(9)).bytes().to_vec(),
            "application 9",
        ),
        (tables::SENT, b"\x01\x02".to_vec(), "the row 0102 "),
    ] {
        let stray = |trees: &Raw| trees.put(index, &key, b"");
        check(
            stray,
            &[&format!("{text} is in the index `{}` and must not be", index.name())],
        );
    }
}

#[test]
fn an_application_that_stands_for_another() {
    let key = (BountyId::new(1), HumanId::new(2)).bytes();
    let confuse = |trees: &Raw| trees.put(tables::APPLIED, &key, &ApplicationId::new(1).bytes());
    check(
        confuse,
        &[
            "application 2 is missing from the index `applied`",
            "application 1 is in the index `applied` and must not be",
        ],
    );
}

#[test]
fn a_conversation_that_moved_in_an_inbox_and_is_still_in_its_former_place() {
    let stay = |trees: &Raw| {
        let conversation: Conversation = record(trees, ConversationId::new(1));
        let former = Conversation {
            last_message_at: at(10),
            ..conversation
        };
        let mut rows = former.rows().into_iter();
        let row = rows.find(|row| row.tree == tables::AGENT_INBOX);
        trees.put(tables::AGENT_INBOX, &row.expect("it has a row there").key, b"");
    };
    let text = "conversation 1 is in the index `agent_inbox` and must not be";
    check(stay, &[text]);
}

#[test]
fn a_conversation_with_another_latest_message() {
    let change = |trees: &Raw| {
        edit::<Conversation>(trees, ConversationId::new(1), |record| {
            record["last_message_id"] = json!(1)
        });
    };
    check(
        change,
        &["conversation 1 states 1 as `last_message_id`, but `latest Message.id` is 3"],
    );
    let lose = |trees: &Raw| {
        for message in [1, 3] {
            trees.take(
                tables::MESSAGES,
                &(ConversationId::new(1), MessageId::new(message)).bytes(),
            );
        }
        trees.put(Tree::META, b"count messages", &2_i64.to_be_bytes());
    };
    check(
        lose,
        &[
            "conversation 1 states 3 as `last_message_id`, but `latest Message.id` is null",
            "conversation 1 states \"1970-01-01T00:00:30\" as `last_message_at`, but `latest Message.created_at` is null",
        ],
    );
}

#[test]
fn a_skill_that_is_not_in_the_dictionary() {
    let change = |member: &'static str, value: Value| {
        move |trees: &Raw| {
            edit::<Human>(trees, HumanId::new(2), |record| record["skills"][0][member] = value);
        }
    };
    check(
        change("id", json!(2)),
        &["worker 2 has skill 2 as \"COOKING\", but `skills` does not"],
    );
    check(
        change("id", json!(7)),
        &["worker 2 has skill 7 as \"COOKING\", but `skills` does not"],
    );
    check(
        change("name", json!("Baking")),
        &["worker 2 has skill 1 as \"Baking\", but `skills` does not"],
    );
    check(change("category", json!("ＨＯＭＥ")), &[]);
}

#[test]
fn a_dictionary_of_skills_that_contradicts_itself() {
    let twice = |trees: &Raw| {
        trees.put(
            tables::SKILLS,
            &[7; 32],
            br#"{"id":1,"name":"cooking","category":"home"}"#,
        )
    };
    check(twice, &["two skills have the id 1"]);
    let garble = |trees: &Raw| trees.put(tables::SKILLS, b"\x07", b"cooking");
    let found = findings(garble);
    assert!(
        found[0].starts_with("the skill 07 cannot be read (expected value"),
        "{found:?}"
    );
}
