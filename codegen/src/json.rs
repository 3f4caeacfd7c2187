//! JSON for files that people read: members in order, and a list or an object that fits is on one line.

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use visible::visible_json;

/// Maximum width of a list or an object on one line.
const LINE: usize = 110;

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    /// `null`, `true`, `false` or a number, as JSON text.
    Plain(String),
    Text(String),
    List(Vec<Json>),
    Object(JsonObject),
}

/// The members of an object, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JsonObject(Vec<(String, Json)>);

impl JsonObject {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Appends a member.
    pub(crate) fn with(mut self, name: impl Into<String>, value: impl Into<Json>) -> Self {
        self.0.push((name.into(), value.into()));
        self
    }

    /// Appends a member if there is a value.
    pub(crate) fn maybe(self, name: &str, value: Option<impl Into<Json>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Appends a list if it is not empty.
    pub(crate) fn listing(self, name: &str, items: Vec<impl Into<Json>>) -> Self {
        if items.is_empty() {
            return self;
        }
        self.with(name, list(items))
    }

    /// Appends all members of another object.
    pub(crate) fn and(mut self, others: JsonObject) -> Self {
        self.0.extend(others.0);
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(String, Json)> {
        self.0.iter()
    }
}

impl FromIterator<(String, Json)> for JsonObject {
    fn from_iter<I: IntoIterator<Item = (String, Json)>>(members: I) -> Self {
        Self(members.into_iter().collect())
    }
}

/// A list of these items.
pub(crate) fn list(items: Vec<impl Into<Json>>) -> Json {
    Json::List(items.into_iter().map(Into::into).collect())
}

/// A number in its shortest form.
pub(crate) fn number(value: f64) -> Json {
    Json::Plain((value + 0.0).to_string())
}

impl From<JsonObject> for Json {
    fn from(object: JsonObject) -> Self {
        Self::Object(object)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&String> for Json {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

macro_rules! plain {
    ($($type:ty),*) => {
        $(impl From<$type> for Json {
            fn from(value: $type) -> Self {
                Self::Plain(value.to_string())
            }
        })*
    };
}

plain!(bool, u16, u32, u64, i64, usize);

impl Json {
    pub(crate) fn null() -> Self {
        Self::Plain("null".to_owned())
    }

    /// The JSON text without white space.
    pub(crate) fn compact(&self) -> String {
        visible_json(&serde_json::to_string(self).expect("names are texts"))
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Plain(text) => match serde_json::from_str::<&RawValue>(text) {
                Ok(value) => value.serialize(serializer),
                Err(_) => serializer.serialize_str(text),
            },
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(JsonObject(members)) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}

/// A JSON string.
pub(crate) fn quoted(text: &str) -> String {
    Json::from(text).compact()
}

/// The value as JSON in lines, with a newline at its end. Characters that are invisible, or that change the direction
/// of the text around them, are escaped.
pub fn pretty(value: &impl Serialize) -> String {
    let json = serde_json::to_string_pretty(value).expect("the value has only texts, numbers, lists and named members");
    joined(&visible_json(&json)) + "\n"
}

/// Joins the lines of each list and object that fit. `json` has each item and each bracket on a line of its own.
fn joined(json: &str) -> String {
    // The lines of the brackets that are open.
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    for line in json.lines() {
        let opens = line.ends_with(['[', '{']);
        let closes = line.trim_start().starts_with([']', '}']);
        if opens {
            open.push(Vec::new());
        }
        open.last_mut().expect("the file is open").push(line.to_owned());
        if closes {
            let group = open.pop().expect("the file is open");
            let around = open.last_mut().expect("each bracket closes once");
            match on_one_line(&group) {
                Some(line) => around.push(line),
                None => around.extend(group),
            }
        }
    }
    open.concat().join("\n")
}

fn on_one_line(group: &[String]) -> Option<String> {
    let width: usize = group.iter().map(|line| line.trim_start().chars().count() + 1).sum();
    if width > 2 * LINE {
        return None;
    }
    let (first, rest) = group.split_first()?;
    let space = if first.ends_with('{') { " " } else { "" };
    let (last, items) = rest.split_last()?;
    let items: Vec<&str> = items.iter().map(|line| line.trim_start()).collect();
    let line = format!("{first}{space}{}{space}{}", items.join(" "), last.trim_start());
    (line.chars().count() <= LINE).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_order_and_texts_their_characters() {
        let json = Json::from(
            JsonObject::new()
                .with("b", "q\"\\\n\u{1}é")
                .with("a", 1_u64)
                .with("c", list(vec![true])),
        );
        assert_eq!(json.compact(), r#"{"b":"q\"\\\n\u0001é","a":1,"c":[true]}"#);
        assert_eq!(
            pretty(&json),
            "{ \"b\": \"q\\\"\\\\\\n\\u0001é\", \"a\": 1, \"c\": [true] }\n"
        );
        assert_eq!(pretty(&Json::from(JsonObject::new())), "{}\n");
    }

    #[test]
    fn what_fits_is_on_one_line() {
        let long = "x".repeat(100);
        let value =
            serde_json::json!({ "a": [1, { "b": "[" }], "c": {}, "d": [], "e": { "long": long, "f": ["{", 2] } });
        let expected = format!(
            r#"{{
  "a": [1, {{ "b": "[" }}],
  "c": {{}},
  "d": [],
  "e": {{
    "f": ["{{", 2],
    "long": "{long}"
  }}
}}
"#
        );
        assert_eq!(pretty(&value), expected);
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&expected).expect("it is JSON"),
            value
        );
    }

    #[test]
    fn numbers_have_no_needless_digits() {
        for (value, text) in [(100.0, "100"), (0.01, "0.01"), (-0.0, "0"), (1e7, "10000000")] {
            assert_eq!(number(value), Json::Plain(text.to_owned()));
        }
    }
}
