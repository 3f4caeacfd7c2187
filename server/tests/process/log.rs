//! The log: one line for any request, as text and as JSON.

use std::collections::BTreeSet;
use std::io::Write;

use serde_json::{Value, json};

use test_support::http::{Answer, call, connect, rest};
use test_support::people::{Caller, People, bounty};
use test_support::process::{Launch, Service};

/// The lines; each is an object.
#[track_caller]
fn objects(log: &str) -> Vec<Value> {
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let objects: Vec<Value> = log.lines().map(parse).collect();
    for (object, line) in objects.iter().zip(log.lines()) {
        for member in ["timestamp", "level", "message", "target"] {
            assert!(object[member].is_string(), "{object}");
        }
        let members = object.as_object().expect("an object");
        assert!(members.values().all(|value| !value.is_object()), "it is flat: {object}");
        // serde_json drops duplicate members; this reader keeps both.
        match serde_json::from_str(line) {
            Ok(contract::support::Value::Object(object)) => assert_eq!(object.len(), members.len(), "{line}"),
            other => panic!("{other:?}"),
        }
    }
    objects
}

/// The log line of the request with this answer, without the values that differ from run to run.
#[track_caller]
fn line_of(answer: &Answer, log: &[Value]) -> Value {
    let id = answer.header("x-request-id").expect("an id");
    let mut lines = log.iter().filter(|line| line["request_id"] == id);
    let (line, further) = (lines.next().expect("a line"), lines.next());
    assert!(further.is_none(), "{line} {further:?}");
    let mut line = line.clone();
    let members = line.as_object_mut().expect("an object");
    let duration_ms = members.remove("duration_ms").and_then(|duration| duration.as_f64());
    assert!(
        duration_ms.is_some_and(|duration| duration < 60_000.0),
        "{duration_ms:?}"
    );
    for differs in ["timestamp", "request_id"] {
        members.remove(differs);
    }
    line
}

/// One request for each kind of caller and each step that a request reaches.
fn requests(service: &Service, people: &People) -> Vec<(Answer, Value)> {
    let get = |path, headers: &[_]| call(service.address, "GET", path, headers, None);
    let unauthenticated = [("X-API-Key", "no-such-key")];
    vec![
        (
            people.agent.post("/bounties", bounty("A title")),
            json!({ "method": "POST", "path": "/api/v1/bounties", "operation": "agent.create_bounty",
                    "caller": "account", "account": people.account, "status": 201 }),
        ),
        (
            people.worker.get("/me"),
            json!({ "method": "GET", "path": "/worker/v1/me", "operation": "worker.get_me",
                    "caller": "human", "human": people.human, "status": 200 }),
        ),
        (
            people.operator.get("/accounts?limit=0"),
            json!({ "method": "GET", "path": "/operator/v1/accounts", "operation": "operator.list_accounts",
                    "caller": "operator_token", "status": 400 }),
        ),
        (
            people.agent.get("/bounties/99/applications"),
            json!({ "method": "GET", "path": "/api/v1/bounties/99/applications", "operation": "agent.list_applications",
                    "caller": "account", "account": people.account, "status": 404 }),
        ),
        (
            get("/api/v1/humans/1", &unauthenticated),
            json!({ "method": "GET", "path": "/api/v1/humans/1", "operation": "agent.get_human", "status": 401 }),
        ),
        (
            get("/api/v1/nothing", &[]),
            json!({ "method": "GET", "path": "/api/v1/nothing", "status": 404 }),
        ),
        (
            get("/nothing", &[]),
            json!({ "method": "GET", "path": "/nothing", "status": 404 }),
        ),
    ]
}

#[test]
fn a_line_of_json_says_which_operation_who_called_and_what_came_of_it() {
    let service = Launch::anywhere().arg("--log-format").arg("json").start();
    let people = People::enter(&service, Caller::operator_of(&service));
    let requests = requests(&service, &people);
    let log = objects(&service.stop().log);
    for (answer, expected) in requests {
        let mut line = line_of(&answer, &log);
        for (name, value) in [
            ("level", "INFO"),
            ("message", "answered"),
            ("target", "request"),
            ("client", "127.0.0.1"),
        ] {
            let found = line.as_object_mut().expect("an object").remove(name);
            assert_eq!(found, Some(json!(value)), "{name}");
        }
        assert_eq!(line, expected);
    }
}

#[test]
fn a_line_of_text_says_the_same() {
    let service = Launch::anywhere().start();
    let people = People::enter(&service, Caller::operator_of(&service));
    let requests = requests(&service, &people);
    let log = service.stop().log;
    for (answer, expected) in requests {
        let id = answer.header("x-request-id").expect("an id");
        let lines: Vec<&str> = log.lines().filter(|line| line.contains(id)).collect();
        let [line] = lines.as_slice() else {
            panic!("one line a request: {lines:?}")
        };
        for (name, value) in expected.as_object().expect("an object") {
            let text = if name == "path" {
                value.to_string()
            } else {
                value.to_string().replace('"', "")
            };
            // The id of a caller follows its kind.
            let name = if ["account", "human"].contains(&name.as_str()) {
                "caller_id"
            } else {
                name
            };
            let field = [" ", "{"].map(|before| format!("{before}{name}={text}"));
            assert!(field.iter().any(|field| line.contains(field)), "{name}={text}: {line}");
        }
        assert!(line.contains(" client=127.0.0.1 "), "{line}");
        assert_eq!(line.contains("operation="), expected["operation"].is_string(), "{line}");
        assert_eq!(line.contains("caller="), expected["caller"].is_string(), "{line}");
    }
}

/// Paths that try to be a line of their own, the end of a text, a member, or a terminal command.
fn hostile_paths() -> Vec<String> {
    let forged = "2026-01-01T00:00:00.000000Z  INFO forged";
    let mut paths: Vec<String> = [
        "\r\n",
        "\n",
        "\r",
        "\u{1b}[2J",
        "\u{9b}2J",
        "\u{202e}",
        "\u{2028}",
        "\0",
        "\t",
        " ",
    ]
    .into_iter()
    .flat_map(|bytes| {
        let encoded: String = bytes.bytes().map(|byte| format!("%{byte:02x}")).collect();
        [
            format!("/x{bytes}{forged}"),
            format!("/x{encoded}{}", forged.replace(' ', "%20")),
        ]
    })
    .collect();
    paths.extend(
        [
            r#"/"}}{"message":"forged"}"#,
            r#"/","level":"ERROR","forged":""#,
            r"/\",
            r"/\u000aforged",
            r#"/\""#,
            "/{}",
            "/{}}:answered",
            "/%zz%",
            "/東京\u{301}",
            "//forged:80/",
        ]
        .map(str::to_owned),
    );
    paths.extend(["/a", "/%0a", "/東京", "/\"", "/\\"].map(|piece| piece.repeat(20_000 / piece.len())));
    paths
}

/// Sends each hostile path as raw bytes; returns the ids of the requests that the server accepted.
fn send_hostile_paths(service: &Service) -> Vec<String> {
    let mut ids = Vec::new();
    let paths = hostile_paths().into_iter().map(|path| ("GET".to_owned(), path));
    let long_method = ("A-".repeat(10_000), "/a".to_owned());
    for (method, path) in paths.chain([long_method]) {
        let mut stream = connect(service.address);
        let request = format!("{method} {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("sent");
        let answer = Answer::parse(&rest(stream));
        // An invalid HTTP request has no id and no log line.
        assert!([400, 404, 431].contains(&answer.status), "{path:?} {answer:?}");
        ids.extend(answer.header("x-request-id").map(str::to_owned));
    }
    assert!(ids.len() >= 20, "only {} were taken", ids.len());
    ids
}

#[test]
fn a_hostile_path_makes_one_line_of_text() {
    let service = Launch::anywhere().variable("HITODE_LOG", "debug").start();
    let ids = send_hostile_paths(&service);
    let log = service.stop().log;
    for id in ids {
        let lines: Vec<&str> = log.lines().filter(|line| line.contains(&id)).collect();
        let [line] = lines.as_slice() else {
            panic!("one line a request: {lines:?}")
        };
        assert!(line.contains(": answered status=404 duration_ms="), "{line}");
    }
    for line in log.lines() {
        assert!(!line.chars().any(char::is_control) && line.len() <= 4096, "{line:?}");
        // This line has the year of the clock, and so has every line that begins with a time.
        assert!(
            !line.starts_with("2026-01-01T00:00:00.000000Z") && line.as_bytes()[10] == b'T',
            "{line}"
        );
    }
}

#[test]
fn a_hostile_path_makes_one_line_of_json() {
    let service = Launch::anywhere()
        .variable("HITODE_LOG", "debug")
        .variable("HITODE_LOG_FORMAT", "json")
        .start();
    let ids = send_hostile_paths(&service);
    let log = service.stop().log;
    assert!(log.lines().all(|line| line.is_ascii() && line.len() <= 4096));
    let log = objects(&log);
    assert!(
        log.iter()
            .all(|line| line["message"] != "forged" && line.get("forged").is_none())
    );
    let paths = hostile_paths();
    for id in ids {
        let lines: Vec<&Value> = log.iter().filter(|line| line["request_id"] == *id).collect();
        let [line] = lines.as_slice() else {
            panic!("one line a request: {lines:?}")
        };
        assert_eq!(
            (&line["message"], &line["status"]),
            (&json!("answered"), &json!(404)),
            "{line}"
        );
        let path = line["path"].as_str().expect("a path");
        let path = path.strip_suffix('…').unwrap_or(path);
        assert!(paths.iter().any(|sent| sent.starts_with(path)), "{path}");
    }
}

#[test]
fn on_a_terminal_a_request_that_succeeded_has_no_line_and_any_other_a_short_one() {
    let service = Launch::anywhere().on_terminal().start();
    let people = People::enter(&service, Caller::operator_of(&service));
    requests(&service, &people);
    let log = service.stop().log;
    let lines: Vec<&str> = log
        .lines()
        .map(str::trim_end)
        .filter(|line| line.ends_with(" ms"))
        .collect();
    // Without the time at the start and the duration at the end.
    let short = |line: &&str| {
        line.split_once("Z ")
            .and_then(|(_, line)| Some(line.split_once(" in ")?.0.to_owned()))
    };
    let short_lines: BTreeSet<String> = lines.iter().filter_map(short).collect();
    let expected = [
        "GET /api/v1/bounties/99/applications: 404",
        "GET /api/v1/humans/1: 401",
        "GET /api/v1/nothing: 404",
        "GET /nothing: 404",
        "GET /operator/v1/accounts: 400",
    ];
    assert_eq!(short_lines, expected.map(str::to_owned).into(), "{log}");
    assert_eq!(lines.len(), expected.len(), "{log}");
}

#[test]
fn a_log_format_that_there_is_not_is_rejected() {
    let ended = Launch::anywhere().variable("HITODE_LOG_FORMAT", "xml").run_to_its_end();
    assert!(
        ended.code != Some(0) && ended.log.contains("short, text, json"),
        "{}",
        ended.log
    );
}
