//! What a server answers that is not available, and how new an answer a client asks for.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use codegen_store::commit_log::Lease;
use contract::support::{Departure, Unserved};
use contract::{Clock, LimitSettings, Limits, Peer, agent, operator};
use http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, LOCATION, RETRY_AFTER,
};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use warp::Filter;
use warp::filters::BoxedFilter;

use super::{Pages, Part, accepts_stale, routes_with};
use crate::app::Hitode;
use crate::operator_token::OperatorToken;
use crate::store::in_memory_store;

const UNAVAILABLE: &str = "unavailable";
const TEXT: &str = "the service is not available, try again in a moment";

/// The routes over a store that is open, or not available.
async fn service(is_available: bool) -> BoxedFilter<(contract::Response,)> {
    service_with(is_available, Pages::On, Part::Whole).await
}

async fn service_with(is_available: bool, pages: Pages, part: Part) -> BoxedFilter<(contract::Response,)> {
    // A lease that has not begun.
    let store = in_memory_store((!is_available).then(Lease::default));
    let app = Hitode::new(store, OperatorToken::from_text("operator"), Clock::system());
    let limits = Limits::new(&LimitSettings::default());
    let (app, limits) = (Arc::new(app), Arc::new(limits));
    routes_with(super::health::filter(app.clone()), pages, part, app, limits).boxed()
}

async fn reply(service: &BoxedFilter<(contract::Response,)>, request: Request<String>) -> Response<Bytes> {
    let service = TowerToHyperService::new(warp::service(service.clone()));
    let Ok(response) = service.call(request).await;
    let (head, body) = response.into_parts();
    Response::from_parts(head, body.collect().await.expect("a body").to_bytes())
}

fn get(path: &str) -> Request<String> {
    Request::get(path).body(String::new()).expect("a request")
}

/// The request of a browser for a page.
fn of_browser(path: &str) -> Request<String> {
    let request = Request::get(path).header(ACCEPT, "text/html").body(String::new());
    request.expect("a request")
}

fn json_of(response: &Response<Bytes>) -> Value {
    serde_json::from_slice(response.body()).expect("JSON")
}

/// The operations of the document that the server itself serves: methods and paths.
async fn operations(service: &BoxedFilter<(contract::Response,)>) -> Vec<(String, String)> {
    let document = reply(service, get("/openapi.json")).await;
    assert_eq!(document.status(), StatusCode::OK);
    let document = json_of(&document);
    let paths = document["paths"].as_object().expect("paths").iter();
    let operations = paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods").iter();
        let methods = methods.filter(|(_, operation)| operation.get("operationId").is_some());
        methods.map(move |(method, _)| (method.to_uppercase(), path.replace(['{', '}'], "")))
    });
    operations.collect()
}

#[tokio::test]
async fn a_server_that_is_not_available_answers_nothing_else() {
    let service = service(false).await;
    let operations = operations(&service).await;
    assert!(operations.len() > 40, "{operations:?}");
    for (method, path) in operations {
        // Neither with the operator's token nor without any credential, however often.
        for token in ["operator", "unknown"] {
            let request = Request::builder().method(&*method).uri(&path);
            let request = request.header("x-operator-token", token).body(String::new());
            let response = reply(&service, request.expect("a request")).await;
            assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE, "{method} {path}");
            assert_eq!(response.headers()["x-error-code"], UNAVAILABLE);
            assert_eq!(json_of(&response), json!({ "success": false, "error": TEXT }));
            assert!(response.headers().contains_key(RETRY_AFTER));
        }
    }
}

#[tokio::test]
async fn a_server_that_is_not_available_answers_what_needs_no_records() {
    let service = service(false).await;
    for (path, status) in [
        ("/docs", StatusCode::OK),
        ("/llms.txt", StatusCode::OK),
        ("/api/v1/elsewhere", StatusCode::NOT_FOUND),
        ("/healthz", StatusCode::SERVICE_UNAVAILABLE),
        ("/readyz", StatusCode::SERVICE_UNAVAILABLE),
    ] {
        let response = reply(&service, get(path)).await;
        assert_eq!(response.status(), status, "{path}");
        assert_ne!(
            response.headers().get("x-error-code").map(|code| code.as_bytes()),
            Some(UNAVAILABLE.as_bytes())
        );
    }
}

#[tokio::test]
async fn a_server_that_is_available_is_well_and_ready() {
    let service = service(true).await;
    for (path, state) in [("/healthz", "ok"), ("/readyz", "ready")] {
        let response = reply(&service, get(path)).await;
        assert_eq!(
            (response.status(), json_of(&response)),
            (StatusCode::OK, json!({ "status": state }))
        );
    }
}

#[tokio::test]
async fn pages_for_people_are_served_unless_they_are_switched_off() {
    for (pages, first, status) in [
        (Pages::On, "start/", StatusCode::OK),
        (Pages::Off, "docs", StatusCode::NOT_FOUND),
    ] {
        let service = service_with(true, pages, Part::Whole).await;
        assert_eq!(reply(&service, of_browser("/")).await.headers()[LOCATION], first);
        let page = reply(&service, get("/jobs/")).await;
        assert_eq!(page.status(), status);
        let policy = page.headers().get(CONTENT_SECURITY_POLICY);
        assert_eq!(policy.is_some(), status == StatusCode::OK);
        // The console belongs to the contract's documents.
        assert_eq!(reply(&service, get("/console")).await.headers()[LOCATION], "console/");
    }
}

#[tokio::test]
async fn pages_lead_to_the_console_where_it_is() {
    for (part, status) in [
        (Part::Whole, StatusCode::SEE_OTHER),
        (Part::WithoutOperator, StatusCode::NOT_FOUND),
    ] {
        let service = service_with(true, Pages::On, part).await;
        assert_eq!(reply(&service, of_browser("/console")).await.status(), status);
        let start = reply(&service, of_browser("/start/")).await;
        let start = String::from_utf8_lossy(start.body()).into_owned();
        assert!(start.contains("../jobs/") && start.contains("../docs"), "{start}");
        assert_eq!(start.contains("console"), part == Part::Whole, "{start}");
        assert_eq!(reply(&service, of_browser("/")).await.headers()[LOCATION], "start/");
    }
}

/// The response to this request at an address without what is for the operator.
async fn reply_without_operator(method: &str, path: &str) -> Response<Bytes> {
    let part = Part::WithoutOperator;
    let service = service_with(true, Pages::On, part).await;
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("x-operator-token", "operator");
    let request = request.extension(part.unserved(&HeaderMap::new()));
    let mut request = request.body(String::new()).expect("a request");
    request.headers_mut().insert(HOST, HeaderValue::from_static("a"));
    contract::support::arrived(&mut request, Peer(Ipv4Addr::LOCALHOST.into()));
    reply(&service, request).await
}

#[tokio::test]
async fn an_operation_that_is_served_elsewhere_is_an_unknown_path() {
    let operations = operations(&service(true).await).await;
    let of_operator = operations
        .into_iter()
        .filter(|(_, path)| path.starts_with(operator::BASE));
    let of_operator: Vec<_> = of_operator.collect();
    assert!(of_operator.len() > 20, "{of_operator:?}");
    let unknown = reply_without_operator("GET", "/elsewhere").await;
    for (method, path) in of_operator {
        for method in [&*method, "HEAD", "OPTIONS"] {
            let response = reply_without_operator(method, &path).await;
            let found = (response.status(), &response.headers()["x-error-code"]);
            assert_eq!(
                found,
                (StatusCode::NOT_FOUND, &unknown.headers()["x-error-code"]),
                "{method} {path}"
            );
            let text = String::from_utf8_lossy(response.body()).into_owned();
            assert!(!text.contains(operator::BASE), "{text}");
        }
    }
}

#[tokio::test]
async fn tools_of_a_surface_that_is_served_elsewhere_are_an_unknown_path() {
    let service = service(true).await;
    let mut statuses = Vec::new();
    for unserved in [
        Unserved::default(),
        Unserved(&[operator::PATHS]),
        Unserved(&[agent::PATHS]),
    ] {
        let mut request = to_tools(&json!({}));
        request.headers_mut().insert(HOST, HeaderValue::from_static("a"));
        request.extensions_mut().insert(unserved);
        contract::support::arrived(&mut request, Peer(Ipv4Addr::LOCALHOST.into()));
        statuses.push(reply(&service, request).await.status() == StatusCode::NOT_FOUND);
    }
    assert_eq!(statuses, [false, false, true]);
}

/// A request to the tools.
fn to_tools(message: &Value) -> Request<String> {
    let request = Request::post(agent::MCP_PATH).header("x-api-key", "any");
    let request = request.header(CONTENT_TYPE, "application/json");
    let body = message.to_string();
    request
        .header(CONTENT_LENGTH, body.len())
        .body(body)
        .expect("a request")
}

#[tokio::test]
async fn a_tool_of_a_server_that_is_not_available_says_so() {
    let service = service(false).await;
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "list_skills", "arguments": {} } });
    let called = json_of(&reply(&service, to_tools(&call)).await);
    let text = called["result"]["content"][0]["text"].as_str().unwrap_or_default();
    assert!(called["result"]["isError"] == true && text.contains(TEXT), "{called}");
    // What is sent with a credential, which cannot be checked.
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let listed = reply(&service, to_tools(&list)).await;
    assert_eq!(listed.status(), StatusCode::SERVICE_UNAVAILABLE);
}

/// A success and an error; but not the error of a wrong credential.
#[tokio::test]
async fn caches_keep_no_response_to_a_credential() {
    let service = service(true).await;
    for (path, token, status, caching) in [
        ("/operator/v1/accounts", "operator", StatusCode::OK, Some("no-store")),
        (
            "/operator/v1/accounts?x=1",
            "operator",
            StatusCode::BAD_REQUEST,
            Some("no-store"),
        ),
        ("/operator/v1/accounts", "unknown", StatusCode::UNAUTHORIZED, None),
    ] {
        let request = Request::get(path).header("x-operator-token", token);
        let response = reply(&service, request.body(String::new()).expect("a request")).await;
        let sent = response.headers().get(CACHE_CONTROL).map(HeaderValue::as_bytes);
        assert_eq!(
            (response.status(), sent),
            (status, caching.map(str::as_bytes)),
            "{path}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_is_answered_at_once_when_its_client_has_gone() {
    let service = service(true).await;
    let body = json!({ "name": "Agent", "plan": "free" }).to_string();
    let created = Request::post("/operator/v1/accounts").header("x-operator-token", "operator");
    let created = created
        .header(CONTENT_TYPE, "application/json")
        .header(CONTENT_LENGTH, body.len());
    let created = json_of(&reply(&service, created.body(body).expect("a request")).await);
    let key = created["data"]["key"].as_str().expect("a key");
    let begun = tokio::time::Instant::now();
    let waiting = Request::get("/api/v1/events?wait=30").header("x-api-key", key);
    let waiting = waiting.extension(Departure::new(|| std::future::ready(())));
    let response = reply(&service, waiting.body(String::new()).expect("a request")).await;
    assert_eq!(
        (response.status(), json_of(&response)["data"].clone()),
        (StatusCode::OK, json!([]))
    );
    assert_eq!(begun.elapsed(), Duration::ZERO);
}

#[test]
fn a_client_asks_for_what_is_new_by_cache_control() {
    let accepts = |value: &str| {
        let mut headers = HeaderMap::new();
        headers.insert(CACHE_CONTROL, value.parse().expect("a value"));
        accepts_stale(&headers)
    };
    assert!(accepts_stale(&HeaderMap::new()));
    for value in ["no-cache", "no-store, No-Cache", "max-age=0"] {
        assert!(!accepts(value), "{value}");
    }
    for value in ["", "no-store", "max-age=60", "x=no-cache", "no cache"] {
        assert!(accepts(value), "{value}");
    }
}
