//! A valid value of each type, and some invalid ones.

use crate::types::{Member, Type};
use crate::value::{Value, raw, word};

/// A valid value: required members only, and no more items than necessary, but at least one.
pub(crate) fn sample(of: &Type) -> Value {
    match of {
        Type::Text { min, max, chars, .. } => word(&sample_text(*min, *max, *chars)),
        Type::Number {
            min,
            exclusive_min,
            max,
            ..
        } => raw(&sample_number(min.or(*exclusive_min), *max, exclusive_min.is_some()).to_string()),
        Type::Integer { min, max } => raw(&1.clamp(min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX)).to_string()),
        Type::List { min, of: item, .. } => crate::value::list(of, item.most_items(*min, 1)),
        Type::FreeForm { .. } => Value::Object(vec![("a".to_owned(), raw("1"))]),
        Type::Object(members) => sample_object(members.iter().filter(|member| member.required)),
        Type::Word(words) => word(words[0]),
        Type::Id(resource) | Type::IdText(resource, _) => Value::IdOf(resource),
        Type::Boolean | Type::Flag => raw("true"),
        Type::Format(format) => word(format.values[2]),
        Type::Timestamp => word("2026-01-31T12:00:00"),
        Type::Stored | Type::Secret => word("text"),
    }
}

/// An object of samples of these members.
pub(crate) fn sample_object<'m>(members: impl Iterator<Item = &'m Member>) -> Value {
    Value::Object(
        members
            .map(|member| (member.name.to_owned(), sample(member.of)))
            .collect(),
    )
}

fn sample_text(min: usize, max: Option<usize>, chars: Option<&str>) -> String {
    const WORD: &str = "sample";
    match chars {
        Some(chars) => chars.chars().take(1).cycle().take(min.max(1)).collect(),
        None => WORD
            .chars()
            .cycle()
            .take(WORD.len().min(max.unwrap_or(usize::MAX)).max(min))
            .collect(),
    }
}

fn sample_number(low: Option<f64>, high: Option<f64>, exclusive: bool) -> f64 {
    let (low, high) = (low.unwrap_or(f64::MIN), high.unwrap_or(f64::MAX));
    let fits = |number: &f64| *number <= high && (*number > low || (*number == low && !exclusive));
    [1.0, low, f64::midpoint(low, high), high]
        .into_iter()
        .find(fits)
        .unwrap_or(high)
}

/// JSON values of other types than this one, without `null`, which has tests of its own.
pub(crate) fn wrong_types(of: &Type) -> Vec<Value> {
    let json: &[&str] = match of {
        Type::Text { .. }
        | Type::Word(_)
        | Type::Format(_)
        | Type::IdText(..)
        | Type::Timestamp
        | Type::Stored
        | Type::Secret => &["1", "true", "[]", "{}", r#"["x"]"#],
        Type::Number { .. } => &[r#""1""#, "true", "[]", "{}", "[1]"],
        Type::Integer { .. } | Type::Id(_) => &[r#""1""#, "true", "[]", "{}", "1.0", "1.5", "1e0"],
        Type::List { .. } => &[r#""x""#, "1", "true", "{}"],
        Type::FreeForm { .. } | Type::Object(_) => &[r#""x""#, "1", "true", "[]", "[{}]"],
        Type::Boolean => &[r#""true""#, "1", "0", "[]", "{}"],
        Type::Flag => &["2", "[]", "{}"],
    };
    json.iter().map(|json| raw(json)).collect()
}

/// Texts of a path or query that are not values of this type.
pub(crate) fn wrong_texts(of: &Type) -> Vec<&'static str> {
    let texts: &[&str] = match of {
        Type::Number { .. } => &[
            "x", "1e3", "+5", "NaN", "inf", ".5", "5.", "1,5", "1.2.3", "--1", "0x1", "１", "1 ", " 1",
        ],
        Type::Integer { .. } | Type::Id(_) => &["x", "1.0", "1.5", "1e3", "+5", "NaN", "--1", "0x1", "１", "1 ", " 1"],
        Type::Boolean => &["1", "x", "True"],
        Type::Flag => &["2", "x", "yes", "True", "TRUE", "01", "1 "],
        Type::Format(format) | Type::IdText(_, format) => {
            return format.others().filter(|text| !text.is_empty()).collect();
        }
        Type::Word(_) => &["no-such-word"],
        _ => &[],
    };
    texts.to_vec()
}
