//! Determines the type of a scalar without quotes, with `serde_yaml`.

use super::Value;
use serde_yaml::Value as Yaml;

/// The value of a plain scalar. `None` for a number that is not finite.
pub(super) fn plain(text: &str) -> Option<Value> {
    let meaning: Yaml = if may_be_no_text(text) {
        serde_yaml::from_str(text).unwrap_or_default()
    } else {
        Yaml::String(text.to_owned())
    };
    match meaning {
        Yaml::Null if is_nothing(text) => Some(Value::Null),
        Yaml::Bool(value) => Some(Value::Bool(value)),
        Yaml::Number(number) => number
            .as_f64()
            .filter(|value| value.is_finite())
            .map(|value| Value::Number {
                value,
                text: number.to_string(),
            }),
        _ => Some(Value::Text(text.to_owned())),
    }
}

/// Whether a scalar starts like `null`, `~`, `true`, `false` or a number. Anything else is text and needs no parsing.
/// This also excludes texts such as `---`, which are more than a scalar when parsed alone.
fn may_be_no_text(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    is_nothing(text) || unsigned.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | 't' | 'T' | 'f' | 'F'))
}

fn is_nothing(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}
