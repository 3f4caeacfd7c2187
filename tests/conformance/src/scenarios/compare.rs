//! Whether an answer shows what a step expects.

use serde_json::Value;

/// Whether the value is as expected; an object may have more members.
///
/// # Errors
/// The first difference: `data.skills[0].name is "x", not "y"`.
pub(super) fn like(expected: &Value, came: &Value, place: &str) -> Result<(), String> {
    match (expected, came) {
        (Value::Object(members), Value::Object(shown)) => members.iter().try_for_each(|(name, expected)| {
            let place = format!("{place}.{name}");
            match shown.get(name) {
                Some(came) => like(expected, came, &place),
                None => Err(format!("{place} is missing")),
            }
        }),
        (Value::Array(items), Value::Array(shown)) if items.len() == shown.len() => {
            let mut pairs = items.iter().zip(shown).enumerate();
            pairs.try_for_each(|(nth, (expected, came))| like(expected, came, &format!("{place}[{nth}]")))
        }
        (Value::Array(items), Value::Array(shown)) => {
            Err(format!("{place} has {} items, not {}", shown.len(), items.len()))
        }
        (Value::Number(expected), Value::Number(came)) if expected.as_f64() == came.as_f64() => Ok(()),
        _ if expected == came => Ok(()),
        _ => Err(format!("{place} is {came}, not {expected}")),
    }
}

/// Whether the list has these rows in this order.
pub(super) fn has_rows(expected: &[Value], came: &Value, place: &str) -> Result<(), String> {
    let Some(shown) = came.as_array() else {
        return Err(format!("{place} is no list"));
    };
    let mut rest = shown.iter();
    expected
        .iter()
        .try_for_each(|row| match rest.any(|came| like(row, came, "").is_ok()) {
            true => Ok(()),
            false if shown.iter().any(|came| like(row, came, "").is_ok()) => Err(format!(
                "the row {row} of {place} is not behind the ones expected before it"
            )),
            false => Err(format!("{place} has no row {row}")),
        })
}

/// Whether neither the value nor a row of it is like this.
pub(super) fn is_unlike(unexpected: &Value, came: &Value, place: &str) -> Result<(), String> {
    let rows = came.as_array().map_or(std::slice::from_ref(came), Vec::as_slice);
    match rows.iter().any(|came| like(unexpected, came, "").is_ok()) {
        true => Err(format!("{place} shows {unexpected}")),
        false => Ok(()),
    }
}

/// JSON without white space outside of texts.
pub(super) fn compact(json: &str) -> String {
    let (mut is_text, mut is_escaped) = (false, false);
    let is_kept = |c: &char| {
        is_text ^= *c == '"' && !is_escaped;
        is_escaped = is_text && *c == '\\' && !is_escaped;
        is_text || !c.is_ascii_whitespace()
    };
    json.chars().filter(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn white_space_outside_of_texts_is_spelling() {
        let spelled = "{ \"a b\": [ 1,\n\t\"x \\\" y\\\\\", {} ] }";
        assert_eq!(compact(spelled), r#"{"a b":[1,"x \" y\\",{}]}"#);
    }

    #[test]
    fn differences_are_named_by_their_place() {
        let came = json!({ "id": 1, "rows": [{ "a": 1 }, { "a": 2 }] });
        assert_eq!(like(&json!({ "rows": [{}, { "a": 2 }] }), &came, "data"), Ok(()));
        let told = |expected: &Value| like(expected, &came, "data").expect_err("it differs");
        assert_eq!(told(&json!({ "id": 2 })), "data.id is 1, not 2");
        assert_eq!(told(&json!({ "rows": [{}, { "a": 3 }] })), "data.rows[1].a is 2, not 3");
        assert_eq!(told(&json!({ "name": null })), "data.name is missing");
        let rows = &came["rows"];
        assert_eq!(has_rows(&[json!({ "a": 1 }), json!({ "a": 2 })], rows, "data"), Ok(()));
        assert!(has_rows(&[json!({ "a": 2 }), json!({ "a": 1 })], rows, "data").is_err());
        assert!(
            is_unlike(&json!({ "a": 2 }), rows, "data").is_err() && is_unlike(&json!({ "a": 3 }), rows, "data").is_ok()
        );
    }
}
