//! `hitode export`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};
use test_support::people::{Caller, worker};
use test_support::process::directory;

use super::{Call, server};

#[test]
fn all_workers_are_in_a_file_that_nobody_else_can_read() {
    let place = directory();
    let service = server(&place.path().join("data"));
    let operator = Caller::operator_of(&service);
    let mut human = worker();
    human["name"] = json!("=Hana");
    human["skills"] = json!([{ "name": "Cooking", "category": "Home" }, { "name": "洗濯", "category": "Home" }]);
    let id = operator.post("/humans", human).id();
    // More than one page of the list.
    let many: Vec<Value> = (0..150).map(|_| worker()).collect();
    operator.post("/humans/import", json!({ "humans": many })).data();

    let export = |name: &str, kind: &str| {
        let file = place.path().join(name);
        let call = Call::from_line(&format!("export {kind}")).arg(&file.to_string_lossy());
        (call.at(&service).run(), file)
    };
    let (printed, file) = export("people.csv", "workers");
    assert!(printed.well().out.contains("Exported 151 records"));
    assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&file).expect("a text");
    let mut rows = text.lines();
    let head = rows.next().expect("a head");
    assert!(
        head.starts_with("id,external_id,name,") && head.contains(",gender,") && head.contains(",skills,"),
        "{head}"
    );
    let row = rows.next().expect("a row");
    assert!(
        row.starts_with(&format!("{id},,'=Hana,")) && row.contains("Cooking:Home; 洗濯:Home"),
        "{row}"
    );
    assert_eq!(rows.count(), 150);
    let (again, _) = export("people.csv", "workers");
    assert!(again.failed().contains("exists already"));

    let (printed, file) = export("people.jsonl", "workers");
    printed.well();
    let lines = fs::read_to_string(&file).expect("a text");
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!((lines.len(), &lines[0]["name"]), (151, &json!("=Hana")));
    assert_eq!(lines[0], operator.get(&format!("/humans/{id}")).data());

    let (printed, file) = export("accounts.csv", "accounts");
    assert!(printed.well().out.contains("Exported 0 records"));
    assert_eq!(fs::read_to_string(&file).expect("a text").lines().count(), 1);
}
