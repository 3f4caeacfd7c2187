//! Tools over MCP at `/mcp`: what its clients send, in both eras of the protocol, and what they get.

mod calls;
mod cut;
mod mocked;
mod protocol;
mod sizes;

use crate::world::market;
use conformance::{Request, Response};
use contract::support::Observer;
use contract::{Clock, LimitSettings, Limits};
use serde_json::{Value, json};
use std::sync::Arc;
use test_support::in_process::InProcess;

pub(crate) const STATED: &str = "2026-07-28";

/// A client of the tools.
pub(crate) struct Client {
    service: InProcess,
    key: Option<String>,
    stated: bool,
}

impl Client {
    /// A client with a new agent's key, without limits. `stated`: of the era in which each request states its version.
    pub(crate) fn new(stated: bool) -> Self {
        Self::with_key(market().agent("verified").secret, stated)
    }

    pub(crate) fn with_key(key: String, stated: bool) -> Self {
        Self {
            service: service(&LimitSettings {
                rate_limits: false,
                ..LimitSettings::default()
            }),
            key: Some(key),
            stated,
        }
    }

    /// The same client with limits that nothing has used, in a time that stands still.
    pub(crate) fn limited(self) -> Self {
        self.served_with(&LimitSettings {
            clock: Clock::manual(1_750_000_027),
            ..LimitSettings::default()
        })
    }

    /// The same client of a service that reports its requests.
    pub(crate) fn observed(self, observer: Arc<dyn Observer>) -> Self {
        self.served_with(&LimitSettings {
            rate_limits: false,
            observer: Some(observer),
            ..LimitSettings::default()
        })
    }

    fn served_with(self, settings: &LimitSettings) -> Self {
        let service = service(settings);
        Self { service, ..self }
    }

    pub(crate) fn without_key(self) -> Self {
        Self { key: None, ..self }
    }

    /// The headers and the body of a request.
    pub(crate) fn parts(&self, method: &str, mut params: Value) -> (Vec<(String, String)>, Value) {
        let mut headers = vec![("Content-Type", "application/json".to_owned())];
        if let Some(key) = &self.key {
            headers.push(("X-API-Key", key.clone()));
        }
        if self.stated {
            headers.push(("MCP-Protocol-Version", STATED.to_owned()));
            headers.push(("Mcp-Method", method.to_owned()));
            if let Some(name) = params["name"].as_str() {
                headers.push(("Mcp-Name", name.to_owned()));
            }
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": STATED,
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value));
        let body = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        (headers.collect(), body)
    }

    pub(crate) fn send(&self, headers: Vec<(String, String)>, body: &[u8]) -> Response {
        self.service.call(&Request {
            method: "POST".to_owned(),
            target: "/mcp".to_owned(),
            headers,
            body: Some(body.to_owned()),
            peer: None,
        })
    }

    /// Sends a request, and returns the status and the whole body.
    pub(crate) fn ask(&self, method: &str, params: Value) -> (u16, Value) {
        let (headers, body) = self.parts(method, params);
        let response = self.send(headers, body.to_string().as_bytes());
        (response.status, json_of(&response))
    }

    /// Calls a tool, and returns its result.
    #[track_caller]
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Value {
        let (status, mut body) = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(status, 200, "{tool}: {body}");
        assert!(body["error"].is_null(), "{tool}: {body}");
        body["result"].take()
    }

    /// Calls a tool that succeeds, and returns the `data`.
    #[track_caller]
    pub(crate) fn data(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{tool}: {result}");
        body(&result)["data"].take()
    }

    /// Calls a tool that fails, and returns the text.
    #[track_caller]
    pub(crate) fn error(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        text(&result).to_owned()
    }
}

/// The first text of a result: the body of the operation's response, or an error.
pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().expect("a text")
}

/// The body of the operation's response.
#[track_caller]
pub(crate) fn body(result: &Value) -> Value {
    serde_json::from_str(text(result)).expect("JSON")
}

/// The service of the market. (Its own checks that each request is observed with the status of its response; a tool call
/// is observed with the status of its operation.)
fn service(settings: &LimitSettings) -> InProcess {
    InProcess::from_filter(contract::service_filter(
        market().app(),
        Arc::new(Limits::new(settings)),
    ))
}

pub(crate) fn json_of(response: &Response) -> Value {
    serde_json::from_slice(&response.body).unwrap_or(Value::Null)
}
