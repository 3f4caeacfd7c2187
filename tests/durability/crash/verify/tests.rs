//! Shows that the verifier can fail: the data that a real server shows is falsified in one place after the other.

use std::sync::Mutex;

use serde_json::{Value, json};

use super::{Verdict, verify};
use crate::crash::chance;
use crate::crash::gather::{AgentSees, Scope, Shown, gather};
use crate::crash::ledger::{Act, Ledger, Outcome};
use crate::crash::writers::{End, write};
use test_support::process::Launch;

/// A ledger, and the data of a server that kept all of it.
fn truth() -> (Ledger, Shown) {
    let service = Launch::anywhere().arg("--rate-limits").arg("off").start();
    let ledger = Mutex::new(Ledger::default());
    write(&service, &ledger, chance(5 << 20), 16, 250, End::Answered);
    let ledger = ledger.into_inner().expect("a lock");
    let shown = gather(&service, &ledger, &Scope::all(&ledger));
    (ledger, shown)
}

fn judge(ledger: &Ledger, shown: &Shown) -> Verdict {
    verify(ledger, shown, &Scope::all(ledger))
}

type Untruth = fn(&mut Shown);

const UNTRUTHS: &[(&str, Untruth)] = &[
    ("active keys", |shown| first_account(shown)["active_keys"] = json!(4)),
    ("is shown, but not as it was asked for", |shown| {
        first_account(shown)["plan"] = json!("free")
    }),
    ("applications", |shown| {
        let applied = |sees: &&mut AgentSees| sees.applications.values().any(|rows| !rows.is_empty());
        let sees = shown.agents.values_mut().find(applied).expect("one applied");
        let (bounty, _) = sees
            .applications
            .iter()
            .find(|(_, rows)| !rows.is_empty())
            .expect("one applied");
        sees.bounties.get_mut(bounty).expect("a bounty")["applications_count"] = json!(0);
    }),
    ("that it is listed is", |shown| drop(shown.open.pop_first())),
    ("in their order", |shown| messages(shown).reverse()),
    ("does not end with its last message", |shown| {
        drop(messages(shown).pop())
    }),
    ("not as it was asked for", |shown| {
        let content = &mut messages(shown)[1]["content"];
        *content = json!(format!("{} ", content.as_str().expect("a text")));
    }),
    ("not as it was asked for", |shown| {
        let sender = &mut messages(shown)[1]["sender_type"];
        *sender = json!(if *sender == "agent" { "human" } else { "agent" });
    }),
    ("which nobody asked for", |shown| {
        shown
            .humans
            .insert(1 << 40, json!({ "id": 1_u64 << 40, "headline": "a stranger" }));
    }),
    ("another id", |shown| {
        let (id, row) = shown.humans.pop_first().expect("a worker");
        shown.humans.insert(id + (1 << 40), row);
    }),
    ("see different things", |shown| {
        let applied = |rows: &&mut _| !std::collections::BTreeMap::is_empty(*rows);
        let mut rows = shown.workers.values_mut().map(|sees| &mut sees.applications);
        let row = rows.find(applied).expect("one applied").first_entry().expect("a row");
        row.into_mut()["bounty_status"] = json!("burnt");
    }),
    ("that it works is", |shown| {
        let key = shown
            .secrets
            .iter_mut()
            .find(|(secret, status)| secret.starts_with("htd_") && **status == 401);
        *key.expect("a key was revoked").1 = 200;
    }),
    ("a fault", |shown| shown.faults.push("a fault".to_owned())),
];

fn first_account(shown: &mut Shown) -> &mut Value {
    shown.accounts.first_entry().expect("an account").into_mut()
}

/// The messages of a conversation with more than two.
fn messages(shown: &mut Shown) -> &mut Vec<Value> {
    let details = shown
        .agents
        .values_mut()
        .flat_map(|sees| sees.conversations.values_mut());
    let mut messages = details.filter_map(|detail| detail["messages"].as_array_mut());
    messages.find(|messages| messages.len() > 2).expect("a conversation")
}

#[test]
fn every_untruth_is_told() {
    let (ledger, truth) = truth();
    let verdict = judge(&ledger, &truth);
    assert!(
        verdict.is_whole() && verdict.acknowledged == ledger.acknowledged(),
        "{verdict}"
    );
    for (said, make) in UNTRUTHS {
        let mut shown = truth.clone();
        make(&mut shown);
        let verdict = judge(&ledger, &shown);
        assert!(
            !verdict.is_whole() && verdict.to_string().contains(said),
            "{said}: {verdict}"
        );
    }
}

#[test]
fn what_was_rejected_may_not_be_there_and_what_was_not_answered_may() {
    let (mut ledger, shown) = truth();
    let made = |act: &Act| matches!(act, Act::Message { .. });
    let number = ledger
        .entries
        .iter()
        .position(|entry| made(&entry.act) && entry.done().is_some());
    let number = number.expect("a message");
    ledger.entries[number].outcome = Outcome::Rejected;
    assert!(
        judge(&ledger, &shown)
            .to_string()
            .contains("rejected or had not come about")
    );
    ledger.entries[number].outcome = Outcome::Unknown;
    let verdict = judge(&ledger, &shown);
    assert!(verdict.is_whole(), "{verdict}");
    verdict.settle(&mut ledger);
    assert!(ledger.entries[number].done().is_some());
}
