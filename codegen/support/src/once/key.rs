//! The idempotency key of a request.

use super::AnswerId;
use crate::exchange::Exchange;
use crate::fault::{Code, Fault};
use crate::id::AnyId;
use crate::validation_errors::ValidationErrors;
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// A key: 1 to 255 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// The key of a request, if it was sent. `header` carries it, or the argument of a tool.
    pub fn from_request(exchange: &Exchange, header: &'static str, errors: &mut ValidationErrors) -> Option<Self> {
        let (name, sent) = exchange.idempotency_keys(header);
        match sent.as_slice() {
            [] => None,
            [one] => {
                let key = Self::parse(one);
                if key.is_none() {
                    let text = "must be 1 to 255 visible ASCII characters, bare or in double quotes";
                    errors.report_member(name, &Fault::new(Code::Key, text));
                }
                key
            }
            _ => {
                errors.report_member(name, &Fault::new(Code::Repeated, "must be sent once"));
                None
            }
        }
    }

    /// Reads a key: bare, or a string of RFC 9651. `None` if it is neither.
    pub fn parse(sent: &[u8]) -> Option<Self> {
        let key = match sent.strip_prefix(b"\"") {
            None => Cow::Borrowed(sent),
            Some(quoted) => unquoted(quoted)?.into(),
        };
        let is_valid = (1..=255).contains(&key.len()) && key.iter().all(u8::is_ascii_graphic);
        let key = String::from_utf8(key.into_owned()).ok()?;
        is_valid.then_some(Self(key))
    }

    /// The key of a caller whose id is a UUID with these halves. No other caller has the same one.
    #[must_use]
    pub fn of_caller_with_uuid(self, halves: [i64; 2]) -> Self {
        // A key that was sent has no space.
        Self(format!("{} {}", AnyId::Uuid(halves), self.0))
    }

    /// Where the answer is stored that a caller gets for this key. Callers are told apart by kind and id.
    pub(super) fn of_caller(&self, (kind, id): (&str, Option<i64>)) -> AnswerId {
        let mut hash = Sha256::new_with_prefix((kind.len() as u64).to_be_bytes());
        hash.update(kind);
        hash.update(id.unwrap_or_default().to_be_bytes());
        hash.update(&self.0);
        hash.finalize().into()
    }
}

/// The characters of a string after its first quote. `None` if it does not end with the other one.
fn unquoted(quoted: &[u8]) -> Option<Vec<u8>> {
    let mut rest = quoted.strip_suffix(b"\"")?.iter();
    let mut characters = Vec::with_capacity(rest.len());
    while let Some(character) = rest.next() {
        characters.push(match character {
            b'"' => return None,
            b'\\' => *rest.next().filter(|escaped| matches!(escaped, b'"' | b'\\'))?,
            _ => *character,
        });
    }
    Some(characters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(sent: &str) -> Option<String> {
        IdempotencyKey::parse(sent.as_bytes()).map(|key| key.0)
    }

    #[test]
    fn a_key_is_bare_or_quoted() {
        for sent in ["8e03978e-40d5", "\"8e03978e-40d5\""] {
            assert_eq!(parsed(sent).as_deref(), Some("8e03978e-40d5"));
        }
        assert_eq!(parsed(r#""a\"b\\c""#).as_deref(), Some(r#"a"b\c"#));
        assert_eq!(parsed(&"k".repeat(255)), Some("k".repeat(255)));
        assert_eq!(parsed("a\"").as_deref(), Some("a\""));
    }

    #[test]
    fn other_values_are_none() {
        let too_long = "k".repeat(256);
        for sent in [
            "",
            "\"\"",
            "\"",
            "a b",
            "\"a b\"",
            "\"a",
            "\"a\\b\"",
            "\"a\\\"",
            "\"a\";p=1",
            "ключ",
            &too_long,
        ] {
            assert_eq!(parsed(sent), None, "{sent}");
        }
    }

    #[test]
    fn keys_of_other_callers_are_others() {
        let key = IdempotencyKey("k".to_owned());
        let id = key.of_caller(("Account", Some(1)));
        assert_eq!(id, key.of_caller(("Account", Some(1))));
        for other in [("Account", Some(2)), ("Human", Some(1)), ("Account", None)] {
            assert_ne!(id, key.of_caller(other));
        }
    }
}
