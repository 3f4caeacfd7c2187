//! Members of a record that this contract does not know: they stay with the record when it is written again, so that a
//! field that was taken out of `api.yaml`, or that a later build had put in, has its values when it comes back.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// A record's own members, each with its text.
type Members<'v> = BTreeMap<String, &'v RawValue>;

/// The record `value` with the members of its `former` value that it has not. A member of an object inside of it is not
/// kept: nothing says which object of a list was which.
pub(super) fn kept(former: &[u8], mut value: Vec<u8>) -> serde_json::Result<Vec<u8>> {
    let (had, has): (Members<'_>, Members<'_>) = (serde_json::from_slice(former)?, serde_json::from_slice(&value)?);
    let unknown: Members<'_> = had.into_iter().filter(|(name, _)| !has.contains_key(name)).collect();
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

    #[track_caller]
    fn check(former: &str, value: &str, expected: &str) {
        let kept = kept(former.as_bytes(), value.into()).expect("objects");
        assert_eq!(String::from_utf8(kept).expect("text"), expected);
    }

    #[test]
    fn what_is_not_known_stays_and_what_is_known_is_as_it_now_is() {
        check(r#"{"id":1,"a":[1, 2]}"#, r#"{"id":1,"a":null}"#, r#"{"id":1,"a":null}"#);
        check(
            r#"{"id":1,"z":{"x":1.50},"a":1,"語":"}"}"#,
            r#"{"id":1,"a":2}"#,
            r#"{"id":1,"a":2,"z":{"x":1.50},"語":"}"}"#,
        );
    }

    #[test]
    fn what_is_no_record_is_told() {
        for former in ["", "[]", r#"{"id":1"#] {
            assert!(kept(former.as_bytes(), b"{}".into()).is_err(), "{former}");
        }
    }
}
