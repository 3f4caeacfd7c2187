//! Requests of handwritten tests: an operation by its method and path, which a contract's crate provides.

use crate::exchange::Request;
use serde_json::Value as Json;

/// An operation in a contract's crate.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    /// Its HTTP method.
    pub method: &'static str,
    /// Its whole path, parameters written `:name`.
    pub path: &'static str,
}

impl Op {
    /// The request: `ids` replace the path's parameters, `query` follows them if it is not empty, and `credential` is a
    /// header's name and value.
    #[track_caller]
    pub fn request(self, credential: Option<(&str, &str)>, ids: &[i64], query: &str, body: Option<&Json>) -> Request {
        let mut ids = ids.iter();
        let segments = self.path.split('/').map(|segment| match segment.strip_prefix(':') {
            Some(_) => ids.next().expect("an id for each parameter").to_string(),
            None => segment.to_owned(),
        });
        let path = segments.collect::<Vec<_>>().join("/");
        let mark = if query.is_empty() { "" } else { "?" };
        let json = body.map(|_| ("Content-Type", "application/json"));
        let headers = credential.into_iter().chain(json);
        Request {
            method: self.method.to_owned(),
            target: format!("{path}{mark}{query}"),
            headers: headers
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            body: body.map(|body| body.to_string().into_bytes()),
            peer: None,
        }
    }
}
