//! Tool calls are requests to their operations.

use super::{Client, json_of, text};
use crate::world::{Api, market, op};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use contract::support::{Ended, Observer};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

#[test]
fn an_agent_does_its_whole_job_by_tools() {
    for stated in [false, true] {
        let client = Client::new(stated);
        let worker = market().worker();
        let skill = format!("Cooking {stated} 料理/100%");
        let cook = market().human_like(json!({ "skills": [{ "name": skill, "category": "Food" }] }));
        let found = client.data("list_humans", json!({ "skill": skill, "state": null, "limit": 5 }));
        assert_eq!(found[0]["id"], cook, "{found}");
        let talk = client.data(
            "create_conversation",
            json!({ "human_id": cook, "message": "Can you cook \"soba\"?" }),
        );
        client.data("create_message", json!({ "id": talk["id"], "content": "On Monday" }));
        assert_eq!(
            client.data("get_conversation", json!({ "id": talk["id"] }))["messages"][1]["content"],
            "On Monday"
        );
        let bounty = client.data(
            "create_bounty",
            json!({ "title": "Cook", "description": "Soba\nfor 7", "budget": 49.99 }),
        );
        let message = json!({ "message": "I can" });
        let id = bounty["id"].as_i64().expect("an id");
        market()
            .send(&worker, op!(worker::create_application), &[id], message)
            .data();
        let applications = client.data("list_applications", json!({ "id": id }));
        let decision = json!({ "id": id, "appId": applications[0]["id"], "status": "accepted" });
        assert_eq!(client.call("decide_application", decision)["isError"], false);
        assert_eq!(
            client.data("list_applications", json!({ "id": id }))[0]["status"],
            "accepted"
        );
    }
}

#[test]
fn a_file_is_an_image_or_a_text_or_says_where_it_is() {
    let agent = market().agent("free");
    let png = b"\x89PNG\r\n\x1a\n and a picture";
    let sent = |media_type: &str, bytes: &[u8]| {
        let sent = market().upload(&agent, "keep_metadata=1", (media_type, bytes));
        sent.data()["id"].clone()
    };
    let (picture, note) = (sent("image/png", png), sent("text/plain", "\"店\"\n".as_bytes()));
    let long = sent("text/plain", &[b'a'; 40_001]);
    for stated in [false, true] {
        let client = Client::with_key(agent.secret.clone(), stated);
        let read = |id: &Value| client.call("get_file", json!({ "id": id }))["content"].clone();
        let data = STANDARD.encode(png);
        assert_eq!(
            read(&picture),
            json!([{ "type": "image", "data": data, "mimeType": "image/png" }])
        );
        assert_eq!(read(&note), json!([{ "type": "text", "text": "\"店\"\n" }]));
        let where_it_is = format!(
            "The file has 40001 bytes of the type text/plain, and is not shown here. Read it with GET /api/v1/files/{long} and your credential."
        );
        assert_eq!(read(&long), json!([{ "type": "text", "text": where_it_is }]));
        let absent = client.call("get_file", json!({ "id": 999_999 }));
        assert_eq!(absent["isError"], true, "{absent}");
    }
}

#[test]
fn a_result_holds_the_body_of_the_request_once_as_text() {
    let agent = market().agent("free");
    let client = Client::with_key(agent.secret.clone(), false);
    let id = client.data(
        "create_bounty",
        json!({ "title": "\"t\"\\\t", "description": "d", "budget": 1 }),
    )["id"]
        .clone();
    let result = client.call("get_bounty", json!({ "id": id }));
    let rest = market().get(&agent, op!(agent::get_bounty), &[id.as_i64().expect("an id")], "");
    assert_eq!(text(&result).as_bytes(), rest.response.body);
    assert!(result["structuredContent"].is_null(), "{result}");
}

#[test]
fn a_search_for_an_unknown_name_says_which_ones_are_near() {
    let skill = "Weaving tatami mats";
    for category in ["Craft", "Home"] {
        market().human_like(json!({ "skills": [{ "name": skill, "category": category }] }));
    }
    let client = Client::new(true);
    let asked = |arguments: Value| client.call("list_humans", arguments)["content"].clone();
    let found = asked(json!({ "skill": format!("{skill}x"), "state": "Tokio" }));
    let proposed = format!("Nothing has this `skill`. Did you mean `{skill}`?");
    assert_eq!(found[1]["text"], proposed.as_str(), "{found}");
    assert_eq!(
        found[2]["text"], "Nothing has this `state`. Did you mean `Tokyo`?",
        "{found}"
    );
    for known in [
        json!({ "skill": skill, "state": "Tokyo", "maxRate": 0 }),
        json!({ "skill": skill }),
    ] {
        let found = asked(known);
        assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    }
}

#[test]
fn errors_are_results_with_text_and_help() {
    let client = Client::new(true);
    let cases = [
        (
            "get_human",
            json!({ "id": 999_999_999 }),
            "404 absent: human 999999999 not found. Check the id.",
        ),
        ("get_human", json!({}), "400 invalid: `id` is required."),
        ("get_human", json!({ "id": null }), "400 invalid: `id` is required."),
        ("get_human", json!({ "id": "x" }), "400 invalid: `id` must be"),
        (
            "get_human",
            json!({ "id": [1] }),
            "400 invalid: `id` must be a single value",
        ),
        (
            "get_human",
            json!({ "id": 1, "name": 2 }),
            "400 invalid: `name` is not known here, known are `id`.",
        ),
        (
            "get_bounty",
            json!({ "bounty_id": 1 }),
            "400 invalid: `bounty_id` is not known here, did you mean `id`?; `id` is required.",
        ),
        (
            "decide_application",
            json!({ "id": 1, "app_id": 2, "status": "accepted" }),
            "400 invalid: `app_id` is not known here, did you mean `appId`?; `appId` is required.",
        ),
        (
            "list_events",
            json!({ "types": ["bounty.updated"] }),
            "400 invalid: `types` names no event with `bounty.updated`, known are `application.created`, \
             `application.withdrawn`, `work.delivered`, `message.created`, `webhook.disabled`.",
        ),
        (
            "list_humans",
            json!({ "limit": 0 }),
            "400 invalid: `limit` must be from 1 to 100.",
        ),
        (
            "list_humans",
            json!({ "limit": "many" }),
            "400 invalid: `limit` must be",
        ),
        (
            "list_humans",
            json!({ "skill": ["a"] }),
            "400 invalid: `skill` must be a single value",
        ),
        (
            "list_humans",
            json!({ "minrate": 1 }),
            "400 invalid: `minrate` is not known here, did you mean `minRate`?",
        ),
        (
            "create_bounty",
            json!({ "title": 5 }),
            "400 invalid: `title` must be a string",
        ),
        (
            "create_bounty",
            json!({ "titel": "t" }),
            "400 invalid: `titel` is not known here, did you mean `title`?",
        ),
        (
            "create_message",
            json!({ "id": 999_999_999, "content": "x" }),
            "404 absent: conversation 999999999 not found",
        ),
    ];
    for (tool, arguments, expected) in cases {
        let text = client.error(tool, arguments.clone());
        assert!(text.starts_with(expected), "{tool} {arguments}: {text}");
    }
    let error = client.call("get_human", json!({ "id": 999_999_999 }))["_meta"]["hitode/error"].clone();
    assert_eq!((&error["code"], &error["status"]), (&json!("absent"), &json!(404)));
}

#[test]
fn all_faults_of_a_call_are_in_one_result() {
    let text = Client::new(false).error("decide_application", json!({ "id": {}, "status": "x", "more": 1 }));
    for fault in [
        "`id` must be a single value",
        "`appId` is required",
        "`status`",
        "`more` is not known",
    ] {
        assert!(text.contains(fault), "{fault}: {text}");
    }
}

#[test]
fn an_unknown_tool_and_arguments_that_are_no_object_are_malformed() {
    for stated in [false, true] {
        let client = Client::new(stated);
        let cases = [
            (
                json!({ "name": "list_human" }),
                "there is no tool `list_human`, did you mean `list_humans`?",
            ),
            (
                json!({ "name": "search_workers" }),
                "there is no tool `search_workers`, did you mean `list_humans`?",
            ),
            (
                json!({ "name": "pay" }),
                "there is no tool `pay`, known are `list_humans`, `get_human`, ",
            ),
            (json!({ "name": "create_key" }), "there is no tool `create_key`"),
            (
                json!({ "name": "delete_key", "arguments": { "id": 1 } }),
                "there is no tool `delete_key`",
            ),
            (
                json!({ "name": "list_humans", "arguments": [] }),
                "`arguments` must be an object",
            ),
            (
                json!({ "name": "list_humans", "arguments": "{}" }),
                "`arguments` must be an object",
            ),
        ];
        for (params, expected) in cases {
            let (_, body) = client.ask("tools/call", params);
            assert_eq!(body["error"]["code"], -32602, "{body}");
            let text = body["error"]["message"].as_str().expect("a text");
            assert!(text.starts_with(expected), "{text}");
        }
    }
}

#[test]
fn a_call_counts_against_the_limit_of_its_operation() {
    let client = Client::new(true).limited();
    let ask = || {
        let (headers, body) = client.parts("tools/call", json!({ "name": "list_humans" }));
        client.send(headers, body.to_string().as_bytes())
    };
    assert_eq!(ask().header("x-ratelimit-remaining"), Some("99"));
    for _ in 0..99 {
        assert_eq!(json_of(&ask())["result"]["isError"], false);
    }
    let response = ask();
    let result = json_of(&response)["result"].take();
    assert_eq!((response.status, &result["isError"]), (200, &json!(true)));
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(
        text.starts_with("429 rate: rate limit exceeded, try again in 53 s. Wait"),
        "{text}"
    );
    assert_eq!(result["_meta"]["hitode/error"]["retry_after"], 53);
    // The other tools, the list and the other limit go on.
    assert_eq!(client.ask("tools/list", json!({})).0, 200);
    client.data(
        "create_bounty",
        json!({ "title": "t", "description": "d", "budget": 1 }),
    );
}

#[test]
fn a_suspended_account_reads_so_in_the_result() {
    let agent = market().agent("free");
    let client = Client::with_key(agent.secret.clone(), false);
    let operator = market().operator();
    market()
        .send(
            &operator,
            op!(operator::update_account),
            &[agent.id],
            json!({ "suspended": true }),
        )
        .data();
    let text = client.error("list_humans", Value::Null);
    assert!(text.starts_with("403 suspended: this account is suspended."), "{text}");
}

/// Surface, operation and status of a request.
type Observed = (Option<&'static str>, Option<&'static str>, Option<u16>);

#[derive(Debug, Default)]
struct Recorder(Mutex<Vec<Observed>>);

impl Observer for Recorder {
    fn begun(&self) {}

    fn ended(&self, ended: &Ended) {
        let row = (ended.surface, ended.operation, ended.status);
        self.0.lock().expect("no test holds it").push(row);
    }
}

#[test]
fn a_call_is_observed_as_its_operation_with_its_status() {
    let recorder = Arc::new(Recorder::default());
    let client = Client::new(true).observed(recorder.clone());
    client.data("list_humans", json!({}));
    client.error("get_human", json!({ "id": 999_999_999 }));
    client.ask("tools/list", json!({}));
    let missing = client.without_key();
    missing.ask("tools/call", json!({ "name": "list_humans" }));
    let agent = Some("agent");
    let rows = recorder.0.lock().expect("no test holds it").clone();
    let expected = [
        (agent, Some("list_humans"), Some(200)),
        (agent, Some("get_human"), Some(404)),
        (agent, None, Some(200)),
        (agent, Some("list_humans"), Some(401)),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn a_call_with_an_idempotency_key_is_done_once() {
    for stated in [true, false] {
        let client = Client::new(stated);
        let bounty = json!({ "title": "A shop front", "description": "Three photos", "budget": 45 });
        let call = |key: Value, budget: u32| {
            let mut arguments = bounty.clone();
            (arguments["idempotency_key"], arguments["budget"]) = (key, budget.into());
            client.call("create_bounty", arguments)
        };
        let first = call("k-1".into(), 45);
        assert!(first["_meta"]["hitode/replayed"].is_null(), "{first}");
        let again = call("k-1".into(), 45);
        assert_eq!(again["_meta"]["hitode/replayed"], true, "{again}");
        assert_eq!(again["content"], first["content"]);
        assert_ne!(call(Value::Null, 45)["content"], first["content"]);
        for (key, budget, text) in [
            (
                json!("k-1"),
                46,
                "422 key_reused: this idempotency key was sent with another request.",
            ),
            (
                json!("two words"),
                45,
                "400 invalid: `idempotency_key` must be 1 to 255 visible ASCII characters",
            ),
            (
                json!(["k"]),
                45,
                "400 invalid: `idempotency_key` must be a single value",
            ),
        ] {
            let result = call(key, budget);
            let error = result["content"][0]["text"].as_str().expect("a text");
            assert!(result["isError"] == true && error.starts_with(text), "{error}");
        }
        let read = client.error("get_account", json!({ "idempotency_key": "k-1" }));
        assert!(read.contains("`idempotency_key` is not known here"), "{read}");
    }
}

#[test]
fn the_header_with_an_idempotency_key_is_that_of_the_call() {
    let client = Client::new(false);
    let call = |tool: &str, argument: Value| {
        let arguments = match tool {
            "create_bounty" => json!({ "title": "t", "description": "d", "budget": 1, "idempotency_key": argument }),
            _ => json!({}),
        };
        let (mut headers, body) = client.parts("tools/call", json!({ "name": tool, "arguments": arguments }));
        headers.push(("Idempotency-Key".to_owned(), "of-the-header".to_owned()));
        json_of(&client.send(headers, body.to_string().as_bytes()))["result"].take()
    };
    let first = call("create_bounty", Value::Null);
    let again = call("create_bounty", Value::Null);
    assert_eq!(again["content"], first["content"]);
    assert_eq!(again["_meta"]["hitode/replayed"], true, "{again}");
    let both = text(&call("create_bounty", json!("of-the-argument"))).to_owned();
    assert!(
        both.starts_with("400 invalid: `idempotency_key` must be sent once"),
        "{both}"
    );
    assert_eq!(call("get_account", Value::Null)["isError"], false, "a read has none");
}
