//! The contract's documents, served beside its APIs.

use crate::served::bare;
use crate::world::{Depot, Reply};
use codegen::documents::{File, FileKind, files};
use lockers::finder;

/// All expected documents.
fn expected() -> Vec<File> {
    files(&codegen::compile(include_str!("../api.yaml")).expect("a contract"))
}

fn asked(method: &str, target: &str, headers: &[(&str, &str)]) -> Reply {
    let mut request = bare(method, target);
    let headers = headers
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    request.headers.extend(headers);
    Depot::new().call(request)
}

#[test]
fn each_document_is_served_as_it_was_written() {
    for file in expected() {
        let target = file.target();
        let found = asked("GET", &target, &[]);
        assert_eq!(found.response.status, 200, "{target}");
        assert!(found.response.body == *file.bytes, "{target} is another");
        assert_eq!(found.header("content-type"), file.media_type, "{target}");
        assert_eq!(found.header("content-length"), file.bytes.len().to_string(), "{target}");
        let is_open = found.header("access-control-allow-origin") == "*";
        let is_for_programs = [FileKind::Document, FileKind::Text].contains(&file.kind);
        assert_eq!(is_open, is_for_programs, "{target}");
        let policy = match &file.kind {
            FileKind::Page { policy } => policy,
            FileKind::Document | FileKind::Text | FileKind::Part => "",
        };
        assert_eq!(found.header("content-security-policy"), policy, "{target}");
    }
}

#[test]
fn each_document_is_sent_once_and_in_small() {
    for file in expected() {
        let target = file.target();
        let mut tags = Vec::new();
        for coding in ["gzip", "identity"] {
            let found = asked("GET", &target, &[("accept-encoding", coding)]);
            let tag = found.header("etag");
            let again = [("accept-encoding", coding), ("if-none-match", tag)];
            let again = asked("GET", &target, &again);
            assert_eq!((again.response.status, again.response.body.len()), (304, 0), "{target}");
            let vary = match file.kind {
                FileKind::Text => "Accept-Encoding, X-Forwarded-Proto",
                _ => "Accept-Encoding",
            };
            assert_eq!((again.header("etag"), again.header("vary")), (tag, vary), "{target}");
            tags.push((
                tag.to_owned(),
                found.header("content-encoding").to_owned(),
                found.response.body.len(),
            ));
        }
        assert_ne!(tags[0].0, tags[1].0, "{target}");
        assert_eq!([&*tags[0].1, &*tags[1].1], ["gzip", ""], "{target}");
        // A frame of gzip is longer than a line.
        let is_a_line = tags[1].2 < 60;
        assert!(is_a_line || tags[0].2 < tags[1].2, "{target}: {tags:?}");
    }
}

#[test]
fn every_answer_leads_to_the_documents_that_there_are() {
    let of_documents = asked("GET", "/openapi.json", &[]);
    let links = of_documents.header("link");
    for (method, path, status) in [
        ("GET", finder::list_stations::PATH, 200),
        ("PUT", finder::list_stations::PATH, 405),
        ("GET", "/nowhere", 404),
    ] {
        let answer = asked(method, path, &[]);
        assert_eq!(
            (answer.response.status, answer.header("link")),
            (status, links),
            "{method} {path}"
        );
    }
    for link in links.split(", ") {
        let path = link.strip_prefix('<').and_then(|link| link.split_once('>'));
        let (path, _) = path.expect("a link has a target");
        assert_eq!(asked("GET", path, &[]).response.status, 200, "{link}");
    }
    let entrance: serde_json::Value = serde_json::from_slice(&asked("GET", "/", &[]).response.body).expect("JSON");
    let named = |link: &serde_json::Value| {
        let text = |name: &str| link[name].as_str().expect("a text").to_owned();
        format!("<{}>; rel=\"{}\"", text("href"), text("rel"))
    };
    let named: Vec<_> = entrance["links"]
        .as_array()
        .expect("a list")
        .iter()
        .map(named)
        .collect();
    assert_eq!(named.join(", "), links);
    let browser = asked("GET", "/", &[("accept", "text/html")]);
    assert_eq!((browser.response.status, browser.header("location")), (303, "docs"));
}
