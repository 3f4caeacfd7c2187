//! `codegen conform`, against mocks.

use super::mock::{LIBRARY, Running};
use super::{run, text};
use std::fs;
use std::path::Path;

const ERRANDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/errands.yaml");

/// The exit status and the text of a run against this server.
fn conform(url: &str, more: &[&str]) -> (i32, String) {
    conform_to(LIBRARY, url, more)
}

fn conform_to(contract: &str, url: &str, more: &[&str]) -> (i32, String) {
    let common = ["conform", contract, "--url", url, "--rate-limits", "off"];
    let calls: &[&str] = if more.contains(&"--calls") {
        &[]
    } else {
        &["--calls", "300"]
    };
    let output = run(&[&common[..], calls, more].concat());
    let text = text(&output.stdout) + &text(&output.stderr);
    (output.status.code().expect("it exits"), text)
}

fn mock_of(contract: &str) -> Running {
    Running::start_of(contract, &["--credential", "badge=b1", "--rate-limits", "off"])
}

#[test]
fn a_server_of_the_contract_conforms() {
    let mock = mock_of(LIBRARY);
    // From 2,000 calls on, every outcome must be met.
    let (status, text) = conform(&mock.url(), &["--credential", "badge=b1", "--calls", "2000"]);
    assert_eq!(status, 0, "{text}");
    assert!(
        text.contains(" 0 failed") && text.contains(" 70 of 70 outcomes"),
        "{text}"
    );
    mock.signal();
}

#[test]
fn a_record_that_is_read_by_its_id_can_be_deleted() {
    let mock = Running::start_of(ERRANDS, &["--credential", "root_key=r1", "--rate-limits", "off"]);
    let (status, text) = conform_to(ERRANDS, &mock.url(), &["--credential", "root_key=r1"]);
    assert_eq!(status, 0, "{text}");
    mock.signal();
}

/// Of a contract in `shapes`; `tests/verifier.rs` tries all of them in one process.
#[test]
fn a_server_with_two_credentials_conforms() {
    let contract = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shapes/two_credentials.yaml");
    let mock = Running::start_of(contract, &["--rate-limits", "off"]);
    let credentials = mock.credentials();
    let credentials: Vec<&str> = credentials.iter().map(String::as_str).collect();
    let (status, text) = conform_to(contract, &mock.url(), &credentials);
    mock.signal();
    assert_eq!(status, 0, "{text}");
}

/// The places come from elsewhere: only another contract of the server has an operation that makes one.
#[test]
fn records_that_no_operation_makes_are_those_that_a_list_shows() {
    const OFFICE: &str = "
  office:
    base: /office
    credential: key
    limits: []
    endpoints:
      create_place:
        POST: /places
        body: { resource: Place, required: [name, tags, stars] }
        makes: Place
        success: { data: { id: Place.id } }
";
    let shape = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shapes/records_from_elsewhere.yaml");
    let contract = fs::read_to_string(shape).expect("the shape") + OFFICE;
    let folder = tempfile::tempdir().expect("a folder");
    let served = folder.path().join("served.yaml");
    let check = |contract: &str, places: usize| {
        fs::write(&served, contract).expect("a file");
        let path = served.to_string_lossy();
        let mock = Running::start_of(&path, &["--credential", "key=k1", "--rate-limits", "off"]);
        for nth in 0..places {
            let head = "POST /office/places HTTP/1.1\r\nHost: places\r\nX-Key: k1\r\nContent-Type: application/json";
            let body = format!("{{\"name\":\"Place {nth}\",\"tags\":[\"Tag {nth}\"],\"stars\":{nth}}}");
            assert!(mock.call(head, &body).0.contains(" 200 "));
        }
        let found = conform_to(shape, &mock.url(), &["--credential", "key=k1", "--calls", "2000"]);
        mock.signal();
        found
    };
    let (status, text) = check(&contract, 0);
    assert_eq!(status, 0, "{text}");
    assert!(
        text.contains("no operation makes a Place, and no list of the server shows one"),
        "{text}"
    );
    let (status, text) = check(&contract, 3);
    assert_eq!(status, 0, "{text}");
    assert!(!text.contains("no operation makes a Place"), "{text}");
    // A server that filters them otherwise.
    let (status, text) = check(&contract.replace("least <= stars", "least >= stars"), 3);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("agent::list_places"), "{text}");
}

/// What its record has is not known: the calls of another run have changed it.
#[test]
fn a_caller_whom_no_operation_makes_may_have_anything() {
    let contract = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shapes/caller_from_elsewhere.yaml");
    let mock = Running::start_of(contract, &["--credential", "key=k1", "--rate-limits", "off"]);
    for seed in ["1", "2"] {
        let more = ["--credential", "key=k1", "--calls", "50", "--seed", seed];
        let (status, text) = conform_to(contract, &mock.url(), &more);
        assert_eq!(status, 0, "{text}");
    }
    mock.signal();
}

#[test]
fn most_failures_leave_histories_out() {
    let mock = mock_of(LIBRARY);
    let (status, text) = conform_to(ERRANDS, &mock.url(), &["--credential", "root_key=r1"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("Random histories: left out"), "{text}");
    mock.signal();
}

#[test]
fn differences_are_grouped_reported_and_may_be_expected() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let scenarios = "
right: { steps: [{ as: somebody, call: reader::list_books }] }
wrong: { steps: [{ as: somebody, call: reader::list_books, status: 201 }] }
";
    fs::write(file("scenarios.yaml"), scenarios).expect("a file");
    let badge = "badge=badge_of_this_test";
    let mock = Running::start_of(LIBRARY, &["--credential", badge, "--rate-limits", "off"]);
    let (junit, json, html) = (file("junit.xml"), file("report.json"), file("report.html"));
    let reports = ["--report-junit", &junit, "--report-json", &json, "--report-html", &html];
    let scenarios = file("scenarios.yaml");
    let one = ["--credential", badge, "--scenarios-only", "--scenarios", &scenarios];
    let arguments = [&one[..], &reports[..]].concat();
    let (status, text) = conform(&mock.url(), &arguments);
    assert_eq!(status, 1, "{text}");
    assert!(
        text.contains("1. ") && text.contains("curl -i ") && text.contains("api.yaml:"),
        "{text}"
    );
    assert!(text.contains(" failed for "), "{text}");
    let read = |path: &str| fs::read_to_string(path).expect("a report");
    assert!(read(&junit).contains("<failure "));
    // A call on the terminal can be repeated; a report for others has no credentials.
    let shown = text.split("-H 'X-Card: ").nth(1);
    let credential = shown
        .and_then(|rest| rest.split('\'').next())
        .expect("a call of a reader");
    assert!(!read(&junit).contains(credential), "{}", read(&junit));
    assert!(read(&html).contains("<details open>"));
    let report: serde_json::Value = serde_json::from_str(&read(&json)).expect("JSON");
    let trials = report["trials"].as_array().expect("a list");
    let failed: Vec<&str> = trials
        .iter()
        .filter(|trial| trial["verdict"] == "failed")
        .filter_map(|trial| trial["name"].as_str())
        .collect();
    assert!(!failed.is_empty());

    let expected = file("expected.txt");
    let expect = |names: &str| {
        fs::write(&expected, names).expect("a file");
        conform(&mock.url(), &[&one[..], &["--expected-failures", &expected]].concat())
    };
    let (status, text) = expect(&format!("# known\n{}\n", failed.join("\n")));
    assert_eq!(status, 0, "{text}");
    let passing = trials
        .iter()
        .find(|trial| trial["verdict"] == "passed")
        .expect("one passes");
    let passing = passing["name"].as_str().expect("a name");
    let (status, text) = expect(&format!("{}\n{passing}\nno::such_test\n", failed.join("\n")));
    assert_eq!(status, 1, "{text}");
    assert!(
        text.contains(&format!("{passing} is expected to fail, but it passes")),
        "{text}"
    );
    assert!(text.contains("there is no test no::such_test"), "{text}");
    mock.signal();
}

#[test]
fn wrong_flags_and_unreachable_servers_are_errors_of_their_own() {
    let nowhere = "http://127.0.0.1:1";
    for (url, more, wanted) in [
        (
            nowhere,
            &["--credential", "badge=b1"][..],
            "error: cannot reach http://127.0.0.1:1",
        ),
        (nowhere, &[], "add --credential badge=…"),
        (nowhere, &["--credential", "badges=b1"], "did you mean `badge`?"),
        (
            "ftp://x",
            &["--credential", "badge=b1"],
            "--url: an address is written http://HOST:PORT",
        ),
        (
            "https://127.0.0.1:1",
            &["--credential", "badge=b1"],
            "cannot reach https://127.0.0.1:1",
        ),
        (
            "http://127.0.0.1:1/v1",
            &["--credential", "badge=b1"],
            "the paths are those of the contract",
        ),
        (
            nowhere,
            &["--credential", "badge=b1", "--expected-failures", "nowhere.txt"],
            "cannot read nowhere.txt",
        ),
    ] {
        let (status, text) = conform(url, more);
        assert_eq!((status, text.contains(wanted)), (2, true), "{text}");
    }
    assert!(!Path::new("nowhere.txt").exists());
}
