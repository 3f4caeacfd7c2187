//! The fingerprint of a request: equal requests have equal ones, whatever the white space, the order of members and the
//! notation of numbers in their bodies.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use sha2::{Digest, Sha256};
use std::fmt;

/// A SHA-256 digest.
pub(super) type Fingerprint = [u8; 32];

/// The fingerprint of a request, with that of its body.
pub(super) fn of_request(operation: &str, ids: &[i64], query: Option<&str>, body: &Fingerprint) -> Fingerprint {
    let mut hash = Sha256::new();
    for part in [operation, query.unwrap_or_default()] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    ids.iter().for_each(|id| hash.update(id.to_be_bytes()));
    hash.update(body);
    hash.finalize().into()
}

/// The fingerprint of a body that was decoded before. A body that is no JSON, because the operation takes none, counts
/// as an empty one.
pub(super) fn of_json(body: &[u8]) -> Fingerprint {
    serde_json::from_slice::<Hashed>(body).map_or([0; 32], |hashed| hashed.0)
}

/// The digest of a JSON value. The kind of value is its first byte.
struct Hashed(Fingerprint);

impl Hashed {
    fn from_bytes(kind: u8, bytes: &[u8]) -> Self {
        Self(Sha256::new().chain_update([kind]).chain_update(bytes).finalize().into())
    }
}

impl<'de> Deserialize<'de> for Hashed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Hasher)
    }
}

struct Hasher;

impl<'de> Visitor<'de> for Hasher {
    type Value = Hashed;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Hashed, E> {
        Ok(Hashed::from_bytes(b'n', b""))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Hashed, E> {
        Ok(Hashed::from_bytes(b'b', &[value.into()]))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Hashed, E> {
        Ok(Hashed::from_bytes(b'u', &number.to_be_bytes()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Hashed, E> {
        Ok(Hashed::from_bytes(b'i', &number.to_be_bytes()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Hashed, E> {
        Ok(Hashed::from_bytes(b'f', &number.to_be_bytes()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Hashed, E> {
        Ok(Hashed::from_bytes(b't', text.as_bytes()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Hashed, A::Error> {
        let mut hash = Sha256::new_with_prefix(b"l");
        while let Some(Hashed(item)) = items.next_element()? {
            hash.update(item);
        }
        Ok(Hashed(hash.finalize().into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Hashed, A::Error> {
        let mut members = Vec::new();
        while let Some((Hashed(name), Hashed(value))) = map.next_entry()? {
            members.push([name, value]);
        }
        members.sort_unstable();
        let hash = Sha256::new_with_prefix(b"o").chain_update(members.as_flattened().as_flattened());
        Ok(Hashed(hash.finalize().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(json: &str) -> Fingerprint {
        of_json(json.as_bytes())
    }

    #[test]
    fn white_space_the_order_of_members_and_notation_make_no_difference() {
        let sent = body(r#"{"a":{"b":1,"c":[1e5,"x"]},"d":null}"#);
        assert_eq!(
            sent,
            body("{ \"d\" : null,\n \"a\": {\"c\": [100000.0, \"\\u0078\"], \"b\": 1} }")
        );
    }

    #[test]
    fn all_else_makes_one() {
        let all = [
            "{}",
            "[]",
            "null",
            "true",
            "false",
            "0",
            "-1",
            "1",
            "1.5",
            "\"1\"",
            "[1]",
            "[[1]]",
            "[1,1]",
            "[2,1]",
            "[1,2]",
            r#"{"a":1}"#,
            r#"{"a":"1"}"#,
            r#"{"b":1}"#,
            r#"{"a":1,"b":1}"#,
            r#"{"a":{"b":1}}"#,
            "",
        ];
        let mut different: Vec<_> = all.iter().map(|json| body(json)).collect();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), all.len());
    }

    #[test]
    fn each_part_of_a_request_counts() {
        let empty = body("{}");
        let request = of_request("agent.create", &[1, 2], Some("a=1"), &empty);
        for other in [
            of_request("agent.other", &[1, 2], Some("a=1"), &empty),
            of_request("agent.create", &[2, 1], Some("a=1"), &empty),
            of_request("agent.create", &[1, 2], None, &empty),
            of_request("agent.create", &[1, 2], Some("a=1"), &body("[]")),
        ] {
            assert_ne!(request, other);
        }
    }
}
