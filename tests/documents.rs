//! The contract's documents, served beside its APIs. (The answers to requests for documents are tested with the code that makes
//! them, and with the lockers.)

use crate::sources;
use conformance::{Request, Response};
use contract::support::documents;
use test_support::in_process::InProcess;

fn document(target: &str) -> Response {
    InProcess::from_filter(documents::filter(contract::DOCUMENTS)).call(&Request {
        method: "GET".to_owned(),
        target: target.to_owned(),
        ..Request::default()
    })
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
