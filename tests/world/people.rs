//! Calls in handwritten tests: the operation, the caller and the body.

use super::Service;
use conformance::{Caller, Op, Request, Response};
use serde_json::Value;

/// `op!(agent::create_bounty)`
macro_rules! op {
    ($surface:ident :: $operation:ident) => {
        conformance::Op {
            method: contract::$surface::$operation::METHOD,
            path: contract::$surface::$operation::PATH,
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
    /// The status.
    pub(crate) fn status(&self) -> u16 {
        self.response.status
    }

    /// The whole body.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.response.body).unwrap_or(Value::Null)
    }

    /// The text of an error.
    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_owned()
    }

    /// The `data` of a success; panics for any other answer.
    #[track_caller]
    pub(crate) fn data(&self) -> Value {
        let body = String::from_utf8_lossy(&self.response.body);
        assert!(self.status() < 300, "{}\n{} {body}", self.request.curl(), self.status());
        self.json()["data"].take()
    }

    /// Checks the status, and returns the text of the error.
    #[track_caller]
    pub(crate) fn rejected(&self, status: u16) -> String {
        let body = String::from_utf8_lossy(&self.response.body);
        assert_eq!(self.status(), status, "{}\n{body}", self.request.curl());
        self.error()
    }
}

/// A service that tests can call.
pub(crate) trait Api {
    /// Sends a request and waits for the answer.
    fn answer(&self, request: &Request) -> Response;

    /// Calls an operation: `ids` replace the path's parameters.
    fn call(&self, caller: &Caller, op: Op, ids: &[i64], query: &str, body: Option<Value>) -> Reply {
        let request = request(caller, op, ids, query, body);
        let response = self.answer(&request);
        Reply { request, response }
    }

    /// Reads.
    fn get(&self, caller: &Caller, op: Op, ids: &[i64], query: &str) -> Reply {
        self.call(caller, op, ids, query, None)
    }

    /// Sends a file.
    fn upload(&self, caller: &Caller, query: &str, (media_type, bytes): (&str, &[u8])) -> Reply {
        let op = match caller.kind {
            "api_key" => op!(agent::create_file),
            _ => op!(worker::create_file),
        };
        let mut request = request(caller, op, &[], query, None);
        let content_type = ("Content-Type".to_owned(), media_type.to_owned());
        request.headers.push(content_type);
        request.body = Some(bytes.to_vec());
        let response = self.answer(&request);
        Reply { request, response }
    }

    /// Writes.
    fn send(&self, caller: &Caller, op: Op, ids: &[i64], body: Value) -> Reply {
        self.call(caller, op, ids, "", Some(body))
    }
}

impl Api for Service {
    fn answer(&self, request: &Request) -> Response {
        Service::call(self, request)
    }
}

/// The request of a call.
pub(crate) fn request(caller: &Caller, op: Op, ids: &[i64], query: &str, body: Option<Value>) -> Request {
    let header = match caller.kind {
        "api_key" => contract::api_key::HEADER,
        "worker_token" => contract::worker_token::HEADER,
        _ => contract::operator_token::HEADER,
    };
    op.request(Some((header, &caller.secret)), ids, query, body.as_ref())
}
