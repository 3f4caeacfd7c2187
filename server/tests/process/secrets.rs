//! No credential is written anywhere, for every kind and every place where a client puts it.

use std::fs;
use std::path::Path;

use serde_json::json;

use test_support::http::call;
use test_support::people::{Caller, People, bounty};
use test_support::process::{Launch, directory};

#[test]
fn no_credential_is_in_the_data_directory_or_in_the_log() {
    credentials_are_written_nowhere("text");
}

#[test]
fn no_credential_is_in_a_log_of_json() {
    credentials_are_written_nowhere("json");
}

fn credentials_are_written_nowhere(log_format: &str) {
    let data = directory();
    let service = Launch::on(data.path())
        .variable("HITODE_LOG", "trace")
        .variable("HITODE_LOG_FORMAT", log_format)
        .start();
    let people = People::enter(&service, Caller::operator_of(&service));
    let mut secrets = vec![
        ("operator's token", people.operator.secret.clone()),
        ("account's first key", people.agent.secret.clone()),
        ("worker's token", people.worker.secret.clone()),
    ];
    let reply = people.agent.post("/keys", json!({ "name": "second" })).data();
    secrets.push(("second key", reply["key"].as_str().expect("a key").to_owned()));
    let path = format!("/accounts/{}/keys", people.account);
    let reply = people.operator.post(&path, json!({ "name": "third" })).data();
    secrets.push((
        "operator's key for an account",
        reply["key"].as_str().expect("a key").to_owned(),
    ));
    let reply = people
        .operator
        .post(&format!("/humans/{}/token", people.human), json!({}))
        .data();
    secrets.push((
        "worker's second token",
        reply["token"].as_str().expect("a token").to_owned(),
    ));
    secrets.push(("unknown key", format!("htd_{}", "q".repeat(40))));

    // Each where it belongs, and where a client may put it by mistake.
    for (_, secret) in &secrets {
        let key = ("X-API-Key", secret.as_str());
        call(
            service.address,
            "POST",
            "/api/v1/bounties",
            &[key],
            Some(&bounty("A title")),
        );
        call(service.address, "GET", "/api/v1/bounties", &[key, key], None);
        call(
            service.address,
            "GET",
            &format!("/api/v1/bounties?key={secret}"),
            &[key],
            None,
        );
        call(
            service.address,
            "DELETE",
            &format!("/api/v1/keys/{secret}"),
            &[key],
            None,
        );
        call(service.address, "GET", &format!("/{secret}"), &[], None);
        call(
            service.address,
            "GET",
            "/worker/v1/me",
            &[("X-Worker-Token", secret)],
            None,
        );
        call(
            service.address,
            "GET",
            "/operator/v1/accounts",
            &[("X-Operator-Token", secret)],
            None,
        );
        call(
            service.address,
            "POST",
            "/api/v1/conversations",
            &[key],
            Some(&json!({ "human_id": secret })),
        );
    }
    let metrics = call(service.address, "GET", "/metrics", &[], None).text();
    let printed = service.out.text();
    let log = service.stop().log;

    let left_out = ["/api/v1/keys/…", r"/api/v1/keys/\u2026"].map(|path| log.contains(path));
    assert!(
        log.contains("DELETE") && left_out.contains(&true),
        "the log holds the requests: {log}"
    );
    assert!(
        metrics.contains("delete_key"),
        "the metrics count the requests: {metrics}"
    );
    for (name, secret) in &secrets {
        assert!(!log.contains(secret), "the {name} is in the log");
        assert!(!metrics.contains(secret), "the {name} is in the metrics");
        assert!(!printed.contains(secret), "the {name} is on standard output");
        let holders = holders(data.path(), secret);
        let expected: &[&str] = if name.starts_with("operator's token") {
            &["operator-token"]
        } else {
            &[]
        };
        assert_eq!(holders, expected, "the {name}");
    }
}

/// The files under `directory` that hold `secret`.
fn holders(directory: &Path, secret: &str) -> Vec<String> {
    let mut holders = Vec::new();
    for entry in fs::read_dir(directory)
        .expect("readable")
        .map(|entry| entry.expect("readable").path())
    {
        if entry.is_dir() {
            holders.extend(self::holders(&entry, secret));
        } else {
            let bytes = fs::read(&entry).expect("readable");
            if bytes.windows(secret.len()).any(|window| window == secret.as_bytes()) {
                holders.push(entry.file_name().expect("a name").to_string_lossy().into_owned());
            }
        }
    }
    holders
}

#[test]
fn the_operators_token_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let data = directory();
    let service = Launch::on(data.path()).start();
    let file = data.path().join("operator-token");
    assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o600);
    let first = fs::read(&file).expect("readable");
    service.stop();
    Launch::on(data.path()).start();
    assert_eq!(fs::read(&file).expect("readable"), first);
}
