//! The body of a snippet: the examples of the language as JSON. Editors insert its texts unchanged, and `${1:blanks}`
//! as blanks to fill in.

use codegen::yaml::{Node, Value, parse};
use serde::ser::{Serialize, Serializer};

/// The body of a snippet.
pub(super) enum Body {
    /// A text in the syntax of snippets.
    Text(String),
    /// An entry of a map: its name, to be filled in, and its value.
    Entry(String, Node),
}

impl Body {
    pub(super) fn text(text: &str) -> Self {
        Body::Text(text.to_owned())
    }

    /// An entry with a name to be filled in, and the value of an example.
    ///
    /// # Panics
    /// If the example is not YAML.
    pub(super) fn entry(name: &str, example: &str) -> Self {
        let node = parse(example, &mut Vec::new()).expect("examples are YAML");
        Body::Entry(format!("${{1:{name}}}"), node)
    }
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Body::Text(text) => serializer.serialize_str(text),
            Body::Entry(name, node) => serializer.collect_map([(name, Json(node))]),
        }
    }
}

/// A node as JSON. A `$` is escaped, and a text that YAML would read as another type is quoted.
struct Json<'n>(&'n Node);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.form {
            Value::Absent | Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number { value, .. } if value.fract() == 0.0 => serializer.serialize_i64(*value as i64),
            Value::Number { value, .. } => serializer.serialize_f64(*value),
            Value::Text(text) => {
                let text = text.replace('$', "\\$");
                let is_bare = !text.starts_with('{') && text.parse::<f64>().is_err();
                serializer.collect_str(&if is_bare { text } else { format!("\"{text}\"") })
            }
            Value::List(items) => serializer.collect_seq(items.iter().map(Json)),
            Value::Map(entries) => serializer.collect_map(entries.iter().map(|(key, value)| (&key.text, Json(value)))),
        }
    }
}
