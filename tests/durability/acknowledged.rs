//! An acknowledgement is sent only after the write is on the disk. strace shows the order, because a killed process
//! proves nothing: what the kernel holds survives it.

use std::path::Path;

use serde_json::{Value, json};

use crate::trace::{self, Call};
use test_support::http::Answer;
use test_support::people::{Caller, bounty, worker};
use test_support::process::{Launch, directory};

/// The file of the whole store.
const STORE: &str = "db";

/// The sent requests in order: each with a text that its write must sync to the disk, or `None` for a read.
type Sent = Vec<Option<&'static str>>;

#[test]
fn an_acknowledged_write_is_on_the_disk() {
    let (sent, calls) = trace_of_writes(|launch| launch);
    let writes = sent.iter().flatten().count();
    assert_eq!(late(&sent, &calls), Vec::<String>::new(), "of {writes} writes");
    assert!(writes >= 12);
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "no release build can be told to leave out the sync")]
fn a_missing_sync_is_detected() {
    let (sent, calls) = trace_of_writes(|launch| launch.variable("HITODE_TEST_UNSYNCED", "1"));
    assert_eq!(late(&sent, &calls).len(), sent.iter().flatten().count());
}

/// Makes every kind of write under strace.
fn trace_of_writes(with: impl Fn(Launch) -> Launch) -> (Sent, Vec<Call>) {
    let data = directory();
    let trace = directory();
    let file = trace.path().join("trace");
    let sent = write_everything(&with, data.path(), &file);
    (sent, trace::read(&file))
}

fn write_everything(with: &impl Fn(Launch) -> Launch, data: &Path, trace: &Path) -> Sent {
    let service = with(Launch::on(data).traced_into(trace)).start();
    let mut sent = Sent::new();
    let mut wrote = |answer: Answer, text: &'static str| -> Value {
        sent.push(Some(text));
        assert!(answer.status < 300, "{text}: {answer:?}");
        answer.json()["data"].take()
    };
    let operator = Caller::operator_of(&service);
    let account = wrote(
        operator.post("/accounts", json!({ "name": "mark-account", "plan": "verified" })),
        "mark-account",
    );
    let agent = Caller::agent(&service, account["key"].as_str().expect("a key"));
    let mut person = worker();
    person["headline"] = json!("mark-human");
    let human = &wrote(operator.post("/humans", person), "mark-human")["id"];
    let token = wrote(operator.post(&format!("/humans/{human}/token"), json!({})), "");
    let worker = Caller::worker(&service, token["token"].as_str().expect("a token"));
    let posted = &wrote(agent.post("/bounties", bounty("mark-bounty")), "mark-bounty")["id"];
    let path = format!("/bounties/{posted}/applications");
    let applied = &wrote(
        worker.post(&path, json!({ "message": "mark-application" })),
        "mark-application",
    )["id"];
    wrote(
        agent.patch(&format!("{path}/{applied}"), json!({ "status": "accepted" })),
        "",
    );
    let begin = json!({ "human_id": human, "message": "mark-conversation" });
    let conversation = &wrote(agent.post("/conversations", begin), "mark-conversation")["id"];
    let path = format!("/conversations/{conversation}/messages");
    wrote(agent.post(&path, json!({ "content": "mark-message" })), "mark-message");
    wrote(worker.post(&path, json!({ "content": "mark-answer" })), "mark-answer");
    let key = &wrote(agent.post("/keys", json!({ "name": "mark-key" })), "mark-key")["id"];
    wrote(agent.delete(&format!("/keys/{key}")), "");
    wrote(
        worker.patch("/me", json!({ "headline": "mark-headline" })),
        "mark-headline",
    );
    wrote(
        agent.patch(&format!("/bounties/{posted}"), json!({ "status": "completed" })),
        "",
    );
    wrote(
        operator.patch(&format!("/accounts/{}", account["id"]), json!({ "name": "mark-name" })),
        "mark-name",
    );
    assert_eq!(agent.get("/bounties").status, 200);
    sent.push(None);
    assert_eq!(service.stop().code, Some(0));
    sent
}

/// The writes whose answer was sent before their bytes were synced.
///
/// The requests follow one another, so everything written to the store between two answers belongs to the second one.
fn late(sent: &Sent, calls: &[Call]) -> Vec<String> {
    let answers: Vec<&Call> = calls.iter().filter(|call| call.is_answer()).collect();
    assert_eq!(answers.len(), sent.len(), "an answer for each request");
    let mut late = Vec::new();
    for (place, text) in sent.iter().enumerate() {
        let Some(text) = text else { continue };
        let before = if place == 0 { 0 } else { answers[place - 1].begun };
        let left = answers[place].begun;
        let here = calls
            .iter()
            .filter(|call| call.begun > before && call.begun < left && call.is_on(STORE));
        let writes: Vec<&Call> = here.clone().filter(|call| call.is_write()).collect();
        let last = writes.iter().map(|call| call.ended).max();
        let brought = writes.iter().any(|call| call.args.contains(text));
        let synced = last.is_some_and(|last| {
            here.clone()
                .any(|call| call.is_sync() && call.begun > last && call.ended < left)
        });
        if !(brought && synced) {
            late.push(format!(
                "request {place} ({text:?}): {} writes, brought {brought}, synced {synced}",
                writes.len()
            ));
        }
    }
    late
}
