//! Calls in handwritten tests: the operation, the caller and the body; and the answer.

use conformance::{Caller, Op, Request, Response};
use serde_json::{Value, json};

/// `op!(courier::announce_parcel)`
macro_rules! op {
    ($surface:ident :: $operation:ident) => {
        conformance::Op {
            method: lockers::$surface::$operation::METHOD,
            path: lockers::$surface::$operation::PATH,
        }
    };
}
pub(crate) use op;

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) request: Request,
    pub(crate) response: Response,
}

impl Reply {
    /// The whole body.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let body = &self.response.body;
        serde_json::from_slice(body).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(body)))
    }

    /// The `result` of a success; panics for any other answer.
    #[track_caller]
    pub(crate) fn result(&self) -> Value {
        let body = String::from_utf8_lossy(&self.response.body);
        let status = self.response.status;
        assert!(status < 300, "{}\n{status} {body}", self.request.curl());
        self.json()["result"].take()
    }

    /// The error response as `STATUS CODE: DETAIL`; the body must be exactly the contract's envelope of an error.
    #[track_caller]
    pub(crate) fn error_line(&self) -> String {
        let json = self.json();
        let (status, error) = (self.response.status, &json["error"]);
        let [code, title, detail] = ["code", "title", "detail"].map(|name| &error[name]);
        let name = self.header("lockers-request");
        let mut wanted = json!({
            "ok": false,
            "error": { "status": status, "code": code, "title": title, "detail": detail },
            "at": { "path": self.request.target.split('?').next(), "time": json["at"]["time"], "request_id": name },
        });
        if let Some(faults) = json.get("faults") {
            let texts = faults
                .as_array()
                .expect("a list")
                .iter()
                .map(|fault| text(&fault["text"]));
            assert!(texts.clone().count() > 0 && text(detail).contains(&texts.collect::<Vec<_>>().join("; ")));
            wanted["faults"] = faults.clone();
        }
        assert_eq!(json, wanted);
        assert_eq!(self.header("content-type"), "application/vnd.lockers.error+json");
        assert!(text(title).len() > 3 && text(&json["at"]["time"]).ends_with('Z'));
        assert_eq!(name.len(), 16);
        format!("{status} {}: {}", text(code), text(detail))
    }

    /// The value of a header; empty if it is absent.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.response.header(name).unwrap_or_default()
    }
}

/// The request of a call.
pub(crate) fn request(caller: &Caller, op: Op, ids: &[i64], query: &str, body: Option<Value>) -> Request {
    let header = match caller.kind {
        "terminal_key" => Some(lockers::terminal_key::HEADER),
        "pass" => Some(lockers::pass::HEADER),
        "badge" => Some(lockers::badge::HEADER),
        _ => None,
    };
    let credential = header.map(|header| (header, caller.secret.as_str()));
    op.request(credential, ids, query, body.as_ref())
}

/// A number of an answer.
#[track_caller]
pub(crate) fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// A text of an answer.
#[track_caller]
pub(crate) fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is no text"))
        .to_owned()
}
