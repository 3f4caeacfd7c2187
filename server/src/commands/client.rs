//! One call of a running server: the request, its timeouts, and the meaning of the answer. Each call has its own
//! connection, so that none fails on one that the server has closed. Knows the envelope and the generated part of the
//! contract, nothing else of it.

use std::io::Read;

use contract::{IDEMPOTENCY_KEY, operator_token};
use http::Request;
use http::header::CONTENT_TYPE;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use super::call_error::{CONNECT_TIMEOUT, CallError, RESPONSE_TIMEOUT, from_response, from_transport};
use crate::http::BACKUP_PATH;
use crate::operator_token::Source;

/// More than any answer of the server. The longest is the list of ids of one import.
const LONGEST_ANSWER: u64 = 16 << 20;

/// Calls one server.
pub(super) struct Client {
    agent: Agent,
    url: String,
    operator: Operator,
}

/// The operator's token and its source.
pub(super) struct Operator {
    pub(super) token: String,
    pub(super) source: Source,
}

/// A credential of any surface.
pub(super) struct Credential<'a> {
    pub(super) header: &'static str,
    pub(super) secret: &'a str,
}

/// The target of a call: a method, and a path with a query.
#[derive(Debug, Clone)]
pub(super) struct Operation {
    method: &'static str,
    path: String,
    query: String,
    key: Option<String>,
}

/// The content of a success.
#[derive(Debug)]
pub(super) struct Answer {
    /// The member `data`; null if it is missing.
    pub(super) content: Value,
    /// The member `total` of a list.
    pub(super) total: Option<u64>,
    /// The member `message`.
    pub(super) message: Option<String>,
}

impl Operation {
    /// An operation of the contract, by its generated constants.
    pub(super) fn new(method: &'static str, path: &str) -> Operation {
        Operation {
            method,
            path: path.to_owned(),
            query: String::new(),
            key: None,
        }
    }

    /// Replaces the path's first parameter, written `:name`, by `id`.
    pub(super) fn on(mut self, id: i64) -> Operation {
        let mut segments: Vec<&str> = self.path.split('/').collect();
        let id = id.to_string();
        if let Some(first) = segments.iter_mut().find(|segment| segment.starts_with(':')) {
            *first = &id;
        }
        self.path = segments.join("/");
        self
    }

    /// Sends this idempotency key.
    pub(super) fn keyed(mut self, key: &str) -> Operation {
        self.key = Some(key.to_owned());
        self
    }

    /// Adds a parameter to the query.
    pub(super) fn with(mut self, name: &str, value: &str) -> Operation {
        self.query.push(if self.query.is_empty() { '?' } else { '&' });
        self.query += &format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC));
        self
    }
}

/// A value as a request's body.
pub(super) fn body(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

impl Client {
    /// Calls the server at `url`, which has no trailing slash. TLS trusts the authorities of the system and those of
    /// the operator (`SSL_CERT_FILE`); if the system has none, those of the web.
    pub(super) fn new(url: String, operator: Operator) -> Client {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(0)
            // Only the server may see a token.
            .proxy(None)
            .tls_config(TlsConfig::builder().root_certs(trusted(&url)).build())
            .timeout_resolve(Some(CONNECT_TIMEOUT))
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_send_request(Some(RESPONSE_TIMEOUT))
            .timeout_send_body(Some(RESPONSE_TIMEOUT))
            .timeout_recv_response(Some(RESPONSE_TIMEOUT))
            .timeout_recv_body(Some(RESPONSE_TIMEOUT))
            .build();
        Client {
            agent: config.into(),
            url,
            operator,
        }
    }

    /// Calls as the operator.
    pub(super) fn operator(&self, operation: &Operation, body: Vec<u8>) -> Result<Answer, CallError> {
        let credential = Credential {
            header: operator_token::HEADER,
            secret: &self.operator.token,
        };
        self.call(&credential, operation, body)
            .map_err(|error| error.with_token_source(&self.operator.source))
    }

    /// Calls with `credential`. An empty body means no body.
    pub(super) fn call(
        &self,
        credential: &Credential<'_>,
        operation: &Operation,
        body: Vec<u8>,
    ) -> Result<Answer, CallError> {
        let request = Request::builder()
            .method(operation.method)
            .uri(format!("{}{}{}", self.url, operation.path, operation.query))
            .header(credential.header, credential.secret);
        let request = match &operation.key {
            Some(key) => request.header(IDEMPOTENCY_KEY, key),
            None => request,
        };
        let sent = match body.is_empty() {
            true => request
                .body(())
                .map_err(ureq::Error::from)
                .and_then(|it| self.agent.run(it)),
            false => request
                .header(CONTENT_TYPE, "application/json")
                .body(body)
                .map_err(ureq::Error::from)
                .and_then(|it| self.agent.run(it)),
        };
        let transport = |error| from_transport(error, &self.url);
        let (head, body) = sent.map_err(transport)?.into_parts();
        let bytes = body
            .into_with_config()
            .limit(LONGEST_ANSWER)
            .read_to_vec()
            .map_err(transport)?;
        let envelope: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        match (head.status.is_success(), envelope["success"].as_bool()) {
            (true, Some(true)) => Ok(Answer {
                total: envelope["total"].as_u64(),
                message: envelope["message"].as_str().map(str::to_owned),
                content: envelope["data"].clone(),
            }),
            _ => Err(from_response(&head, envelope["error"].as_str(), &self.url)),
        }
    }

    /// The backup that the server writes. It takes as long as it takes.
    pub(super) fn backup(&self) -> Result<impl Read + use<>, CallError> {
        let request = Request::get(format!("{}{BACKUP_PATH}", self.url));
        let request = request.header(operator_token::HEADER, &self.operator.token).body(());
        let sent = request.map_err(ureq::Error::from).and_then(|request| {
            let request = self.agent.configure_request(request).timeout_recv_body(None).build();
            self.agent.run(request)
        });
        let (head, body) = sent.map_err(|error| from_transport(error, &self.url))?.into_parts();
        if head.status.is_success() {
            return Ok(body.into_reader());
        }
        let text = body.into_with_config().limit(LONGEST_ANSWER).read_to_vec();
        let answer: Value = text.map_or(Value::Null, |text| serde_json::from_slice(&text).unwrap_or_default());
        Err(from_response(&head, answer["error"].as_str(), &self.url).with_token_source(&self.operator.source))
    }
}

fn trusted(url: &str) -> RootCerts {
    // Loading them takes time, and most servers are called without TLS.
    let known = match url.starts_with("https") {
        true => rustls_native_certs::load_native_certs().certs,
        false => Vec::new(),
    };
    match known.is_empty() {
        true => RootCerts::WebPki,
        false => RootCerts::new_with_certs(
            &known
                .iter()
                .map(|one| Certificate::from_der(one).to_owned())
                .collect::<Vec<_>>(),
        ),
    }
}

/// How many rows of a list are requested at once: the maximum of every list, because agents have rate limits.
const PAGE: u64 = 100;

/// At most `most` rows of a list after the first `skip`, and the number of all if the list states it. Its parameters `size` and
/// `offset` choose a page.
pub(super) fn some_rows(
    operation: &Operation,
    (size, offset): (&str, &str),
    (most, skip): (u64, u64),
    mut call: impl FnMut(&Operation) -> Result<Answer, CallError>,
) -> Result<(Vec<Value>, Option<u64>), CallError> {
    let (mut rows, mut total) = (Vec::new(), None);
    loop {
        let read = rows.len() as u64;
        let (asked, before) = (PAGE.min(most - read), skip.saturating_add(read));
        if asked == 0 || total == Some(before) {
            return Ok((rows, total));
        }
        let page = operation.clone().with(size, &asked.to_string());
        let mut page = call(&page.with(offset, &before.to_string()))?;
        total = page.total;
        match page.content.as_array_mut().filter(|more| !more.is_empty()) {
            Some(more) => rows.append(more),
            None => return Ok((rows, total)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_takes_an_id_and_a_query() {
        let operation = Operation::new("GET", "/a/:id/b/:key")
            .on(7)
            .on(8)
            .with("x", "東京 &1")
            .with("y", "2");
        assert_eq!(operation.path, "/a/7/b/8");
        assert_eq!(operation.query, "?x=%E6%9D%B1%E4%BA%AC%20%261&y=2");
    }
}
