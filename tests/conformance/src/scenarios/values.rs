//! The values that steps name: `$bounty` is what an earlier step has saved as `bounty`.

use serde_json::Value;
use std::collections::BTreeMap;

/// The named values of a running scenario.
#[derive(Default)]
pub(super) struct Values(BTreeMap<String, Value>);

impl Values {
    pub(super) fn set(&mut self, name: impl Into<String>, value: Value) {
        self.0.insert(name.into(), value);
    }

    /// The value with its names replaced. A text that is only a name becomes the value, which may be a number.
    pub(super) fn fill(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => match text.strip_prefix('$').and_then(|name| self.0.get(name)) {
                Some(value) => value.clone(),
                None => Value::String(self.fill_text(text)),
            },
            Value::Array(items) => items.iter().map(|item| self.fill(item)).collect(),
            Value::Object(members) => {
                let fill = |(name, value): (&String, &Value)| (name.clone(), self.fill(value));
                Value::Object(members.iter().map(fill).collect())
            }
            other => other.clone(),
        }
    }

    /// The text with its names replaced.
    pub(super) fn fill_text(&self, text: &str) -> String {
        // Longer names first: `$key` is a part of `$key_id`.
        let mut names = names_in(text);
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names
            .into_iter()
            .fold(text.to_owned(), |text, name| match self.0.get(&name) {
                Some(value) => text.replace(&format!("${name}"), &plain(value)),
                None => text,
            })
    }
}

/// The value as it is written in a path or a query.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The names in a text: `id` and `poster.id` in `$id of $poster.id`.
pub(super) fn names_in(text: &str) -> Vec<String> {
    let parts = text.split('$').skip(1).map(|part| {
        let end = part.find(|character: char| !character.is_ascii_alphanumeric() && !"_.".contains(character));
        part[..end.unwrap_or(part.len())].trim_end_matches('.').to_owned()
    });
    parts.filter(|name| !name.is_empty()).collect()
}

/// The part of the data at a path such as `skills.0.id`.
pub(super) fn part<'d>(data: &'d Value, path: &str) -> Option<&'d Value> {
    path.split('.').try_fold(data, |value, key| match value {
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        other => other.get(key),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_are_replaced_whole_or_within_texts() {
        let mut values = Values::default();
        values.set("id", json!(7));
        values.set("id_of", json!("x"));
        values.set("poster.id", json!(8));
        assert_eq!(
            values.fill(&json!({ "a": ["$id", "n$id_of-$poster.id."] })),
            json!({ "a": [7, "nx-8."] })
        );
        assert_eq!(part(&json!({ "a": [{ "b": 1 }] }), "a.0.b"), Some(&json!(1)));
        assert_eq!(part(&json!([]), "0.b"), None);
    }
}
