//! What a scalar without quotes means: `serde_yaml` says it.

use super::Form;
use serde_yaml::Value;

/// The meaning of a plain scalar; nothing if it is a number that has no end.
pub(super) fn plain(text: &str) -> Option<Form> {
    let meaning = if may_be_no_text(text) {
        serde_yaml::from_str(text).unwrap_or_default()
    } else {
        Value::String(text.to_owned())
    };
    match meaning {
        Value::Null if is_nothing(text) => Some(Form::Null),
        Value::Bool(value) => Some(Form::Bool(value)),
        Value::Number(number) => number
            .as_f64()
            .filter(|value| value.is_finite())
            .map(|value| Form::Number {
                value,
                text: number.to_string(),
            }),
        _ => Some(Form::Text(text.to_owned())),
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
