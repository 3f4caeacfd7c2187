//! What a scalar without quotes means.

use super::Form;

/// The meaning of a plain scalar; nothing if it is a number that has no end.
pub(super) fn plain(text: &str) -> Option<Form> {
    Some(match text {
        "" | "~" | "null" | "Null" | "NULL" => Form::Null,
        "true" | "True" | "TRUE" => Form::Bool(true),
        "false" | "False" | "FALSE" => Form::Bool(false),
        _ => {
            let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
            if matches!(unsigned, ".inf" | ".Inf" | ".INF" | ".nan" | ".NaN" | ".NAN") {
                return None;
            }
            whole(text)
                .or_else(|| number(text, unsigned))
                .unwrap_or_else(|| Form::Text(text.to_owned()))
        }
    })
}

/// Whole numbers: `10`, `-10`, `0x1f`, `0o17`, `0b11`. What begins with a needless 0 is a text, such as a post code.
fn whole(text: &str) -> Option<Form> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (digits, radix) = match digits.get(..2) {
        Some("0x") => (&digits[2..], 16),
        Some("0o") => (&digits[2..], 8),
        Some("0b") => (&digits[2..], 2),
        _ => (digits, 10),
    };
    let is_padded = radix == 10 && digits.len() > 1 && digits.starts_with('0');
    if is_padded || !digits.starts_with(|c: char| c.is_digit(radix)) {
        return None;
    }
    let value = sign * i128::from_str_radix(digits, radix).ok()?;
    Some(Form::Number {
        value: value as f64,
        text: value.to_string(),
    })
}

/// Other numbers: `0.5`, `1e3`.
fn number(text: &str, unsigned: &str) -> Option<Form> {
    let is_plain = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    let is_padded = unsigned.len() > 1 && unsigned.starts_with('0') && unsigned.chars().all(|c| c.is_ascii_digit());
    let begins = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    if is_padded || !begins || !unsigned.chars().all(is_plain) {
        return None;
    }
    let value: f64 = text.parse().ok()?;
    value.is_finite().then(|| Form::Number {
        value,
        text: value.to_string(),
    })
}
