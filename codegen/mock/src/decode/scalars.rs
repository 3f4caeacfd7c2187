//! Decodes single values: texts, numbers, dates, words of an enum, free-form objects.

use crate::text;
use crate::validation_errors::ValidationErrors;
use crate::value::Value;
use codegen::formats::Format;
use codegen::model::{Class, Kind, TypeRule};

/// What is wrong with a place that the feed does not have.
pub(crate) const UNKNOWN_CURSOR: &str = "must be a cursor that this feed has returned, or `now`";

/// A value of a named type that is no list.
pub(super) fn of_rule(rule: &TypeRule, value: Value, errors: &mut ValidationErrors) -> Option<Value> {
    match rule {
        TypeRule::Text {
            min,
            max,
            chars,
            bidi_controls,
            alike: _,
        } => {
            let class = chars.as_deref();
            text(value, (*min, *max), class, *bidi_controls, errors)
        }
        TypeRule::Number { .. } => number(rule, &value, errors),
        TypeRule::Integer { min, max } => integer(*min, *max, &value, errors),
        TypeRule::FreeForm { max_bytes } => free_form(*max_bytes, value, errors),
        TypeRule::List { .. } => mismatch(errors, "a list", &value),
    }
}

/// A value of a kind without bounds.
pub(super) fn of_kind(kind: &Kind, value: Value, errors: &mut ValidationErrors) -> Option<Value> {
    match kind {
        Kind::Boolean => boolean(&value, &["true"], &["false"]).or_else(|| mismatch(errors, "true or false", &value)),
        Kind::Flag => boolean(&value, &["true", "1"], &["false", "0"])
            .or_else(|| mismatch(errors, "1 or true, 0 or false", &value)),
        Kind::Cursor => cursor(&value, errors),
        Kind::Id(_) => match whole(&value) {
            // An integer beyond 64 bits is the id of nothing.
            Some(literal) => Some(Value::integer(saturated(literal))),
            None => mismatch(errors, "an integer", &value),
        },
        _ => mismatch(errors, "absent", &value),
    }
}

/// A text of a fixed form, as it is stored and shown.
pub(super) fn formatted(format: &Format, value: &Value, errors: &mut ValidationErrors) -> Option<Value> {
    let (of_type, other) = format.codes;
    let (Value::Text(text) | Value::Raw(text)) = value else {
        return mismatched(errors, format.noun, &format!("type;{of_type}"), value);
    };
    let canonical = format.canonical(text);
    if canonical.is_none() {
        errors.add(&format!("must be {}", format.demand), other);
    }
    canonical.map(Value::Text)
}

fn cursor(value: &Value, errors: &mut ValidationErrors) -> Option<Value> {
    let (Value::Text(text) | Value::Raw(text)) = value else {
        return mismatch(errors, "a cursor", value);
    };
    let is_number = text
        .parse::<i64>()
        .is_ok_and(|number| number >= 0 && number.to_string() == *text);
    if text.is_empty() {
        errors.add("must not be empty", "empty");
        return None;
    }
    if is_number || text == "now" {
        return Some(Value::text(text));
    }
    errors.add(UNKNOWN_CURSOR, "cursor");
    None
}

/// Names of events that commas separate.
pub(super) fn event_names(known: &[&str], value: &Value, errors: &mut ValidationErrors) -> Option<Value> {
    let (Value::Text(text) | Value::Raw(text)) = value else {
        return mismatch(errors, "names of events", value);
    };
    if text.is_empty() {
        errors.add("must not be empty", "empty");
        return None;
    }
    if let Some(name) = text.split(',').find(|name| !known.contains(name)) {
        let hint = text::hint(name, known);
        errors.add(
            &format!("names no event with `{}`{hint}", text::shortened(name)),
            &coded("choice", known),
        );
        return None;
    }
    Some(Value::List(text.split(',').map(Value::text).collect()))
}

fn boolean(value: &Value, yes: &[&str], no: &[&str]) -> Option<Value> {
    match value {
        Value::Bool(_) => Some(value.clone()),
        Value::Raw(text) if yes.contains(&text.as_str()) => Some(Value::Bool(true)),
        Value::Raw(text) if no.contains(&text.as_str()) => Some(Value::Bool(false)),
        _ => None,
    }
}

/// One of the words of an enum.
pub(super) fn choice(words: &[String], value: Value, errors: &mut ValidationErrors) -> Option<Value> {
    let (Value::Text(word) | Value::Raw(word)) = &value else {
        return mismatch(errors, "a string", &value);
    };
    if words.contains(word) {
        return Some(Value::text(word));
    }
    let one_of = if words.len() == 1 { "" } else { "one of " };
    let names = text::quoted(words.iter().map(String::as_str));
    errors.add(&format!("must be {one_of}{names}"), &coded("choice", words));
    None
}

fn text(
    value: Value,
    (min, max): (u64, Option<u64>),
    class: Option<&str>,
    bidi_controls: bool,
    errors: &mut ValidationErrors,
) -> Option<Value> {
    let (text, may_be_empty) = match value {
        Value::Text(text) => (text, min == 0),
        Value::Raw(text) => (text, false),
        other => return mismatch(errors, "a string", &other),
    };
    if text.is_empty() && may_be_empty {
        return Some(Value::Text(text));
    }
    let count = text.chars().count() as u64;
    let mut wrong = Vec::new();
    if count < min || max.is_some_and(|max| count > max) {
        wrong.push((length((min, max), "character", count), bounds("length", Some(min), max)));
    } else if text.is_empty() {
        wrong.push(("must not be empty".to_owned(), "empty".to_owned()));
    }
    if let Some(class) = class {
        let allowed = Class::parse(class);
        if !text.chars().all(|c| allowed.has(c)) {
            wrong.push((
                format!("may only have the characters {class}"),
                coded("characters", &[class]),
            ));
        }
    } else if text.chars().any(|c| c.is_control() && !"\t\n\r".contains(c)) {
        let what = "must not have control characters other than tab and new line";
        wrong.push((what.to_owned(), "control".to_owned()));
    } else if count > 0 && text::is_blank(&text) {
        let what = "must not be only white space or invisible characters";
        wrong.push((what.to_owned(), "blank".to_owned()));
    }
    if !bidi_controls && text.chars().any(text::is_bidi_control) {
        wrong.push(("must not have bidirectional controls".to_owned(), "bidi".to_owned()));
    }
    wrong.iter().for_each(|(what, code)| errors.add(what, code));
    wrong.is_empty().then_some(Value::Text(text))
}

fn number(rule: &TypeRule, value: &Value, errors: &mut ValidationErrors) -> Option<Value> {
    let TypeRule::Number {
        min,
        exclusive_min,
        max,
        decimals,
    } = rule
    else {
        return None;
    };
    let literal = match value {
        Value::Number(literal) => literal,
        Value::Raw(literal) if is_decimal(literal) => literal,
        _ => return mismatch(errors, "a number", value),
    };
    let Some(number) = literal.parse::<f64>().ok().filter(|number| number.is_finite()) else {
        errors.add("is too large a number", "double");
        return None;
    };
    let is_below = min.is_some_and(|min| number < min) || exclusive_min.is_some_and(|bound| number <= bound);
    let is_outside = is_below || max.is_some_and(|max| number > max);
    if is_outside {
        let what = match (exclusive_min, min, max) {
            (Some(bound), _, Some(max)) => format!("must be above {bound} and at most {max}"),
            (Some(bound), _, None) => format!("must be above {bound}"),
            (None, Some(min), Some(max)) => format!("must be from {min} to {max}"),
            (None, Some(min), None) => format!("must be at least {min}"),
            (None, None, max) => format!("must be at most {}", max.unwrap_or(f64::MAX)),
        };
        let code = match exclusive_min {
            Some(bound) => bounds("above", Some(*bound), *max),
            None => bounds("range", *min, *max),
        };
        errors.add(&what, &code);
    }
    // The shortest notation of the value, which never has an exponent here.
    let fraction = number
        .to_string()
        .split_once('.')
        .map_or(0, |(_, fraction)| fraction.len());
    let too_fine = decimals.filter(|most| fraction > *most as usize);
    if let Some(most) = too_fine {
        let plural = if most == 1 { "" } else { "s" };
        errors.add(
            &format!("must have at most {most} decimal{plural}"),
            &format!("decimals;{most}"),
        );
    }
    (!is_outside && too_fine.is_none()).then(|| Value::number(number))
}

fn is_decimal(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    are_digits(whole) && are_digits(fraction)
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn integer(min: Option<i64>, max: Option<i64>, value: &Value, errors: &mut ValidationErrors) -> Option<Value> {
    let Some(literal) = whole(value) else {
        return mismatch(errors, "an integer", value);
    };
    let (least, most) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
    match literal.parse::<i64>() {
        Ok(number) if (least..=most).contains(&number) => Some(Value::integer(number)),
        _ => {
            let is_above = saturated(literal) > most || literal.parse::<i64>().is_err() && !literal.starts_with('-');
            let what = match (min, max) {
                (Some(min), Some(max)) => format!("must be from {min} to {max}"),
                _ if is_above => format!("must be at most {most}"),
                _ => format!("must be at least {least}"),
            };
            errors.add(&what, &bounds("range", min, max));
            None
        }
    }
}

/// The notation of an integer: digits, and a minus in front.
fn whole(value: &Value) -> Option<&str> {
    let (Value::Number(literal) | Value::Raw(literal)) = value else {
        return None;
    };
    are_digits(literal.strip_prefix('-').unwrap_or(literal)).then_some(literal)
}

fn saturated(literal: &str) -> i64 {
    let bound = if literal.starts_with('-') { i64::MIN } else { i64::MAX };
    literal.parse().unwrap_or(bound)
}

fn free_form(max_bytes: u64, value: Value, errors: &mut ValidationErrors) -> Option<Value> {
    if !matches!(value, Value::Object(_)) {
        return mismatch(errors, "an object", &value);
    }
    let Some(value) = doubles(value) else {
        errors.add(
            "must not have a number beyond the range of an IEEE 754 double",
            "double",
        );
        return None;
    };
    let bytes = value.to_string().len();
    if bytes as u64 > max_bytes {
        let what = format!("must have at most {max_bytes} bytes, this has {bytes}");
        errors.add(&what, &format!("bytes;{max_bytes}"));
        return None;
    }
    if let Some(name) = repeated(&value) {
        let what = format!("must not have `{}` twice in one object", text::shortened(name));
        errors.add(&what, "repeated");
        return None;
    }
    Some(value)
}

/// The value with all numbers as doubles; integers of 64 bits stay exact.
fn doubles(value: Value) -> Option<Value> {
    /// Below this, every whole double also fits 64 bits.
    const LARGE: f64 = 9.3e18;
    Some(match value {
        Value::Number(literal) if literal.parse::<i64>().is_ok() || literal.parse::<u64>().is_ok() => {
            Value::Number(literal)
        }
        Value::Number(literal) => {
            let number = literal.parse::<f64>().ok().filter(|number| number.is_finite())?;
            let is_large = number.fract() == 0.0 && number.abs() >= LARGE;
            let shortest = format!("{number:?}");
            let shortest = shortest.strip_suffix(".0").unwrap_or(&shortest).to_owned();
            Value::Number(if is_large { format!("{number:.0}") } else { shortest })
        }
        Value::List(items) => Value::List(items.into_iter().map(doubles).collect::<Option<_>>()?),
        Value::Object(members) => {
            let members = members.into_iter().map(|(name, member)| Some((name, doubles(member)?)));
            Value::Object(members.collect::<Option<_>>()?)
        }
        other => other,
    })
}

fn repeated(value: &Value) -> Option<&str> {
    match value {
        Value::List(items) => items.iter().find_map(repeated),
        Value::Object(members) => {
            let is_repeated = |at: usize| members[..at].iter().any(|(name, _)| *name == members[at].0);
            let twice = (0..members.len()).find(|at| is_repeated(*at));
            let twice = twice.map(|at| members[at].0.as_str());
            twice.or_else(|| members.iter().find_map(|(_, member)| repeated(member)))
        }
        _ => None,
    }
}

/// Adds that a value is of another kind.
pub(super) fn mismatch<T>(errors: &mut ValidationErrors, expected: &str, value: &Value) -> Option<T> {
    let of_type = match expected {
        "true or false" | "1 or true, 0 or false" => "type;boolean".to_owned(),
        other => format!("type;{}", other.trim_start_matches("an ").trim_start_matches("a ")),
    };
    mismatched(errors, expected, &of_type, value)
}

/// The same with a code.
fn mismatched<T>(errors: &mut ValidationErrors, expected: &str, of_type: &str, value: &Value) -> Option<T> {
    match value {
        Value::Raw(text) if text.is_empty() => errors.add("must not be empty", "empty"),
        Value::Raw(_) => errors.add(&format!("must be {expected}"), of_type),
        Value::Number(_) if expected == "an integer" => {
            errors.add("must be an integer, without point or exponent", of_type);
        }
        other => errors.add(&format!("must be {expected}, not {}", other.kind()), of_type),
    }
    None
}

/// A code with its values, up to the first one that a list of codes cannot show.
fn coded<V: AsRef<str>>(code: &str, values: &[V]) -> String {
    let can_show = |value: &&str| {
        value
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b';' && byte != b',')
    };
    let values = values.iter().map(AsRef::as_ref).take_while(can_show);
    std::iter::once(code).chain(values).collect::<Vec<_>>().join(";")
}

/// A code with two bounds. An absent one is empty.
pub(super) fn bounds<B: ToString>(code: &str, min: Option<B>, max: Option<B>) -> String {
    let [min, max] = [min, max].map(|bound| bound.map_or(String::new(), |bound| bound.to_string()));
    format!("{code};{min};{max}")
}

/// What is wrong with a length.
pub(super) fn length((min, max): (u64, Option<u64>), unit: &str, count: u64) -> String {
    let (bounds, last) = match max {
        Some(max) if max == min => (format!("exactly {max}"), max),
        Some(max) if min == 0 => (format!("at most {max}"), max),
        Some(max) => (format!("{min} to {max}"), max),
        None => (format!("at least {min}"), min),
    };
    let plural = if last == 1 { "" } else { "s" };
    format!("must have {bounds} {unit}{plural}, this has {count}")
}
