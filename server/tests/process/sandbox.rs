//! The sandbox: simulated workers apply, answer and report, also after a restart; and live accounts and workers do not
//! exist for it, nor it for them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use test_support::people::{Caller, People, bounty};
use test_support::process::{Launch, Service, directory};

/// An account in the sandbox: its id, and its key.
struct Account {
    id: i64,
    key: String,
}

fn account(service: &Service) -> Account {
    let body = json!({ "name": "Tester", "plan": "verified", "sandbox": true });
    let created = Caller::operator_of(service).post("/accounts", body).data();
    let key = created["key"].as_str().expect("a key").to_owned();
    assert!(key.starts_with("htd_test_"), "{key}");
    Account {
        id: created["id"].as_i64().expect("an id"),
        key,
    }
}

/// Moves the clock of the account by a day, as `hitode sandbox advance` does.
fn advance(service: &Service, account: &Account) {
    let path = format!("/accounts/{}/clock", account.id);
    let moved = Caller::operator_of(service).post(&path, json!({ "seconds": 86_400 }));
    assert_eq!(moved.status, 200, "{}", moved.text());
}

fn post(agent: &Caller, category: &str) -> i64 {
    let mut body = bounty("A task");
    body["category"] = category.into();
    agent.post("/bounties", body).id()
}

/// The rows of a list, once there are so many.
#[track_caller]
fn rows(caller: &Caller, path: &str, number: usize) -> Vec<Value> {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let rows = caller.get(path).data().as_array().expect("rows").clone();
        if rows.len() >= number || Instant::now() > until {
            assert_eq!(rows.len(), number, "{path}: {rows:?}");
            return rows;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn applications(agent: &Caller, bounty: i64, number: usize) -> Vec<Value> {
    rows(agent, &format!("/bounties/{bounty}/applications"), number)
}

/// Accepts the first of three applicants, and starts a conversation.
fn accept_and_write(agent: &Caller, service: &Service, account: &Account, category: &str) -> i64 {
    let bounty = post(agent, category);
    advance(service, account);
    let first = applications(agent, bounty, 3).remove(0);
    let path = format!("/bounties/{bounty}/applications/{}", first["id"]);
    assert_eq!(agent.patch(&path, json!({ "status": "accepted" })).status, 200);
    let message = json!({ "human_id": first["user_id"], "message": "Could you go on Saturday?" });
    let conversation = agent.post("/conversations", message).id();
    advance(service, account);
    conversation
}

fn texts(rows: &[Value]) -> Vec<&str> {
    rows.iter().filter_map(|row| row["content"].as_str()).collect()
}

#[test]
fn three_apply_and_an_accepted_one_answers_and_reports() {
    let data = directory();
    let service = Launch::on(data.path()).start();
    let account = account(&service);
    let agent = Caller::agent(&service, &account.key);
    assert_eq!(agent.get("/account").header("hitode-sandbox"), Some("true"));
    let workers = agent.get("/humans?limit=100").json();
    let names = workers["data"].as_array().expect("rows").iter();
    assert!(
        names.clone().count() >= 80
            && names
                .clone()
                .all(|row| row["name"].to_string().ends_with(" (simulated)\""))
    );

    // Without an advanced clock: within three seconds.
    let bounty = post(&agent, "errand");
    assert_eq!(agent.get(&format!("/bounties/{bounty}/applications")).data(), json!([]));
    applications(&agent, bounty, 3);

    let conversation = accept_and_write(&agent, &service, &account, "errand");
    let messages = rows(&agent, &format!("/conversations/{conversation}/messages"), 4);
    // A message can be read a moment before its event.
    rows(&agent, "/events?types=application.created", 6);
    rows(&agent, "/events?types=message.created", 3);
    let texts = texts(&messages);
    assert!(
        texts
            .iter()
            .any(|text| text.starts_with("“Could you go on Saturday?” ")),
        "{texts:?}"
    );
    assert!(
        texts.iter().any(|text| text.starts_with("I am on my way.")),
        "{texts:?}"
    );
    let done = texts.iter().find(|text| text.starts_with("It is done."));
    let done = done.unwrap_or_else(|| panic!("{texts:?}"));
    // A photo comes with it.
    let photo = done.lines().last().unwrap_or_default();
    assert!(photo.starts_with("files/"), "{done}");
    let photo = agent.get(&format!("/{photo}"));
    assert_eq!(photo.header("content-type"), Some("image/png"));

    // It delivers the work, with a photo as well.
    let of = &rows(&agent, "/events?types=work.delivered", 1)[0]["data"];
    let of = format!(
        "/bounties/{}/applications/{}/deliveries",
        of["bounty_id"], of["application_id"]
    );
    let delivery = rows(&agent, &of, 1).remove(0);
    let text = delivery["message"].as_str().expect("a text");
    let (says, photo) = text.rsplit_once("\n\n").expect("a file");
    assert!(says.starts_with("It is done."), "{text}");
    assert_eq!(
        agent.get(&format!("/{photo}")).header("content-type"),
        Some("image/png")
    );
}

#[test]
fn words_in_the_category_choose_what_happens() {
    let data = directory();
    let service = Launch::on(data.path()).arg("--rate-limits").arg("off").start();
    let account = account(&service);
    let agent = Caller::agent(&service, &account.key);
    let (nobody, slow, many) = (
        post(&agent, "sim-nobody"),
        post(&agent, "sim-slow"),
        post(&agent, "sim-many"),
    );
    let first = applications(&agent, many, 60);
    let people: std::collections::HashSet<i64> = first.iter().filter_map(|one| one["user_id"].as_i64()).collect();
    assert_eq!(people.len(), 60);
    assert_eq!(agent.get(&format!("/bounties/{slow}/applications")).data(), json!([]));
    advance(&service, &account);
    applications(&agent, slow, 3);
    applications(&agent, nobody, 0);

    let withdrawn = post(&agent, "sim-withdraws");
    advance(&service, &account);
    rows(&agent, "/events?types=application.withdrawn&limit=100", 1);
    applications(&agent, withdrawn, 2);

    let declined = accept_and_write(&agent, &service, &account, "sim-declines");
    let messages = rows(&agent, &format!("/conversations/{declined}/messages"), 3);
    assert!(
        texts(&messages).iter().any(|text| text.starts_with("I am sorry")),
        "{messages:?}"
    );

    let silent = accept_and_write(&agent, &service, &account, "sim-silent");
    let after = accept_and_write(&agent, &service, &account, "errand");
    rows(&agent, &format!("/conversations/{after}/messages"), 4);
    rows(&agent, &format!("/conversations/{silent}/messages"), 1);
}

#[test]
fn what_was_to_happen_happens_after_a_restart() {
    let data = directory();
    let service = Launch::on(data.path()).start();
    let account = account(&service);
    let agent = Caller::agent(&service, &account.key);
    let bounties: Vec<i64> = (0..5).map(|_| post(&agent, "sim-slow")).collect();
    drop(service);
    let service = Launch::on(data.path()).start();
    let agent = agent.at(&service);
    advance(&service, &account);
    for bounty in bounties {
        applications(&agent, bounty, 3);
    }
}

#[test]
fn the_sandbox_and_what_is_live_do_not_exist_for_each_other() {
    let data = directory();
    let service = Launch::on(data.path()).arg("--rate-limits").arg("off").start();
    let live = People::enter(&service, Caller::operator_of(&service));
    let live_human = live.human;
    let live_bounty = live.agent.post("/bounties", bounty("Live")).id();
    let account = account(&service);
    let agent = Caller::agent(&service, &account.key);
    let simulated = agent.get("/humans?limit=1").data()[0]["id"].as_i64().expect("an id");
    let bounty = post(&agent, "errand");
    let application = applications(&agent, bounty, 3)[0]["id"].clone();
    let write = |human| json!({ "human_id": human, "message": "Hello" });
    let conversation = agent.post("/conversations", write(simulated)).id();

    for (caller, human, other) in [(&live.agent, simulated, bounty), (&agent, live_human, live_bounty)] {
        for path in [
            format!("/humans/{human}"),
            format!("/bounties/{other}"),
            format!("/bounties/{other}/applications"),
        ] {
            assert_eq!(caller.get(&path).status, 404, "{path}");
        }
        assert_eq!(caller.post("/conversations", write(human)).status, 404);
        let closed = caller.patch(&format!("/bounties/{other}"), json!({ "status": "cancelled" }));
        assert_eq!(closed.status, 404);
        let path = format!("/bounties/{other}/applications/{application}");
        assert_eq!(caller.patch(&path, json!({ "status": "accepted" })).status, 404);
        for (list, id) in [("/humans", human), ("/bounties", other)] {
            let rows = caller.get(&format!("{list}?limit=100")).data();
            let ids: Vec<_> = rows
                .as_array()
                .expect("rows")
                .iter()
                .map(|row| row["id"].clone())
                .collect();
            assert!(!ids.is_empty() && !ids.contains(&json!(id)), "{list}: {ids:?}");
        }
    }
    let path = format!("/conversations/{conversation}");
    assert_eq!(live.agent.get(&path).status, 404);
    assert_eq!(
        live.agent
            .post(&format!("{path}/messages"), json!({ "content": "Hi" }))
            .status,
        404
    );
    assert_eq!(live.worker.get(&format!("/bounties/{bounty}")).status, 404);
    let apply = format!("/bounties/{bounty}/applications");
    assert_eq!(live.worker.post(&apply, json!({ "message": "Me" })).status, 404);
    assert!(!live.worker.get("/bounties?limit=100").text().contains("A task"));
    assert_eq!(live.agent.get("/account").header("hitode-sandbox"), None);
    let clock = format!("/accounts/{}/clock", 1);
    let operator = Caller::operator_of(&service);
    assert_eq!(
        operator.post(&clock, json!({ "seconds": 1 })).status,
        400,
        "a live account"
    );
}
