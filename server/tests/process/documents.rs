//! The contract's documents over HTTP: what is in the heads, and that connections go on behind answers without a body.

use std::io::Write;

use test_support::http::{Answer, call, connect, rest};
use test_support::process::{Launch, Service, directory};

const OPENAPI: &str = "/openapi.json?version=3.0&surface=agent";

#[track_caller]
fn get(service: &Service, headers: &[(&str, &str)]) -> Answer {
    call(service.address, "GET", OPENAPI, headers, None)
}

#[test]
fn a_document_is_had_whole_or_compressed_or_not_again() {
    let data = directory();
    let service = Launch::on(data.path()).start();
    let whole = get(&service, &[]);
    assert_eq!((whole.status, whole.header("content-encoding")), (200, None));
    assert_eq!(whole.json()["openapi"], "3.0.3");
    let packed = get(&service, &[("accept-encoding", "gzip, br")]);
    assert_eq!((packed.status, packed.header("content-encoding")), (200, Some("gzip")));
    assert_ne!(packed.header("etag"), whole.header("etag"));
    for (answer, accepted) in [(&whole, ""), (&packed, "gzip")] {
        let tag = answer.header("etag").expect("a tag");
        let again = get(&service, &[("accept-encoding", accepted), ("if-none-match", tag)]);
        assert_eq!((again.status, again.header("etag")), (304, Some(tag)));
        assert_eq!(again.header("content-length"), None);
    }
}

#[test]
fn what_has_no_body_ends_with_its_head() {
    let data = directory();
    let service = Launch::on(data.path()).start();
    let whole = get(&service, &[]);
    let tag = whole.header("etag").expect("a tag");
    let mut stream = connect(service.address);
    let requests = [
        format!("HEAD {OPENAPI} HTTP/1.1\r\nhost: x\r\n\r\n"),
        format!("GET {OPENAPI} HTTP/1.1\r\nhost: x\r\nif-none-match: {tag}\r\n\r\n"),
        "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".to_owned(),
    ];
    stream.write_all(requests.concat().as_bytes()).expect("sent");
    let answers = String::from_utf8(rest(stream)).expect("text");
    let heads: Vec<&str> = answers.split("\r\n\r\n").collect();
    assert_eq!(heads.len(), 4, "{answers}");
    assert!(heads[0].starts_with("HTTP/1.1 200 "), "{answers}");
    let length = whole.header("content-length").expect("a length");
    assert!(heads[0].contains(&format!("content-length: {length}\r\n")), "{answers}");
    assert!(heads[1].starts_with("HTTP/1.1 304 "), "{answers}");
    assert!(heads[2].starts_with("HTTP/1.1 200 "), "{answers}");
    assert_eq!(heads[3], r#"{"status":"ok"}"#);
}

#[test]
fn what_cannot_be_had_is_told_with_what_can() {
    let data = directory();
    let service = Launch::on(data.path()).start();
    let ask = |method: &str, path: &str| call(service.address, method, path, &[], None);
    let refused = ask("GET", "/openapi.json?version=2.0");
    assert_eq!(refused.status, 400);
    let text = refused.text();
    assert!(text.starts_with("`version` must be one of `3.1`, `3.0`\n"), "{text}");
    assert!(
        text.contains("surface=agent, surface=worker, surface=operator"),
        "{text}"
    );
    let refused = ask("PUT", "/openapi.json");
    assert_eq!((refused.status, refused.header("allow")), (405, Some("GET, HEAD")));
}

#[test]
fn the_entrance_leads_a_browser_to_the_page_and_a_program_to_all_documents() {
    let data = directory();
    let service = Launch::on(data.path()).start();
    let ask = |path: &str, accepted| call(service.address, "GET", path, &[("accept", accepted)], None);
    let browser = ask("/", "text/html,application/xhtml+xml,*/*;q=0.8");
    assert_eq!((browser.status, browser.header("location")), (303, Some("/docs")));
    let program = ask("/", "*/*");
    assert_eq!((program.status, program.header("vary")), (200, Some("Accept")));
    let links = program.json()["links"].as_array().expect("a list").clone();
    let paths: Vec<&str> = links.iter().filter_map(|link| link["href"].as_str()).collect();
    assert_eq!(paths, ["/openapi.json", "/docs", "/llms.txt"]);
    for path in paths {
        assert_eq!(ask(path, "*/*").status, 200, "{path}");
    }
}
