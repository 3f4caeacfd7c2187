//! Requests with idempotency keys: each is done once, and its answer is kept with what it changed.

use crate::envelope::{Rejection, reject};
use crate::exchange::{Claimed, Exchange, Response};
use crate::headers;
use crate::mock::{Mock, State};
use crate::store::Record;
use crate::validation_errors::Faults;
use crate::value::{self, Value};
use bytes::Bytes;
use codegen::model::{Kind, Operation};
use codegen::step::Step;
use http::{HeaderMap, HeaderName, HeaderValue};
use sha2::{Digest as _, Sha256};

/// The table of kept answers, and its fields.
pub(crate) const TABLE: &str = "#answers";
/// The digest of the caller and the key.
pub(crate) const KEY: &str = "key";
const REQUEST: &str = "request";
const BODY: &str = "body";
const HEADERS: &str = "headers";
const MADE: &str = "made";
const EXPIRES: &str = "expires";

impl Mock {
    /// The key that was sent, or what is wrong with it.
    pub(crate) fn sent_key(&self, operation: &Operation, headers: &HeaderMap) -> Result<Option<String>, Faults> {
        let declared = self
            .model
            .idempotency
            .as_ref()
            .filter(|_| operation.keep_seconds.is_some());
        let Some(declared) = declared else { return Ok(None) };
        let header = &declared.header;
        let mut sent = headers.get_all(header.text.as_str()).iter();
        match (sent.next(), sent.next()) {
            (None, _) => Ok(None),
            (Some(one), None) => match parsed(one.as_bytes()) {
                Some(key) => Ok(Some(key)),
                None => Err(Faults::one(
                    format!("`{header}` must be 1 to 255 visible ASCII characters, bare or in double quotes"),
                    &format!("{header};key"),
                )),
            },
            (Some(_), Some(_)) => Err(Faults::one(
                format!("`{header}` must be sent once"),
                &format!("{header};repeated"),
            )),
        }
    }

    /// Looks the key up: the request goes on, is rejected, or gets the kept answer.
    pub(crate) fn check_key(
        &self,
        state: &mut State,
        exchange: &mut Exchange,
        body: &Bytes,
        now: u64,
    ) -> Result<(), Rejection> {
        let Some(key) = exchange.key.take() else { return Ok(()) };
        let caller = match exchange.caller.as_ref().and_then(|caller| caller.record.as_ref()) {
            Some((resource, id)) => format!("{resource} {id}"),
            None => exchange.surface.credential.clone().unwrap_or_default(),
        };
        let claimed = Claimed {
            key: hashed(&[&caller, &key]),
            request: self.fingerprint(exchange, body),
        };
        let kept = state.store.holder(&claimed.key).map(|(_, id, _)| id);
        let record = kept.and_then(|id| Some((id, state.store.get(TABLE, id)?.clone())));
        let number = |record: &Record, field: &str| record.get(field).and_then(Value::as_integer).unwrap_or_default();
        match record {
            Some((id, record)) if number(&record, EXPIRES) <= now as i64 => state.store.set(TABLE, id, None),
            None => {}
            Some((_, record)) => {
                if record.get(REQUEST).and_then(Value::as_text) != Some(&claimed.request) {
                    return Err(reject(self.model, Step::KeyReused, &[]));
                }
                let Some(body) = record.get(BODY).and_then(Value::as_text) else {
                    let made = record.get(MADE).map(Value::written).unwrap_or_default();
                    return Err(self.reject_secret(exchange.operation, &made));
                };
                exchange.replayed = Some(body.to_owned());
                exchange.headers.extend(headers::read(record.get(HEADERS)));
            }
        }
        exchange.claimed = Some(claimed);
        Ok(())
    }

    fn reject_secret(&self, operation: &Operation, made: &str) -> Rejection {
        let resource = operation.made_id().map(|(_, resource)| self.model.resource(resource));
        let noun = resource.map_or("", |resource| resource.noun.as_str());
        reject(self.model, Step::KeySecret, &[("noun", noun), ("id", made)])
    }

    /// The kept answer.
    pub(crate) fn replay(&self, exchange: &Exchange, body: String) -> Response {
        let mut response = self.respond(
            exchange.operation.status,
            Bytes::from(body),
            &exchange.request_id,
            &exchange.headers,
        );
        let replayed = self.model.idempotency.as_ref().map(|keys| keys.replayed.as_bytes());
        if let Some(Ok(name)) = replayed.map(HeaderName::from_bytes) {
            response.headers_mut().insert(name, HeaderValue::from_static("true"));
        }
        response
    }

    /// Keeps an answer. Of one with a secret, the id of what was made.
    pub(crate) fn keep_answer(
        &self,
        state: &mut State,
        exchange: &mut Exchange,
        data: Option<&Value>,
        response: &Response,
        now: u64,
    ) {
        let (Some(claimed), Some(seconds)) = (exchange.claimed.take(), exchange.operation.keep_seconds) else {
            return;
        };
        let expires = (now + u64::from(seconds)) as i64;
        let mut record = Record::from([
            (KEY.to_owned(), Value::text(&claimed.key)),
            (REQUEST.to_owned(), Value::text(&claimed.request)),
            (EXPIRES.to_owned(), Value::integer(expires)),
        ]);
        if exchange.operation.shows_secret() {
            let id = exchange
                .operation
                .made_id()
                .and_then(|(field, _)| data?.member(&field.name));
            record.extend(id.map(|id| (MADE.to_owned(), id.clone())));
        } else {
            let body = String::from_utf8_lossy(response.body()).into_owned();
            record.insert(BODY.to_owned(), Value::text(body));
            record.insert(
                HEADERS.to_owned(),
                headers::kept(exchange.operation, response.headers()),
            );
        }
        let id = state.store.next_id(TABLE);
        state.store.set(TABLE, id, Some(record));
    }

    /// What makes a request the same: its operation, the ids in its path, its query, and its body without regard to white
    /// space, the order of members, and how a number is written.
    fn fingerprint(&self, exchange: &Exchange, body: &Bytes) -> String {
        let operation = format!("{}.{}", exchange.surface.name, exchange.operation.name);
        let path = exchange
            .operation
            .path
            .iter()
            .filter(|field| matches!(field.of.kind, Kind::Id(_)));
        let ids = path.filter_map(|field| exchange.input.path(&field.name));
        let ids: Vec<String> = ids.map(Value::to_string).collect();
        let body = match exchange.operation.body {
            Some(_) => value::parse(body).map_or_else(|_| String::new(), |body| canonical(body).to_string()),
            None => {
                let content = exchange.content.as_ref();
                content.map_or_else(String::new, |file| hashed(&[&file.media_type, &file.digest()]))
            }
        };
        let query = exchange.parts.uri.query().unwrap_or_default();
        hashed(&[&operation, &ids.join(","), query, &body])
    }
}

/// The same value with the members of each object in the order of their names, and each number written as JSON's reader
/// understands it: `1e2` is `100.0`.
fn canonical(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members
                .into_iter()
                .map(|(name, value)| (name, canonical(value)))
                .collect();
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            Value::Object(members)
        }
        Value::List(items) => Value::List(items.into_iter().map(canonical).collect()),
        Value::Number(literal) => {
            let number = serde_json::from_str::<serde_json::Number>(&literal);
            Value::Number(number.map_or(literal, |number| number.to_string()))
        }
        value => value,
    }
}

fn hashed(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    let digest = hash.finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A key: bare, or a string in double quotes.
fn parsed(sent: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(sent).ok()?;
    let key = if let Some(rest) = text.strip_prefix('"') {
        let mut key = String::new();
        let mut characters = rest.strip_suffix('"')?.chars();
        while let Some(character) = characters.next() {
            match character {
                '"' => return None,
                '\\' => key.push(characters.next().filter(|escaped| "\\\"".contains(*escaped))?),
                other => key.push(other),
            }
        }
        key
    } else {
        text.to_owned()
    };
    let is_visible = key.chars().all(|character| ('!'..='~').contains(&character));
    (is_visible && !key.is_empty() && key.len() < 256).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::{canonical, parsed};
    use crate::value;

    #[test]
    fn order_and_notation_make_no_difference() {
        let canonical = |body: &[u8]| canonical(value::parse(body).unwrap()).to_string();
        assert_eq!(
            canonical(br#"{"b":[1e5,-0.0],"a":{"d":1,"c":2.50}}"#),
            canonical(br#"{ "a": {"c": 2.5, "d": 1}, "b": [100000.0, -0.0] }"#)
        );
        assert_ne!(canonical(b"1"), canonical(b"2"));
    }

    #[test]
    fn a_key_is_bare_or_quoted() {
        let check = |sent: &str, key: Option<&str>| assert_eq!(parsed(sent.as_bytes()).as_deref(), key, "{sent}");
        for sent in ["k-1", "\"k-1\""] {
            check(sent, Some("k-1"));
        }
        check(r#""a\"b""#, Some("a\"b"));
        check(&"k".repeat(255), Some(&"k".repeat(255)));
        let too_long = "k".repeat(256);
        for sent in [
            "", "\"\"", "\"", "\"k", "\"k\\\"", "a b", "\"a\"b\"", "\u{e9}", &too_long,
        ] {
            check(sent, None);
        }
    }
}
