//! Undeclared members in documents: forbidden in requests, allowed in answers.

use super::{everywhere, objects, operations};
use serde_json::Value;
use std::collections::BTreeSet;

/// Every schema of an object with named members in a part of a document or behind its references, with its place.
fn of_members<'d>(document: &'d Value, part: &'d Value) -> Vec<(String, &'d Value)> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let mut open = vec![("".to_owned(), part)];
    while let Some((place, part)) = open.pop() {
        objects(part, &place, &mut |place, object| {
            let is_members = place.ends_with("/properties");
            if !is_members && object.get("properties").is_some() {
                found.push((place.to_owned(), object));
            }
            let target = object.get("$ref").filter(|_| !is_members).and_then(Value::as_str);
            if let Some(target) = target.filter(|target| seen.insert(target.to_string())) {
                let target = target.trim_start_matches('#');
                open.push((target.to_owned(), document.pointer(target).expect("it is there")));
            }
        });
    }
    found
}

#[test]
fn what_is_sent_has_no_other_members_and_what_is_answered_may_get_some() {
    let (mut sent, mut answered) = (0, 0);
    for (name, document) in everywhere() {
        for (path, operation) in operations(document) {
            for (place, schema) in of_members(document, &operation["requestBody"]) {
                assert_eq!(schema["additionalProperties"], false, "{name} {path}: sent {place}");
                sent += 1;
            }
            for (place, schema) in of_members(document, &operation["responses"]) {
                let others = schema.get("additionalProperties");
                assert!(others.is_none(), "{name} {path}: answered {place}");
                answered += 1;
            }
        }
    }
    assert!(
        sent > 100 && answered > 500,
        "only {sent} and {answered} schemas were found"
    );
}
