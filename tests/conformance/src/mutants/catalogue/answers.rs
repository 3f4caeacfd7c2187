//! Mutants of successes: members that are missing, renamed, of another type, or null.

use super::Catalogue;
use crate::mutants::json_path::{JsonPath, members, objects};
use crate::mutants::layer::{Call, is_success, with_json};
use crate::types::Type;
use crate::world::Response;
use serde_json::{Value as Json, json};

pub(super) fn add(of: &mut Catalogue<'_>) {
    let root = JsonPath::of_data(of.operation);
    let Some(data) = of.operation.data else { return };
    for (place, member) in members(data, &root) {
        member_of(of, &place, member.of, member.nullable);
    }
    for (place, _) in objects(data, &root) {
        let at = place.member("no_such_member");
        of.add(
            "member added",
            place.to_string(),
            "shows a member that is not declared",
            move |call| {
                edited(call, |json| {
                    at.holders(json, &mut |object| {
                        drop(object.insert("no_such_member".to_owned(), json!(1)))
                    });
                })
            },
        );
    }
}

/// Every defect of one member of answers.
pub(super) fn member_of(of: &mut Catalogue<'_>, place: &JsonPath, kind: &'static Type, nullable: bool) {
    let (name, path) = (place.last(), place.to_string());
    let at = place.clone();
    of.add("member dropped", &*path, "leaves it out", move |call| {
        edited(call, |json| at.holders(json, &mut |object| drop(object.remove(name))))
    });
    let at = place.clone();
    of.add("member renamed", &*path, "calls it otherwise", move |call| {
        edited(call, |json| {
            at.holders(json, &mut |object| {
                if let Some(value) = object.remove(name) {
                    object.insert(format!("{name}_"), value);
                }
            });
        })
    });
    let at = place.clone();
    of.add("member retyped", &*path, "shows a value of another type", move |call| {
        edited(call, |json| at.values(json, &mut |value| *value = retyped(value, kind)))
    });
    if !nullable {
        let at = place.clone();
        of.add("nullability", &*path, "shows null where there is none", move |call| {
            edited(call, |json| at.values(json, &mut |value| *value = Json::Null))
        });
    }
}

/// The success, changed; an error response stays.
pub(super) fn edited(call: &Call<'_>, change: impl FnOnce(&mut Json)) -> Response {
    let response = call.pass();
    if !is_success(&response) {
        return response;
    }
    match with_json(&response, change) {
        Some(changed) => call.wrong(changed),
        None => response,
    }
}

/// A similar value of another type.
pub(super) fn retyped(value: &Json, of: &Type) -> Json {
    match value {
        Json::Null => match of {
            Type::Text { .. } | Type::Word(_) | Type::Stored | Type::Secret | Type::Format(_) | Type::Timestamp => {
                json!(0)
            }
            _ => json!(""),
        },
        Json::Bool(is) => json!(i32::from(*is)),
        Json::Number(number) => json!(number.to_string()),
        Json::String(_) => json!(1),
        Json::Array(items) => items.first().cloned().unwrap_or_else(|| json!("")),
        Json::Object(_) => json!([value.clone()]),
    }
}
