//! Files of workers, and checks of what the server has of them.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::Call;
use test_support::people::{Caller, worker};
use test_support::process::Service;

/// The line of the worker `n`. Only the names differ.
pub(super) fn line(n: usize) -> String {
    let mut human = worker();
    human["name"] = json!(format!("Worker {n}"));
    format!("{human}\n")
}

/// The lines of the workers 1 to `count`.
pub(super) fn lines(count: usize) -> String {
    (1..=count).map(line).collect()
}

/// The import of a file into a server.
pub(super) fn import(people: &Path, service: &Service) -> Call {
    Call::from_line("import").arg(&people.to_string_lossy()).at(service)
}

/// Each worker's id, by name.
///
/// # Panics
/// When a worker exists twice.
#[track_caller]
pub(super) fn entered(service: &Service) -> BTreeMap<String, i64> {
    let operator = Caller::operator_of(service);
    let account = operator
        .post("/accounts", json!({ "name": "who looks", "plan": "free" }))
        .data();
    let agent = Caller::agent(service, account["key"].as_str().expect("a key"));
    let mut found = BTreeMap::new();
    for offset in (0..).step_by(100) {
        let page: Value = agent.get(&format!("/humans?limit=100&offset={offset}")).data();
        let rows = page.as_array().expect("rows");
        for row in rows {
            let name = row["name"].as_str().expect("a name").to_owned();
            let before = found.insert(name, row["id"].as_i64().expect("an id"));
            assert_eq!(before, None, "entered twice: {row}");
        }
        if rows.len() < 100 {
            break;
        }
    }
    found
}

/// Checks that exactly the workers 1 to `count` exist, once each, in the order of the file.
#[track_caller]
pub(super) fn all_are_there_once(service: &Service, count: usize) {
    let found = entered(service);
    assert_eq!(found.len(), count);
    let ids: Vec<i64> = (1..=count).map(|n| found[&format!("Worker {n}")]).collect();
    assert!(ids.is_sorted(), "not in the order of the file");
}
