//! Shows that the verifier can fail: the data that a real server shows is falsified in one place after the other.

use std::sync::Mutex;

use serde_json::{Value, json};

use super::{Verdict, verify};
use crate::crash::chance;
use crate::crash::gather::{AgentSees, Scope, Snapshot, gather};
use crate::crash::ledger::{Act, Ledger, Outcome};
use crate::crash::writers::{End, write};
use test_support::process::Launch;

/// A ledger, and the data of a server that kept all of it.
fn truth() -> (Ledger, Snapshot) {
    let service = Launch::anywhere().arg("--rate-limits").arg("off").start();
    let ledger = Mutex::new(Ledger::default());
    write(&service, &ledger, chance(5 << 20), 16, 250, End::Answered);
    let ledger = ledger.into_inner().expect("a lock");
    let snapshot = gather(&service, &ledger, &Scope::all(&ledger));
    (ledger, snapshot)
}

fn verdict_of(ledger: &Ledger, snapshot: &Snapshot) -> Verdict {
    verify(ledger, snapshot, &Scope::all(ledger))
}

type Untruth = fn(&mut Snapshot);

const UNTRUTHS: &[(&str, Untruth)] = &[
    ("active keys", |snapshot| {
        first_account(snapshot)["active_keys"] = json!(4)
    }),
    ("is shown, but not as it was asked for", |snapshot| {
        first_account(snapshot)["plan"] = json!("free")
    }),
    ("applications", |snapshot| {
        let applied = |sees: &&mut AgentSees| sees.applications.values().any(|rows| !rows.is_empty());
        let sees = snapshot.agents.values_mut().find(applied).expect("one applied");
        let (bounty, _) = sees
            .applications
            .iter()
            .find(|(_, rows)| !rows.is_empty())
            .expect("one applied");
        sees.bounties.get_mut(bounty).expect("a bounty")["applications_count"] = json!(0);
    }),
    ("that it is listed is", |snapshot| drop(snapshot.open.pop_first())),
    ("in their order", |snapshot| messages(snapshot).reverse()),
    ("does not end with its last message", |snapshot| {
        drop(messages(snapshot).pop())
    }),
    ("not as it was asked for", |snapshot| {
        let content = &mut messages(snapshot)[1]["content"];
        *content = json!(format!("{} ", content.as_str().expect("a text")));
    }),
    ("not as it was asked for", |snapshot| {
        let sender = &mut messages(snapshot)[1]["sender_type"];
        *sender = json!(if *sender == "agent" { "human" } else { "agent" });
    }),
    ("which nobody asked for", |snapshot| {
        snapshot
            .humans
            .insert(1 << 40, json!({ "id": 1_u64 << 40, "headline": "a stranger" }));
    }),
    ("another id", |snapshot| {
        let (id, row) = snapshot.humans.pop_first().expect("a worker");
        snapshot.humans.insert(id + (1 << 40), row);
    }),
    ("see different things", |snapshot| {
        let applied = |rows: &&mut _| !std::collections::BTreeMap::is_empty(*rows);
        let mut rows = snapshot.workers.values_mut().map(|sees| &mut sees.applications);
        let row = rows.find(applied).expect("one applied").first_entry().expect("a row");
        row.into_mut()["bounty_status"] = json!("burnt");
    }),
    ("that it works is", |snapshot| {
        let key = snapshot
            .secrets
            .iter_mut()
            .find(|(secret, status)| secret.starts_with("htd_") && **status == 401);
        *key.expect("a key was revoked").1 = 200;
    }),
    ("a fault", |snapshot| snapshot.errors.push("a fault".to_owned())),
];

fn first_account(snapshot: &mut Snapshot) -> &mut Value {
    snapshot.accounts.first_entry().expect("an account").into_mut()
}

/// The messages of a conversation with more than two.
fn messages(snapshot: &mut Snapshot) -> &mut Vec<Value> {
    let details = snapshot
        .agents
        .values_mut()
        .flat_map(|sees| sees.conversations.values_mut());
    let mut messages = details.filter_map(|detail| detail["messages"].as_array_mut());
    messages.find(|messages| messages.len() > 2).expect("a conversation")
}

#[test]
fn every_falsification_is_detected() {
    let (ledger, truth) = truth();
    let verdict = verdict_of(&ledger, &truth);
    assert!(
        verdict.is_whole() && verdict.acknowledged == ledger.acknowledged(),
        "{verdict}"
    );
    for (message, make) in UNTRUTHS {
        let mut snapshot = truth.clone();
        make(&mut snapshot);
        let verdict = verdict_of(&ledger, &snapshot);
        assert!(
            !verdict.is_whole() && verdict.to_string().contains(message),
            "{message}: {verdict}"
        );
    }
}

#[test]
fn what_was_rejected_may_not_be_there_and_what_was_not_answered_may() {
    let (mut ledger, snapshot) = truth();
    let is_message = |act: &Act| matches!(act, Act::Message { .. });
    let number = ledger
        .entries
        .iter()
        .position(|entry| is_message(&entry.act) && entry.done().is_some());
    let number = number.expect("a message");
    ledger.entries[number].outcome = Outcome::Rejected;
    assert!(
        verdict_of(&ledger, &snapshot)
            .to_string()
            .contains("rejected or had not come about")
    );
    ledger.entries[number].outcome = Outcome::Unknown;
    let verdict = verdict_of(&ledger, &snapshot);
    assert!(verdict.is_whole(), "{verdict}");
    verdict.settle(&mut ledger);
    assert!(ledger.entries[number].done().is_some());
}
