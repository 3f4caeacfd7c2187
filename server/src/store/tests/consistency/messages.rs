//! The messages of a start on an inconsistent store, and the deviations that it tolerates.

use contract::{Account, Webhook};
use serde_json::json;

use contract::{FindAccount, FindBounty, FindHuman};

use super::*;

fn rejected(dir: &TempDir) -> String {
    let opened = Store::open(dir.path(), Durability::Unsynced).map(drop);
    opened.expect_err("it is out of step").to_string()
}

#[test]
fn consistent_data_that_was_not_written_is_rejected_too() {
    let rename = |trees: &Raw| edit::<Account>(trees, AccountId::new(1), |record| record["name"] = "c".into());
    let text = rejected(&damaged(rename));
    assert!(text.contains("parts of what was written up to commit"), "{text}");
    let dir = damaged(|trees| {
        rename(trees);
        trees.seal();
    });
    drop(open(&dir));
}

#[test]
fn a_start_is_rejected_with_what_is_wrong_and_what_to_do() {
    let dir = damaged(|trees| {
        edit::<Bounty>(trees, BountyId::new(1), |record| {
            record["applications_count"] = 3.into()
        });
        trees.take(tables::SENT, &(HumanId::new(2), ApplicationId::new(2)).bytes());
    });
    let expected = format!(
        "the data directory {} is inconsistent: application 2 is missing from the index `sent`; bounty 1 \
         states 3 as `applications_count`, but `count Application` is 2. Nothing was changed; move it away and restore \
         a backup in its place",
        dir.path().display()
    );
    assert_eq!(rejected(&dir), expected);
    assert_eq!(rejected(&dir), expected, "it is not mended in silence");
}

#[test]
fn data_of_another_contract_is_distinguished_from_damage_and_left_unchanged() {
    let pause = |trees: &Raw| {
        edit::<Bounty>(trees, BountyId::new(1), |record| record["status"] = "paused".into());
        edit::<Account>(trees, AccountId::new(2), |record| record["plan"] = 7.into());
    };
    let dir = damaged(|trees| {
        pause(trees);
        trees.seal();
    });
    let expected = format!(
        "the data directory {} was written under another contract: account 2 does not fit the contract (`plan`: invalid \
         type: integer `7`, expected one of free, verified); bounty 1 does not fit the contract (`status`: unknown variant \
         `paused`, expected one of `open`, `in_progress`, `completed`, `cancelled`). Nothing was changed; start the \
         version that wrote it, or correct api.yaml: keep enum values that are stored, and make new fields optional or \
         give them a default",
        dir.path().display()
    );
    assert_eq!(rejected(&dir), expected);
    assert_eq!(rejected(&dir), expected, "it is not mended in silence");
    let text = rejected(&damaged(pause));
    assert!(text.contains("is inconsistent: account 2 does not fit"), "{text}");
}

/// As with other enums: without the name, a webhook for one event would get all of them.
#[tokio::test]
async fn a_webhook_for_an_event_that_the_contract_lacks_rejects_the_start_and_says_what_to_do() {
    let place = TestStore::new();
    let webhook = place.new_webhook(place.account("a").await).await;
    place.store().close().await.expect("the store closes");
    {
        let trees = Raw::open(place.dir.path(), &SCHEMA);
        edit::<Webhook>(&trees, webhook, |record| record["events"] = json!(["bounty.renamed"]));
        trees.seal();
    }
    let text = rejected(&place.dir);
    for part in [
        "was written under another contract: webhook 1 does not fit the contract (`events[0]`: unknown variant \
         `bounty.renamed`, expected one of `application.created`",
        "keep enum values that are stored",
    ] {
        assert!(text.contains(part), "{part} is missing: {text}");
    }
}

#[test]
fn of_many_findings_the_first_ten_are_listed_and_the_others_counted() {
    let many = |trees: &Raw| {
        for bounty in 11..=23 {
            trees.put(tables::OPEN_BOUNTIES, &i64::to_be_bytes(bounty), b"");
        }
    };
    let text = rejected(&damaged(many));
    let is_named = |bounty: i64| text.contains(&format!("bounty {bounty} is in the index"));
    assert!((11..=20).all(is_named) && !(21..=23).any(is_named), "{text}");
    assert!(text.contains("; and 3 more (see the log). Nothing was"), "{text}");
}

#[test]
fn at_most_a_thousand_findings_are_kept() {
    let all = |trees: &Raw| {
        for bounty in 11..=1_510 {
            trees.put(tables::OPEN_BOUNTIES, &i64::to_be_bytes(bounty), b"");
        }
    };
    let raw = Raw::open(damaged(all).path(), &SCHEMA);
    let findings = raw.load(|reader| verify(reader, &mut drop));
    let findings = findings.expect("all trees can be read");
    assert_eq!(findings.texts().count(), 1_000);
    assert!(
        findings.to_string().ends_with("; and 1490 more (see the log)"),
        "{findings}"
    );
}

#[tokio::test]
async fn records_from_before_a_field_was_stated_are_in_step() {
    let dir = store().await;
    {
        let trees = Raw::open(dir.path(), &SCHEMA);
        let forget = |record: &mut Value, fields: &[&str]| {
            let members = record.as_object_mut().expect("a record is an object");
            fields
                .iter()
                .for_each(|field| assert!(members.remove(*field).is_some(), "{field}"));
        };
        edit::<Account>(&trees, AccountId::new(1), |record| forget(record, &["suspended"]));
        edit::<Human>(&trees, HumanId::new(2), |record| {
            forget(record, &["photos", "rating"]);
            record["token_digest"] = Value::Null;
        });
        edit::<Bounty>(&trees, BountyId::new(1), |record| {
            forget(record, &["upvotes", "required_skills"]);
            record["location"] = Value::Null;
        });
        trees.seal();
    }
    let place = TestStore::over(open(&dir), dir);
    assert_eq!(place.open_titles().await, ["three", "one"]);
    let bounty = place
        .app
        .find_bounty(BountyId::new(1))
        .await
        .expect("an answer")
        .expect("it is there");
    assert_eq!(
        (bounty.upvotes, &bounty.location, bounty.required_skills.len()),
        (0, &None, 0)
    );
    let human = place
        .app
        .find_human(HumanId::new(2))
        .await
        .expect("an answer")
        .expect("it is there");
    assert_eq!(
        (human.photos.len(), human.rating, &human.token_digest),
        (0, number(0.0), &None)
    );
    let account = place
        .app
        .find_account(AccountId::new(1))
        .await
        .expect("an answer")
        .expect("it is there");
    assert!(!account.suspended);
}
