//! What a scalar without quotes means: `serde_yaml` says it.

use super::Value;
use serde_yaml::Value as Yaml;

/// The meaning of a plain scalar; nothing if it is a number that has no end.
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

/// Whether it begins as `null`, `~`, `true`, `false` or a number does. Anything else is a text, and is not worth a reading
/// of its own; what is more than a scalar when it stands alone, such as `---`, is not among these.
fn may_be_no_text(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    is_nothing(text) || unsigned.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | 't' | 'T' | 'f' | 'F'))
}

fn is_nothing(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}
