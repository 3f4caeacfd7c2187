//! `hitode worker erase`, `hitode restore --erased` and `hitode status`.

use std::path::Path;

use serde_json::json;
use test_support::people::{Caller, worker};
use test_support::process::directory;

use super::backup::{backup, lines, restore};
use super::{Call, server};

/// What only the worker's own texts contain.
const MARK: &str = "Zanzibar";

fn has_mark(file: &Path) -> bool {
    lines(file).iter().any(|line| line.contains(MARK))
}

#[test]
fn an_erased_worker_is_in_no_later_backup_and_an_earlier_one_is_restored_without() {
    let place = directory();
    let [data, early, late, restored] =
        ["data", "early.backup", "late.backup", "restored"].map(|name| place.path().join(name));
    let service = server(&data);
    let operator = Caller::operator_of(&service);
    let mut human = worker();
    human["name"] = json!(format!("Hana of {MARK}"));
    let id = operator.post("/humans", human).id();
    operator.post("/humans", worker()).data();
    service.stop();
    backup(&early, &data).well();
    assert!(has_mark(&early));

    let service = server(&data);
    let erase = |flags: &str| {
        Call::from_line(&format!("worker erase {id} {flags}"))
            .at(&service)
            .run()
    };
    assert!(erase("").failed().contains("--yes"));
    assert!(erase("--yes").well().out.contains("erased"));
    service.stop();
    backup(&late, &data).well();
    assert!(!has_mark(&late));

    let list = data.join("erased.txt");
    let flags = format!("--erased {}", list.display());
    assert!(
        restore(&early, &restored, &flags)
            .well()
            .out
            .contains("Erased 1 worker again.")
    );
    assert_eq!(
        std::fs::read_to_string(restored.join("erased.txt")).expect("a list"),
        std::fs::read_to_string(&list).expect("a list")
    );
    let service = server(&restored);
    let operator = Caller::operator_of(&service);
    let erased = operator.get(&format!("/humans/{id}")).data();
    assert_eq!(
        (&erased["name"], &erased["erased"]),
        (&json!("(deleted)"), &json!(true))
    );
    assert_eq!(operator.get("/humans").data().as_array().map(Vec::len), Some(1));
    service.stop();

    let spoiled = super::file(place.path(), "names.txt", format!("{id}\nHana\n"));
    let refused = restore(
        &early,
        &place.path().join("no"),
        &format!("--erased {}", spoiled.display()),
    );
    assert!(refused.failed().contains("line 2 is no id of a worker"));
    assert!(!place.path().join("no").exists());
}

#[test]
fn the_status_says_what_there_is_and_how_the_server_is() {
    let data = directory();
    let service = server(data.path());
    let operator = Caller::operator_of(&service);
    operator.post("/humans", worker()).data();
    operator.get("/humans/99");
    let status = || Call::from_line("status").at(&service);
    let json = status().arg("--json").run().well().json();
    assert_eq!(
        (&json["totals"]["workers"], &json["days"][0]["workers"]),
        (&json!(1), &json!(1))
    );
    let minutes = json["minutes"].as_array().expect("minutes");
    let sum = |name: &str| minutes.iter().filter_map(|minute| minute[name].as_i64()).sum::<i64>();
    assert_eq!(["succeeded", "refused", "failed"].map(sum), [1, 1, 0]);
    assert!(
        json["disk_free_bytes"].as_i64() > Some(0) && json["p99_microseconds"].as_i64() > Some(0),
        "{json}"
    );
    let text = status().run().well().out;
    for part in [
        "workers 1",
        "WORKERS",
        "2 succeeded, 1 refused, 0 failed",
        "Disk: ",
        "Failing webhooks: 0",
    ] {
        assert!(text.contains(part), "{text}");
    }
}
