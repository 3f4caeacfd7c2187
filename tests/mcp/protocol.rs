//! What the protocol asks of a server, in both eras.

use super::{Client, STATED, json_of};
use crate::world::market;
use conformance::{Request, Response};
use serde_json::{Value, json};

/// The status, and the code of the error or null.
#[track_caller]
fn check(name: &str, (status, body): (u16, Value), expected: (u16, Value)) {
    assert_eq!((status, body["error"]["code"].clone()), expected, "{name}: {body}");
}

#[test]
fn a_session_begins_with_initialize_in_the_older_era() {
    let client = Client::new(false).without_key();
    let versions = [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2024-11-05", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
    ];
    for (proposed, agreed) in versions {
        let (status, body) = client.ask("initialize", json!({ "protocolVersion": proposed, "capabilities": {} }));
        assert_eq!(
            (status, &body["result"]["protocolVersion"]),
            (200, &json!(agreed)),
            "{body}"
        );
        assert_eq!(body["result"]["capabilities"], json!({ "tools": {} }));
        assert_eq!(body["result"]["serverInfo"]["name"], "hitode");
    }
    assert_eq!(client.ask("ping", json!({})).1["result"], json!({}));
    let listed = client.ask("tools/list", json!({})).1;
    assert!(listed["result"]["ttlMs"].is_null() && listed["result"]["resultType"].is_null());
    for method in ["server/discover", "resources/list", "prompts/list"] {
        check(method, client.ask(method, json!({})), (200, json!(-32601)));
    }
}

#[test]
fn each_request_states_its_version_in_the_newer_era() {
    let client = Client::new(true).without_key();
    let (status, body) = client.ask("server/discover", json!({}));
    let result = &body["result"];
    assert_eq!((status, &result["supportedVersions"]), (200, &json!([STATED])));
    assert_eq!(
        (&result["resultType"], &result["cacheScope"]),
        (&json!("complete"), &json!("public"))
    );
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["title"], "Hitode");
    assert!(client.ask("tools/list", json!({})).1["result"]["ttlMs"].is_u64());
    for method in ["initialize", "ping", "resources/list", "subscriptions/listen"] {
        check(method, client.ask(method, json!({})), (404, json!(-32601)));
    }
}

#[test]
fn a_request_and_its_headers_say_the_same() {
    let cases = [
        ("another version", "MCP-Protocol-Version", Some("2025-11-25")),
        ("no version", "MCP-Protocol-Version", None),
        ("another method", "Mcp-Method", Some("tools/list")),
        ("no method", "Mcp-Method", None),
        ("another tool", "Mcp-Name", Some("get_human")),
        ("no tool", "Mcp-Name", None),
        ("wrong base64", "Mcp-Name", Some("=?base64?bGlzdF9odW1hbnM?=")),
    ];
    for (name, header, value) in cases {
        let response = call_with(header, value, &json!(STATED));
        check(name, (response.status, json_of(&response)), (400, json!(-32020)));
        assert_eq!(json_of(&response)["id"], 7, "{name}");
    }
    let encoded = call_with("Mcp-Name", Some("=?base64?bGlzdF9odW1hbnM=?="), &json!(STATED));
    assert_eq!(encoded.status, 200);
}

#[test]
fn a_version_is_stated_and_supported() {
    let response = call_with("MCP-Protocol-Version", Some("2030-01-01"), &json!("2030-01-01"));
    let error = json_of(&response)["error"].take();
    assert_eq!((response.status, &error["code"]), (400, &json!(-32022)));
    assert_eq!(
        error["data"],
        json!({ "supported": [STATED], "requested": "2030-01-01" })
    );
    let text =
        "the version `2030-01-01` of the protocol is not supported, known are `2026-07-28`, `2025-11-25`, `2025-06-18`";
    assert_eq!(error["message"], text);
    let response = call_with("MCP-Protocol-Version", Some("2024-11-05"), &Value::Null);
    check(
        "an old one in the header only",
        (response.status, json_of(&response)),
        (400, json!(-32022)),
    );
    let response = call_with("MCP-Protocol-Version", Some(STATED), &Value::Null);
    check(
        "none in the body",
        (response.status, json_of(&response)),
        (400, json!(-32602)),
    );
}

/// Calls a tool with another value of a header, and with this version in the body.
fn call_with(header: &str, value: Option<&str>, stated: &Value) -> Response {
    let client = Client::new(true);
    let (mut headers, mut body) = client.parts("tools/call", json!({ "name": "list_humans", "arguments": {} }));
    headers.retain(|(name, _)| name != header);
    headers.extend(value.map(|value| (header.to_owned(), value.to_owned())));
    body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = stated.clone();
    client.send(headers, body.to_string().as_bytes())
}

#[test]
fn what_is_no_request_is_rejected() {
    let client = Client::new(false);
    let headers = || client.parts("ping", json!({})).0;
    let cases: [(&str, Vec<u8>, (u16, i64)); 10] = [
        ("no JSON", b"{".to_vec(), (400, -32700)),
        ("nothing", b"".to_vec(), (400, -32700)),
        (
            "a batch",
            br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#.to_vec(),
            (400, -32600),
        ),
        (
            "another version of JSON-RPC",
            br#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#.to_vec(),
            (400, -32600),
        ),
        ("no method", br#"{"jsonrpc":"2.0","id":1}"#.to_vec(), (400, -32600)),
        (
            "an object as id",
            br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#.to_vec(),
            (400, -32600),
        ),
        (
            "null as id",
            br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#.to_vec(),
            (400, -32600),
        ),
        ("a list of members", br#"["2.0",1,"ping",{}]"#.to_vec(), (400, -32600)),
        (
            "params of another form",
            br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#.to_vec(),
            (200, -32602),
        ),
        ("too long", vec![b' '; 300_000], (413, 413)),
    ];
    for (name, body, (status, code)) in cases {
        let response = client.send(headers(), &body);
        check(name, (response.status, json_of(&response)), (status, json!(code)));
    }
    let response = client.send(headers(), br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#);
    assert_eq!(json_of(&response)["error"]["message"], "`params` must be an object");
    let stranger = Client::new(false).without_key();
    assert_eq!(
        stranger
            .send(stranger.parts("ping", json!({})).0, &[b' '; 20_000])
            .status,
        413
    );
}

#[test]
fn a_notification_gets_no_body() {
    for stated in [false, true] {
        let client = Client::new(stated);
        let (headers, mut body) = client.parts("notifications/initialized", json!({}));
        body.as_object_mut().expect("an object").remove("id");
        let response = client.send(headers, body.to_string().as_bytes());
        assert_eq!((response.status, response.body.len()), (202, 0));
        assert_eq!(response.header("content-type"), None);
    }
}

#[test]
fn there_are_no_streams_and_no_foreign_pages() {
    let cases = [
        ("GET", None, 405),
        ("DELETE", None, 405),
        ("PUT", None, 405),
        ("POST", Some("https://evil.example"), 403),
        ("POST", Some("null"), 403),
        ("POST", Some("http://localhost.evil.example"), 403),
        ("POST", Some("http://localhost:5173"), 200),
        ("POST", Some("http://127.0.0.1"), 200),
        ("POST", Some("http://[::1]:80"), 200),
    ];
    let (headers, body) = Client::new(false).parts("ping", json!({}));
    for (method, origin, status) in cases {
        let origin = origin.map(|origin| ("Origin".to_owned(), origin.to_owned()));
        let response = market().service().call(&Request {
            method: method.to_owned(),
            target: "/mcp".to_owned(),
            headers: headers.iter().cloned().chain(origin.clone()).collect(),
            body: Some(body.to_string().into_bytes()),
            peer: None,
        });
        assert_eq!(response.status, status, "{method} {origin:?}");
        assert_eq!(response.header("allow"), (status == 405).then_some("POST"));
    }
    let response = Client::new(false).send(vec![], body.to_string().as_bytes());
    assert_eq!(response.status, 415);
}

#[test]
fn a_wrong_key_is_rejected_at_each_method_and_a_missing_one_at_calls() {
    for stated in [false, true] {
        let wrong = Client::with_key("htd_wrong".to_owned(), stated);
        for method in ["tools/list", "tools/call"] {
            check(
                method,
                wrong.ask(method, json!({ "name": "list_humans" })),
                (401, json!(401)),
            );
        }
        let missing = Client::new(stated).without_key();
        check("a list", missing.ask("tools/list", json!({})), (200, Value::Null));
        let (status, body) = missing.ask("tools/call", json!({ "name": "list_humans" }));
        check("a call", (status, body.clone()), (401, json!(401)));
        let text = body["error"]["message"].as_str().expect("a text");
        assert!(text.contains("X-API-Key"), "{text}");
    }
}

#[test]
fn a_wrong_key_is_reported_before_what_is_wrong_with_the_body() {
    let request = |method: &str, params: Value| {
        json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }).to_string()
    };
    let bodies = [
        (String::new(), 400),
        ("[]".to_owned(), 400),
        (
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string(),
            202,
        ),
        (request("ping", json!({})), 200),
        (request("ping", json!({ "padding": " ".repeat(20 << 10) })), 200),
        (request("tools/unknown", json!({})), 200),
        (request("tools/call", json!({ "name": "unknown" })), 200),
        (
            request("tools/call", json!({ "name": "get_human", "arguments": [] })),
            200,
        ),
        (
            request("tools/call", json!({ "name": "get_human", "arguments": { "id": 0 } })),
            200,
        ),
    ];
    let (right, wrong) = (Client::new(false), Client::with_key("htd_wrong".to_owned(), false));
    for (body, status) in bodies {
        for is_declared in [false, true] {
            let sent = [&right, &wrong].map(|client| {
                let (mut headers, _) = client.parts("ping", json!({}));
                if is_declared {
                    headers.push(("Content-Length".to_owned(), body.len().to_string()));
                }
                client.send(headers, body.as_bytes()).status
            });
            assert_eq!(sent, [status, 401], "{body}");
        }
    }
}

#[test]
fn a_bearer_token_is_the_key_at_this_path_only() {
    let key = market().agent("free").secret;
    let bearer = |scheme: &str| ("Authorization".to_owned(), format!("{scheme} {key}"));
    let (mut headers, body) = Client::new(false)
        .without_key()
        .parts("tools/call", json!({ "name": "list_humans" }));
    headers.push(bearer("bearer"));
    let response = Client::new(false).send(headers.clone(), body.to_string().as_bytes());
    assert_eq!(response.status, 200);
    headers.pop();
    headers.push(bearer("Basic"));
    assert_eq!(
        Client::new(false).send(headers, body.to_string().as_bytes()).status,
        401
    );
    let rest = market().service().call(&Request {
        method: "GET".to_owned(),
        target: "/api/v1/humans".to_owned(),
        headers: vec![bearer("Bearer")],
        ..Request::default()
    });
    assert_eq!(rest.status, 401);
}
