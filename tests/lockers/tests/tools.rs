//! The tools of one API, served by its own filter.

use crate::world::Depot;
use conformance::Request;
use lockers::{LimitSettings, Limits, courier};
use serde_json::{Value, json};
use std::sync::Arc;
use test_support::in_process::InProcess;

fn ask(method: &str, params: &Value) -> Value {
    let limits = Arc::new(Limits::new(&LimitSettings::default()));
    let couriers = InProcess::of(courier::filter(Depot::new().app, limits));
    let body = json!({ "jsonrpc": "2.0", "id": "a", "method": method, "params": params });
    let response = couriers.call(&Request {
        method: "POST".to_owned(),
        target: courier::MCP_PATH.to_owned(),
        headers: vec![("Content-Type".to_owned(), "application/json".to_owned())],
        body: Some(body.to_string().into_bytes()),
        peer: None,
    });
    serde_json::from_slice(&response.body).expect("JSON")
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
