//! One operation in a warp app that is somebody else's.

use super::app::{App, SIGHTINGS, parts, request, ship};
use bytes::Bytes;
use conformance::lighthouse::log;
use contract::Response;
use serde_json::json;
use warp::{Filter, Rejection};

/// One operation before the routes of an app that has its own word for what it does not know.
fn foreign() -> App {
    let (app, gate) = parts();
    let echo = warp::path("echo")
        .and(warp::post())
        .and(warp::body::bytes())
        .map(Response::new);
    let near = warp::path!("log" / "v20" / "sightings").map(|| own(200, "another log"));
    let routes = log::create_sighting::filter(app, gate)
        .or(echo)
        .unify()
        .or(near)
        .unify();
    App::new(routes.recover(nobody).unify())
}

async fn nobody(rejection: Rejection) -> Result<Response, Rejection> {
    match rejection.is_not_found() {
        true => Ok(own(404, "nobody is home")),
        false => Err(rejection),
    }
}

fn own(status: u16, text: &'static str) -> Response {
    let mut response = Response::new(Bytes::from_static(text.as_bytes()));
    *response.status_mut() = http::StatusCode::from_u16(status).expect("a status");
    response
}

#[test]
fn one_operation_serves_in_a_foreign_app() {
    let app = foreign();
    assert_eq!(app.enter(&ship("Kaiko Maru")).status, 201);
    let number = app.enter(&json!(7));
    assert_eq!(
        number.refusal(),
        "400 nonsense: the body must be an object, not a number"
    );
    let stranger = app.send(request("POST", SIGHTINGS), "");
    assert_eq!(stranger.refusal(), "401 stranger: who are you? X-Keeper says it");
}

#[test]
fn a_foreign_route_keeps_its_body() {
    let body = "x".repeat(100_000);
    let answer = foreign().send(request("POST", "/echo"), &body);
    assert_eq!((answer.status, answer.header("x-trace")), (200, ""));
    assert!(answer.body == body.as_bytes(), "{} bytes came back", answer.body.len());
}

#[test]
fn what_is_no_operation_falls_through_to_the_foreign_404() {
    let app = foreign();
    for (method, path) in [
        ("GET", "/"),
        ("POST", "/log/v2"),
        ("GET", SIGHTINGS),
        ("POST", "/log/v2/sightings/1"),
    ] {
        app.send(request(method, path), "").is(404, "nobody is home");
    }
}

#[test]
fn a_foreign_path_that_begins_like_the_base_stays_foreign() {
    foreign()
        .send(request("POST", "/log/v20/sightings"), "")
        .is(200, "another log");
}
