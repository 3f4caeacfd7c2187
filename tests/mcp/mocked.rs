//! The tools of the mock: the same as those of the server.

use super::{Client, body, json_of, service};
use crate::histories::MODEL;
use crate::world::roots;

use conformance::Request;
use contract::{Clock, LimitSettings};
use mock::{Mock, Options};
use serde_json::{Value, json};
use test_support::in_process::InProcess;

const TOKEN: &str = "hto_of_the_operator_of_this_test";

/// The mock, and a client of its tools with the key of a new account.
fn mocked(stated: bool) -> (Mock, Client) {
    let options = Options {
        credentials: roots(TOKEN.to_owned()),
        rate_limits: false,
        ..Options::default()
    };
    let mock = Mock::new(&MODEL, options);
    let headers = [("X-Operator-Token", TOKEN), ("Content-Type", "application/json")];
    let created = InProcess::mocked(mock.clone(), Clock::manual(1_750_000_027)).call(&Request {
        method: "POST".to_owned(),
        target: "/operator/v1/accounts".to_owned(),
        headers: headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        body: Some(json!({ "name": "Agent", "plan": "verified" }).to_string().into_bytes()),
        peer: None,
    });
    let key = json_of(&created)["data"]["key"].as_str().expect("a key").to_owned();
    let tools = mock.tools();
    assert_eq!(tools.iter().map(|tools| tools.path).collect::<Vec<_>>(), ["/mcp"]);
    let service = InProcess::from_filter(tools[0].filter.clone());
    let client = Client {
        service,
        key: Some(key),
        stated,
    };
    (mock, client)
}

#[test]
fn the_mock_describes_itself_as_the_server_does() {
    for (stated, methods) in [
        (false, ["tools/list", "initialize"]),
        (true, ["tools/list", "server/discover"]),
    ] {
        let (_, mock) = mocked(stated);
        let server = Client {
            service: service(&LimitSettings::default()),
            key: None,
            stated,
        };
        for method in methods {
            assert_eq!(mock.ask(method, json!({})), server.ask(method, json!({})), "{method}");
        }
    }
}

#[test]
fn a_tool_of_the_mock_is_a_request_to_it() {
    for stated in [false, true] {
        let (_, client) = mocked(stated);
        let wanted = json!({ "title": "t", "description": "d", "budget": 1, "idempotency_key": "k" });
        let made = client.data("create_bounty", wanted.clone());
        let again = client.call("create_bounty", wanted);
        assert_eq!(body(&again)["data"], made);
        assert_eq!(again["_meta"]["hitode/replayed"], true, "{again}");
        let mine = client.call("list_my_bounties", json!({ "limit": 1 }));
        assert_eq!(body(&mine)["data"][0]["id"], made["id"], "{mine}");
        let near = client.call("list_humans", json!({ "state": "Tokio" }));
        assert_eq!(
            near["content"][1]["text"], "Nothing has this `state`. Did you mean `Tokyo`?",
            "{near}"
        );
    }
}

#[test]
fn errors_of_the_mock_are_those_of_the_server() {
    let ((_, mock), server) = (mocked(true), Client::new(true));
    for (tool, arguments) in [
        ("get_human", json!({ "id": 999_999_999 })),
        ("get_human", json!({})),
        ("get_human", json!({ "id": [1] })),
        ("list_humans", json!({ "limit": 0, "skil": "x" })),
        ("create_bounty", json!({ "title": "t" })),
        ("create_bounty", json!({ "titel": "t", "limit": 1 })),
        ("decide_application", json!({ "bounty_id": 1, "appId": 2 })),
        ("list_events", json!({ "types": ["bounty.updated"], "page": 1 })),
    ] {
        assert_eq!(
            mock.error(tool, arguments.clone()),
            server.error(tool, arguments.clone()),
            "{tool} {arguments}"
        );
    }
    let ask = |client: Client| client.without_key().ask("tools/call", json!({ "name": "list_humans" }));
    let without: [(u16, Value); 2] = [ask(mock), ask(server)];
    assert_eq!(without[0], without[1]);
    assert_eq!(without[0].0, 401);
}
