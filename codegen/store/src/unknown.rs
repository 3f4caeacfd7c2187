//! Members of a record that this contract does not know. They are kept when the record is written again, so that a
//! field that was removed from `api.yaml`, or added by a later build, keeps its values until the contract has it
//! again.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use codegen_support::{Stored, StoredMembers, read_stored};
use serde::de::MapAccess;
use serde_json::value::RawValue;

/// A record's members, each with its JSON text.
type Members<'v> = BTreeMap<String, &'v RawValue>;

/// Whether the value of this record has unknown members. This is rare, and the check takes a fifth of the time of
/// [`kept`].
pub(crate) fn are_in<R: for<'de> Stored<'de>>(value: &[u8]) -> serde_json::Result<bool> {
    let mut value = serde_json::Deserializer::from_slice(value);
    let looked: LookedAt<R> = read_stored(&mut value)?;
    value.end()?;
    Ok(looked.has_unknown)
}

/// A record of which only the names of its members are read.
struct LookedAt<R> {
    has_unknown: bool,
    record: PhantomData<R>,
}

impl<'de, R: Stored<'de>> Stored<'de> for LookedAt<R> {
    const MEMBERS: &'static [&'static str] = R::MEMBERS;

    fn read<A: MapAccess<'de>>(members: &mut StoredMembers<A>) -> Result<Self, A::Error> {
        let mut has_unknown = false;
        while let Some(place) = members.next_index()? {
            has_unknown |= place == R::MEMBERS.len();
            members.skip()?;
        }
        Ok(Self {
            has_unknown,
            record: PhantomData,
        })
    }
}

/// The record `value` with the members of its `former` value that `R` does not have. Unknown members of nested objects are not kept:
/// objects of a list cannot be matched.
pub(crate) fn kept<R: for<'de> Stored<'de>>(former: &[u8], mut value: Vec<u8>) -> serde_json::Result<Vec<u8>> {
    let had: Members<'_> = serde_json::from_slice(former)?;
    // What is known and not in the value is null now.
    let unknown = had.into_iter().filter(|(name, _)| !R::MEMBERS.contains(&name.as_str()));
    let unknown: Members<'_> = unknown.collect();
    if !unknown.is_empty() {
        let unknown = serde_json::to_vec(&unknown)?;
        // Every record has an id, so there is something before the comma.
        value.pop();
        value.push(b',');
        value.extend_from_slice(&unknown[1..]);
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record with the members `id` and `name`.
    struct Account;

    impl<'de> Stored<'de> for Account {
        const MEMBERS: &'static [&'static str] = &["id", "name"];

        fn read<A: MapAccess<'de>>(_: &mut StoredMembers<A>) -> Result<Self, A::Error> {
            Ok(Self)
        }
    }

    #[track_caller]
    fn check(former: &str, value: &str, expected: &str) {
        let kept = kept::<Account>(former.as_bytes(), value.into()).expect("objects");
        assert_eq!(String::from_utf8(kept).expect("text"), expected);
    }

    #[test]
    fn what_is_not_known_stays_and_what_is_known_is_as_it_now_is() {
        check(r#"{"id":1,"name":[1, 2]}"#, r#"{"id":1}"#, r#"{"id":1}"#);
        check(
            r#"{"id":1,"z":{"x":1.50},"name":"a","語":"}"}"#,
            r#"{"id":1,"name":"b"}"#,
            r#"{"id":1,"name":"b","z":{"x":1.50},"語":"}"}"#,
        );
    }

    #[test]
    fn what_the_contract_knows_is_looked_for_by_name() {
        let are_in = |value: &str| are_in::<Account>(value.as_bytes()).map_err(|error| error.is_data());
        assert_eq!(are_in(r#"{"id":1,"name":null}"#), Ok(false));
        assert_eq!(are_in(r#"{"id":1,"nickname":"a"}"#), Ok(true));
        assert_eq!(are_in(r#"{"name":{"nickname":"a"}}"#), Ok(false));
        assert_eq!(are_in("[]"), Err(true));
        assert_eq!(are_in(r#"{"id":1"#), Err(false));
        assert_eq!(are_in(r#"{"id":1}}"#), Err(false));
    }

    #[test]
    fn what_is_no_record_is_reported() {
        for former in ["", "[]", r#"{"id":1"#] {
            assert!(kept::<Account>(former.as_bytes(), b"{}".into()).is_err(), "{former}");
        }
    }
}
