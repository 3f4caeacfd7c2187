//! JSON with members in order, formatted for readable diffs: a list or object that fits is on one line.

use std::fmt::Write;

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
        self.in_line(",", ":")
    }

    /// The JSON text in lines, with a newline at its end.
    pub(crate) fn pretty(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0, 0);
        out.push('\n');
        out
    }

    fn in_line(&self, comma: &str, colon: &str) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Text(text) => quoted(text),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(|item| item.in_line(comma, colon)).collect();
                format!("[{}]", items.join(comma))
            }
            Self::Object(JsonObject(members)) => {
                let member =
                    |(name, value): &(String, Json)| format!("{}{colon}{}", quoted(name), value.in_line(comma, colon));
                let members: Vec<String> = members.iter().map(member).collect();
                let space = if comma.len() > 1 && !members.is_empty() {
                    " "
                } else {
                    ""
                };
                format!("{{{space}{}{space}}}", members.join(comma))
            }
        }
    }

    /// Writes the value at a position where `used` characters of the line are taken.
    fn write(&self, out: &mut String, depth: usize, used: usize) {
        let line = self.in_line(", ", ": ");
        if used + line.len() <= LINE || matches!(self, Self::Plain(_) | Self::Text(_)) {
            out.push_str(&line);
            return;
        }
        let indent = "  ".repeat(depth + 1);
        let (open, close, length) = match self {
            Self::List(items) => ('[', ']', items.len()),
            Self::Object(object) => ('{', '}', object.0.len()),
            Self::Plain(_) | Self::Text(_) => unreachable!("written above"),
        };
        out.push(open);
        for at in 0..length {
            let start = if at == 0 { "\n" } else { ",\n" };
            out.push_str(start);
            out.push_str(&indent);
            match self {
                Self::List(items) => items[at].write(out, depth + 1, indent.len() + 1),
                Self::Object(JsonObject(members)) => {
                    let (name, value) = &members[at];
                    let name = quoted(name);
                    let _ = write!(out, "{name}: ");
                    value.write(out, depth + 1, indent.len() + name.len() + 3);
                }
                Self::Plain(_) | Self::Text(_) => unreachable!("written above"),
            }
        }
        let _ = write!(out, "\n{}{close}", "  ".repeat(depth));
    }
}

/// A JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            // Escapes characters that are invisible, or that change the direction of the text around them.
            '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
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
            json.pretty(),
            "{ \"b\": \"q\\\"\\\\\\n\\u0001é\", \"a\": 1, \"c\": [true] }\n"
        );
        assert_eq!(Json::from(JsonObject::new()).pretty(), "{}\n");
    }

    #[test]
    fn what_does_not_fit_a_line_stands_in_several() {
        let long = "x".repeat(100);
        let json = Json::from(
            JsonObject::new()
                .with("long", long.as_str())
                .with("list", list(vec![1_u64, 2])),
        );
        assert_eq!(
            json.pretty(),
            format!("{{\n  \"long\": \"{long}\",\n  \"list\": [1, 2]\n}}\n")
        );
    }

    #[test]
    fn numbers_have_no_needless_digits() {
        for (value, text) in [(100.0, "100"), (0.01, "0.01"), (-0.0, "0"), (1e7, "10000000")] {
            assert_eq!(number(value), Json::Plain(text.to_owned()));
        }
    }
}
