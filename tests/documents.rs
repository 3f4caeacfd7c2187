//! The contract's documents, as they are served beside its surfaces. (What becomes of a request for one is shown with the
//! code that answers it, and with the other service.)

use crate::sources;
use crate::world::{Api, RUNTIME, market};
use bytes::Bytes;
use conformance::{Request, Response};
use contract::support::documents;
use http_body_util::{BodyExt, Full};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;

fn get(target: &str) -> Response {
    let request = http::Request::get(target).body(Full::new(Bytes::new()));
    let service = TowerToHyperService::new(warp::service(documents::filter(contract::DOCUMENTS)));
    RUNTIME.block_on(async {
        let Ok(response) = service.call(request.expect("a request")).await;
        let (head, body) = response.into_parts();
        Response::new(&head, body.collect().await.expect("a body").to_bytes().to_vec())
    })
}

#[test]
fn each_document_is_served_as_the_compiler_writes_it() {
    for file in codegen::documents::files(&sources::model()) {
        let target = file.target();
        let found = get(&target);
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
    let document = get("/openapi.json");
    let links = document.header("link").expect("documents lead to each other");
    for target in ["/", "/api/v1/humans", "/openapi.yaml"] {
        let request = Request {
            method: "GET".to_owned(),
            target: target.to_owned(),
            ..Request::default()
        };
        assert_eq!(market().answer(&request).header("link"), Some(links), "{target}");
    }
}
