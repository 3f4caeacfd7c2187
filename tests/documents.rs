//! The contract's documents, as they are served beside its surfaces. (What becomes of a request for one is shown with the
//! code that answers it, and with the other service.)

use crate::sources;
use crate::world::{Api, market};
use conformance::{Request, Response};
use contract::support::documents;
use test_support::in_process::InProcess;

fn get(target: &str) -> Request {
    Request {
        method: "GET".to_owned(),
        target: target.to_owned(),
        ..Request::default()
    }
}

fn document(target: &str) -> Response {
    InProcess::of(documents::filter(contract::DOCUMENTS)).call(&get(target))
}

#[test]
fn each_document_is_served_as_the_compiler_writes_it() {
    for file in codegen::documents::files(&sources::model()) {
        let target = file.target();
        let found = document(&target);
        assert_eq!(
            (found.status, found.header("content-type")),
            (200, Some(file.media_type)),
            "{target}"
        );
        assert!(found.body == *file.bytes, "{target} is another");
    }
}

#[test]
fn every_answer_leads_to_the_documents() {
    let found = document("/openapi.json");
    let links = found.header("link").expect("documents lead to each other");
    for target in ["/", "/api/v1/humans", "/openapi.yaml"] {
        assert_eq!(market().answer(&get(target)).header("link"), Some(links), "{target}");
    }
}
