//! The tools of one API, served by its own filter.

use crate::world::Depot;
use conformance::{Caller, Request};
use lockers::support::Clock;
use lockers::{LimitSettings, Limits, courier};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use test_support::in_process::InProcess;

fn ask(method: &str, params: &Value) -> Value {
    let limits = Arc::new(Limits::new(&LimitSettings::default()));
    let couriers = InProcess::from_filter(courier::filter(Depot::new().app, limits));
    let response = couriers.call(&message(None, method, params));
    serde_json::from_slice(&response.body).expect("JSON")
}

fn message(credential: Option<&str>, method: &str, params: &Value) -> Request {
    let body = json!({ "jsonrpc": "2.0", "id": "a", "method": method, "params": params });
    let credential = credential.map(|secret| ("Lockers-Terminal".to_owned(), secret.to_owned()));
    let json = ("Content-Type".to_owned(), "application/json".to_owned());
    Request {
        method: "POST".to_owned(),
        target: courier::MCP_PATH.to_owned(),
        headers: credential.into_iter().chain([json]).collect(),
        body: Some(body.to_string().into_bytes()),
        peer: None,
    }
}

#[test]
fn a_tool_has_the_words_of_the_contract() {
    let list = ask("tools/list", &json!({}))["result"]["tools"].take();
    let tools = list.as_array().expect("a list");
    let find = tools
        .iter()
        .find(|tool| tool["name"] == "find_parcels")
        .expect("it is renamed");
    assert_eq!(find["title"], "Find parcels of the courier");
    let named = |name: &str| tools.iter().any(|tool| tool["name"] == name);
    assert!(named("announce_parcel") && !named("list_parcels") && !named("delete_terminal"));
    let instructions = ask("initialize", &json!({}))["result"]["instructions"].take();
    let instructions = instructions.as_str().expect("a text");
    assert!(instructions.starts_with("Announce a parcel before"), "{instructions}");
    assert!(
        instructions.contains("\nLimits: tools that only read: "),
        "{instructions}"
    );
}

#[test]
fn a_tool_needs_the_credential_of_its_api() {
    let error = ask("tools/call", &json!({ "name": "find_parcels" }))["error"].take();
    assert_eq!(error["code"], 401);
    let text = error["message"].as_str().expect("a text");
    assert!(text.contains("Lockers-Terminal"), "{text}");
}

#[test]
fn the_answers_of_tools_count_as_responses_to_their_caller() {
    let depot = Depot::new();
    let (one, other) = (depot.courier("basic"), depot.courier("basic"));
    let limits = Arc::new(Limits::new(&LimitSettings {
        clock: Clock::manual(1_750_000_027),
        ..LimitSettings::default()
    }));
    let couriers = InProcess::from_filter(courier::filter(depot.app, limits));
    let arguments = (0..20)
        .map(|index| (format!("{index:040}"), json!(1)))
        .collect::<Map<_, _>>();
    let call = json!({ "name": "announce_parcel", "arguments": arguments });
    let answer = |caller: &Caller| couriers.call(&message(Some(&caller.secret), "tools/call", &call)).body;
    let is_enough =
        |body: &[u8]| String::from_utf8_lossy(body).contains("196608 bytes were sent to you, try again in 53 s");
    let mut sent = 0;
    while sent < 196_608 {
        let body = answer(&one);
        assert!(!is_enough(&body), "after {sent} bytes");
        sent += body.len();
    }
    assert!(is_enough(&answer(&one)));
    assert!(!is_enough(&answer(&other)));
}
