//! Sizes that clients and models can take, and the list of tools itself.

use super::Client;
use serde_json::{Value, json};

#[test]
fn the_tools_fit_a_prompt() {
    let list = Client::new(false).ask("tools/list", json!({})).1["result"]["tools"].to_string();
    assert!(list.len() < 20_480, "{} bytes", list.len());
    let instructions = Client::new(true).ask("server/discover", json!({})).1;
    let instructions = instructions["result"]["instructions"]
        .as_str()
        .expect("a text")
        .chars()
        .count();
    assert!((200..2_048).contains(&instructions), "{instructions} characters");
}

#[test]
fn the_list_is_the_same_each_time() {
    let list = || {
        let client = Client::new(false).without_key();
        let (headers, body) = client.parts("tools/list", json!({}));
        client.send(headers, body.to_string().as_bytes()).body
    };
    assert_eq!(list(), list());
}

#[test]
fn every_operation_of_agents_is_a_tool_but_those_of_keys_and_webhooks_and_those_that_send_files() {
    let client = Client::new(true);
    let list = client.ask("tools/list", json!({})).1["result"]["tools"].take();
    let names = list
        .as_array()
        .expect("a list")
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name"));
    let mut names: Vec<&str> = names.collect();
    let model = crate::sources::model();
    let agent = model
        .surfaces
        .iter()
        .find(|surface| surface.name == "agent")
        .expect("it is there");
    // A dry run is left out, too: the tool itself rejects what is wrong.
    let operations = agent.operations.iter().filter(|operation| operation.dry_run.is_none());
    let operations = operations.map(|operation| operation.name.as_str());
    let mut operations: Vec<&str> = operations
        .filter(|name| !name.contains("key") && !name.contains("webhook"))
        .filter(|name| !["create_file", "delete_file"].contains(name))
        .collect();
    names.sort_unstable();
    operations.sort_unstable();
    assert_eq!(names, operations);
}

#[test]
fn arguments_are_closed_objects_without_references() {
    let list = Client::new(true).ask("tools/list", json!({})).1["result"]["tools"].take();
    for tool in list.as_array().expect("a list") {
        let schema = &tool["inputSchema"];
        assert_eq!(
            (&schema["type"], &schema["additionalProperties"]),
            (&json!("object"), &json!(false)),
            "{tool}"
        );
        assert!(!schema.to_string().contains("$ref"), "{tool}");
    }
    let decide = list
        .as_array()
        .and_then(|list| list.iter().find(|tool| tool["name"] == "decide_application"));
    let schema: &Value = &decide.expect("it is a tool")["inputSchema"];
    assert_eq!(schema["required"], json!(["id", "appId", "status"]));
    assert_eq!(schema["properties"]["status"]["enum"], json!(["accepted", "rejected"]));
}
