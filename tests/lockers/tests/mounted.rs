//! One operation in another warp app.

use crate::served::bare;
use crate::world::{BADGE, Depot, Reply, crew, op, request};
use conformance::Request;
use lockers::support::{Bytes, Response};
use lockers::{LimitSettings, Limits, depot};
use serde_json::{Value, json};
use std::sync::Arc;
use test_support::in_process::InProcess;
use warp::{Filter, Rejection};

/// One operation before the routes of an app with its own answer for unknown paths.
fn foreign() -> InProcess {
    let limits = Arc::new(Limits::new(&LimitSettings::default()));
    let echo = warp::path("echo")
        .and(warp::post())
        .and(warp::body::bytes())
        .map(|body: Bytes| Response::new(body.into()));
    let near = warp::path!("depot2" / "recipients").map(|| own(200, "another depot"));
    let routes = depot::create_recipient::filter(Depot::new().app, limits)
        .or(echo)
        .unify()
        .or(near)
        .unify();
    InProcess::from_filter(routes.recover(not_found).unify())
}

async fn not_found(rejection: Rejection) -> Result<Response, Rejection> {
    match rejection.is_not_found() {
        true => Ok(own(404, "nobody is home")),
        false => Err(rejection),
    }
}

fn own(status: u16, text: &'static str) -> Response {
    let mut response = Response::new(Bytes::from_static(text.as_bytes()).into());
    *response.status_mut() = http::StatusCode::from_u16(status).expect("a status");
    response
}

fn recipient(body: Value) -> Request {
    request(&crew(), op!(depot::create_recipient), &[], "", Some(body))
}

#[track_caller]
fn answers(request: Request, status: u16, body: &str) {
    let response = foreign().call(&request);
    assert_eq!(
        (response.status, &*String::from_utf8_lossy(&response.body)),
        (status, body)
    );
}

#[test]
fn one_operation_serves_in_a_foreign_app() {
    let app = foreign();
    let call = |request: Request| Reply {
        response: app.call(&request),
        request,
    };
    assert_eq!(call(recipient(json!({ "name": "Aoi" }))).response.status, 201);
    let number = call(recipient(json!(7))).error_line();
    assert_eq!(number, "422 malformed: the body must be an object, not a number");
    let mut unauthenticated = recipient(json!({}));
    unauthenticated.headers.retain(|(_, value)| value != BADGE);
    let rejected = call(unauthenticated).error_line();
    assert_eq!(
        rejected,
        "401 unknown_caller: send one valid credential in Lockers-Badge"
    );
}

#[test]
fn a_foreign_route_keeps_its_body() {
    let body = "x".repeat(100_000);
    let echo = Request {
        body: Some(body.clone().into_bytes()),
        ..bare("POST", "/echo")
    };
    answers(echo.clone(), 200, &body);
    assert_eq!(foreign().call(&echo).header("lockers-request"), None);
}

#[test]
fn what_is_no_operation_falls_through_to_the_foreign_404() {
    for (method, path) in [
        ("GET", "/"),
        ("POST", "/depot"),
        ("GET", "/depot/recipients"),
        ("POST", "/depot/recipients/1"),
    ] {
        answers(bare(method, path), 404, "nobody is home");
    }
}

#[test]
fn a_foreign_path_that_begins_like_the_base_stays_foreign() {
    answers(bare("POST", "/depot2/recipients"), 200, "another depot");
}
