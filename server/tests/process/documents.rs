//! A document over HTTP: the connection stays usable after an answer without a body. (The answers are tested with the
//! code that makes them.)

use std::io::Write;

use test_support::http::{call, connect, rest};
use test_support::process::Launch;

const OPENAPI: &str = "/openapi.json?version=3.0&surface=agent";

#[test]
fn what_has_no_body_ends_with_its_head() {
    let service = Launch::anywhere().start();
    let whole = call(service.address, "GET", OPENAPI, &[], None);
    assert_eq!((whole.status, &whole.json()["openapi"]), (200, &"3.0.3".into()));
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
