//! `hitode worker invite`.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::{Call, server};
use test_support::people::{Caller, worker};
use test_support::process::{Service, directory};

/// Creates workers with these names; returns their ids.
fn create(service: &Service, names: &[&str]) -> Vec<i64> {
    let operator = Caller::operator_of(service);
    let create = |name: &&str| {
        let mut body = worker();
        body["name"] = json!(name);
        operator.post("/humans", body).data()["id"].as_i64().expect("an id")
    };
    names.iter().map(create).collect()
}

#[test]
fn a_link_and_its_picture_are_printed_and_the_code_in_it_works() {
    let data = directory();
    let service = server(data.path());
    let [id] = create(&service, &["佐藤 純子"])[..] else {
        panic!("one worker")
    };
    let line = format!("worker invite {id} --site https://work.example.com/hitode/");
    let printed = Call::from_line(&line).at(&service).run().well().out;
    let (first, rest) = printed.split_once('\n').expect("lines");
    assert!(first.contains("佐藤 純子") && first.contains("once"), "{first}");
    let link = rest.lines().next().expect("a link");
    let code = link.strip_prefix("https://work.example.com/hitode/jobs/#");
    let code = code.unwrap_or_else(|| panic!("{link}"));
    // A QR code of this length has at least 29 rows, two on a line.
    let picture = rest.lines().filter(|line| line.contains(['█', '▀', '▄']));
    assert!(picture.count() >= 14, "{printed}");

    let digest = contract::support::Digest::from_secret("htw_mine").to_hex();
    let body = json!({ "code": code, "token_digest": digest });
    let answer = test_support::http::call(service.address, "POST", "/join/v1/session", &[], Some(&body));
    assert_eq!(answer.status, 201, "{body}");
}

#[test]
fn all_who_have_no_token_are_invited_into_a_file_that_nobody_else_can_read() {
    let data = directory();
    let service = server(data.path());
    let ids = create(&service, &["=cmd()", "B", "C, \"D\"", "E"]);
    let operator = Caller::operator_of(&service);
    operator.post(&format!("/humans/{}/token", ids[1]), json!({})).data();
    operator.patch(&format!("/humans/{}", ids[3]), json!({ "suspended": true }));

    let place = directory();
    let path = place.path().join("links.csv");
    let call = || {
        Call::from_line("worker invite --all --out")
            .arg(&path.to_string_lossy())
            .at(&service)
    };
    let said = call().run();
    assert_eq!(said.code, Some(0));
    assert!(said.err.contains("--site"), "{said:?}");
    let said = said.out;
    assert!(said.contains("2 links") && said.contains("24 hours"), "{said}");
    let mode = std::fs::metadata(&path).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = std::fs::read_to_string(&path).expect("a text");
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!((rows[0], rows.len()), ("id,name,url,ends_at", 3), "{text}");
    let link = format!("{},'=cmd(),http://{}/jobs/#{}-", ids[0], service.address, ids[0]);
    assert!(rows[1].starts_with(&link), "{text}");
    assert!(rows[2].starts_with(&format!("{},\"C, \"\"D\"\"\",", ids[2])), "{text}");

    // What is there is never overwritten, and no former code ends for nothing.
    let failed = call().run().failed();
    assert!(
        failed.contains("exists already") && failed.contains("nobody was invited"),
        "{failed}"
    );
    assert_eq!(std::fs::read_to_string(&path).expect("a text"), text);

    let listed = Call::from_line("worker invite --json")
        .arg(&ids[0].to_string())
        .arg(&ids[2].to_string());
    let listed = listed.at(&service).run().well().json();
    let of: Vec<&Value> = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| &row["id"])
        .collect();
    assert_eq!(of, [&json!(ids[0]), &json!(ids[2])]);
}

#[test]
fn whom_nobody_knows_is_an_error_and_nobody_to_invite_is_none() {
    let data = directory();
    let service = server(data.path());
    let failed = Call::from_line("worker invite 9").at(&service).run().failed();
    assert!(failed.contains("human 9 not found"), "{failed}");
    let none = Call::from_line("worker invite --all").at(&service).run();
    assert_eq!((none.code, none.out.as_str()), (Some(0), ""));
    assert!(none.err.contains("Nobody was invited"), "{none:?}");
    let neither = Call::from_line("worker invite").at(&service).run();
    assert_eq!(neither.code, Some(2), "{neither:?}");
}
