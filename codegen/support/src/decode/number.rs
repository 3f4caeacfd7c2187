//! Integers, ids and numbers, decoded by the notation in which they were sent.

use std::num::IntErrorKind;

use super::mismatch;
use crate::fault::{Code, Fault, shown};
use crate::scalar::Number;
use crate::validation_errors::ValidationErrors;
use crate::value::Value;

/// The bounds of an integer, inclusive.
#[derive(Clone, Copy, Debug)]
pub struct IntegerRule {
    /// The minimum.
    pub min: Option<i64>,
    /// The maximum.
    pub max: Option<i64>,
}

/// An integer: digits with an optional minus. `1.0` and `1e2` are not integers.
pub fn integer(value: Value, errors: &mut ValidationErrors, rule: &IntegerRule) -> Option<i64> {
    let (min, max) = (rule.min.unwrap_or(i64::MIN), rule.max.unwrap_or(i64::MAX));
    match whole(&value) {
        Some(Whole::Exact(integer)) if (min..=max).contains(&integer) => Some(integer),
        Some(whole) => {
            let range = match (rule.min, rule.max) {
                (Some(min), Some(max)) => format!("must be from {min} to {max}"),
                _ if matches!(whole, Whole::Above) || whole.saturated() > max => format!("must be at most {max}"),
                _ => format!("must be at least {min}"),
            };
            errors.report(&Fault::range(rule.min, rule.max, range));
            None
        }
        None => mismatch(errors, "an integer", &value),
    }
}

/// An id: any integer. One that does not fit becomes the largest or smallest `i64`, which no record has, so that it is
/// not found rather than invalid. Its notation is kept if it is not the plain one.
pub fn id(value: Value, errors: &mut ValidationErrors) -> Option<i64> {
    let Some(whole) = whole(&value) else {
        return mismatch(errors, "an integer", &value);
    };
    let id = whole.saturated();
    if let (Value::Number(literal) | Value::Raw(literal), false) = (&value, is_plain(&whole, &value)) {
        errors.keep_id(id, literal);
    }
    Some(id)
}

/// Whether an integer has its plain notation: it fits 64 bits and has no leading zeros.
fn is_plain(whole: &Whole, value: &Value) -> bool {
    let (Whole::Exact(_), Value::Number(literal) | Value::Raw(literal)) = (whole, value) else {
        return false;
    };
    literal == "0" || !literal.strip_prefix('-').unwrap_or(literal).starts_with('0')
}

enum Whole {
    Below,
    Exact(i64),
    Above,
}

impl Whole {
    fn saturated(&self) -> i64 {
        match self {
            Self::Below => i64::MIN,
            Self::Exact(integer) => *integer,
            Self::Above => i64::MAX,
        }
    }
}

fn whole(value: &Value) -> Option<Whole> {
    let (Value::Number(literal) | Value::Raw(literal)) = value else {
        return None;
    };
    if !are_digits(literal.strip_prefix('-').unwrap_or(literal)) {
        return None;
    }
    match literal.parse::<i64>() {
        Ok(integer) => Some(Whole::Exact(integer)),
        Err(error) if *error.kind() == IntErrorKind::NegOverflow => Some(Whole::Below),
        Err(_) => Some(Whole::Above),
    }
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The bounds of a number: `min` and `max` inclusive, `exclusive_min` exclusive.
#[derive(Clone, Copy, Debug)]
pub struct NumberRule {
    /// The minimum.
    pub min: Option<f64>,
    /// The exclusive minimum.
    pub exclusive_min: Option<f64>,
    /// The maximum.
    pub max: Option<f64>,
    /// The maximum number of decimals in the shortest form of the value.
    pub decimals: Option<u32>,
}

/// A number. In a path or query: digits with at most one point and an optional minus.
pub fn number(value: Value, errors: &mut ValidationErrors, rule: &NumberRule) -> Option<Number> {
    let literal = match &value {
        Value::Number(literal) => literal,
        Value::Raw(literal) if is_decimal(literal) => literal,
        other => return mismatch(errors, "a number", other),
    };
    let Some(number) = literal.parse().ok().and_then(Number::new) else {
        errors.report(&Fault::new(Code::Double, "is too large a number"));
        return None;
    };
    let value = number.get();
    let below = rule.min.is_some_and(|min| value < min) || rule.exclusive_min.is_some_and(|above| value <= above);
    let mut right = true;
    if below || rule.max.is_some_and(|max| value > max) {
        errors.report(&range(rule));
        right = false;
    }
    if let Some(most) = rule.decimals.filter(|most| decimals(value) > *most) {
        let plural = if most == 1 { "" } else { "s" };
        let text = format!("must have at most {most} decimal{plural}");
        errors.report(&Fault::new(Code::Decimals, text).with([most]));
        right = false;
    }
    right.then_some(number)
}

fn is_decimal(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    are_digits(whole) && are_digits(fraction)
}

fn decimals(value: f64) -> u32 {
    if value.fract() == 0.0 {
        return 0;
    }
    // `Display` writes the shortest digits of this value, never an exponent.
    let digits = value.to_string();
    let fraction = digits.split_once('.').map_or("", |(_, fraction)| fraction);
    u32::try_from(fraction.len()).unwrap_or(u32::MAX)
}

fn range(rule: &NumberRule) -> Fault<'static> {
    let text = match (rule.exclusive_min, rule.min, rule.max) {
        (Some(above), _, Some(max)) => format!("must be above {above} and at most {max}"),
        (Some(above), _, None) => format!("must be above {above}"),
        (None, Some(min), Some(max)) => format!("must be from {min} to {max}"),
        (None, Some(min), None) => format!("must be at least {min}"),
        (None, None, max) => format!("must be at most {}", max.unwrap_or(f64::MAX)),
    };
    match rule.exclusive_min {
        Some(above) => Fault::new(Code::Above, text).with([above.to_string(), shown(rule.max)]),
        None => Fault::range(rule.min, rule.max, text),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{json, raw};
    use super::*;

    #[test]
    fn an_integer_has_neither_point_nor_exponent() {
        let page = |v, f: &mut ValidationErrors| {
            integer(
                v,
                f,
                &IntegerRule {
                    min: Some(1),
                    max: Some(100),
                },
            )
        };
        for right in ["1", "100"] {
            json(right, &page, Ok(right.parse().unwrap()));
            raw(right, &page, Ok(right.parse().unwrap()));
        }
        for over in ["0", "101", "-1", "99999999999999999999"] {
            json(over, &page, Err("must be from 1 to 100"));
            raw(over, &page, Err("must be from 1 to 100"));
        }
        for wrong in ["1.0", "1e2", "1.5"] {
            json(wrong, &page, Err("must be an integer, without point or exponent"));
            raw(wrong, &page, Err("must be an integer"));
        }
        for wrong in ["+5", "--5", "-", "５", "1 ", "NaN"] {
            raw(wrong, &page, Err("must be an integer"));
        }
        json("\"1\"", &page, Err("must be an integer, not a string"));
    }

    #[test]
    fn an_integer_bounded_on_one_side_names_that_side() {
        let of = |min, max| move |v, f: &mut ValidationErrors| integer(v, f, &IntegerRule { min, max });
        raw("-1", &of(Some(0), None), Err("must be at least 0"));
        raw("6", &of(None, Some(5)), Err("must be at most 5"));
        raw("9223372036854775807", &of(Some(0), None), Ok(i64::MAX));
        raw(
            "9223372036854775808",
            &of(Some(0), None),
            Err("must be at most 9223372036854775807"),
        );
        raw(
            "-9223372036854775809",
            &of(None, None),
            Err("must be at least -9223372036854775808"),
        );
    }

    #[test]
    fn an_id_that_nothing_can_have_is_still_an_id() {
        for (text, id_of) in [("7", 7), ("-0", 0), ("-3", -3), ("007", 7)] {
            raw(text, &id, Ok(id_of));
        }
        raw(&"9".repeat(1_000), &id, Ok(i64::MAX));
        raw(&format!("-{}", "9".repeat(1_000)), &id, Ok(i64::MIN));
        json("123456789012345678901234567890", &id, Ok(i64::MAX));
        json("1.0", &id, Err("must be an integer, without point or exponent"));
        raw("abc", &id, Err("must be an integer"));
        raw("", &id, Err("must not be empty"));
    }

    #[test]
    fn an_id_is_named_as_it_was_sent() {
        #[track_caller]
        fn check(value: Value, named: &str) {
            let mut errors = ValidationErrors::new();
            let number = errors.within("id", |errors| id(value, errors)).unwrap();
            assert_eq!(errors.sent_id("id", number).to_string(), named);
            assert_eq!(errors.sent_id("other", number).to_string(), number.to_string());
        }
        let large = "9".repeat(23);
        for sent in [
            "7",
            "-3",
            "007",
            "-0",
            "0",
            "9223372036854775807",
            "9223372036854775808",
            &large,
        ] {
            check(Value::Raw(sent.to_owned()), sent);
            check(Value::Number(sent.to_owned()), sent);
        }
        let most = "1".repeat(64);
        check(Value::Raw(most.clone()), &most);
        check(Value::Raw("1".repeat(10_000)), &format!("{most}..."));
    }

    #[test]
    fn a_number_keeps_its_value_and_its_bounds() {
        let rule = NumberRule {
            min: None,
            exclusive_min: Some(0.0),
            max: Some(10_000_000.0),
            decimals: Some(2),
        };
        let usd = |v, f: &mut ValidationErrors| number(v, f, &rule);
        for (text, value) in [
            ("49.99", 49.99),
            ("0.01", 0.01),
            ("9999999.99", 9_999_999.99),
            ("10000000", 1e7),
            ("1.500", 1.5),
        ] {
            json(text, &usd, Ok(Number::new(value).unwrap()));
            raw(text, &usd, Ok(Number::new(value).unwrap()));
        }
        json("1e2", &usd, Ok(Number::from(100)));
        for over in ["0", "-0", "-1", "10000001", "1e300"] {
            json(over, &usd, Err("must be above 0 and at most 10000000"));
        }
        json("0.001", &usd, Err("must have at most 2 decimals"));
        json(
            "-0.001",
            &usd,
            Err("must be above 0 and at most 10000000; must have at most 2 decimals"),
        );
        json("\"5\"", &usd, Err("must be a number, not a string"));
    }

    #[test]
    fn a_query_writes_its_numbers_plainly() {
        let any = |v, f: &mut ValidationErrors| {
            number(
                v,
                f,
                &NumberRule {
                    min: None,
                    exclusive_min: None,
                    max: None,
                    decimals: None,
                },
            )
        };
        raw("-12.50", &any, Ok(Number::new(-12.5).unwrap()));
        for wrong in [
            "1e3", "+5", "NaN", "inf", "-inf", "infinity", ".5", "5.", "1.2.3", "-", ".", "0x1", "1_000", "１", " 1",
        ] {
            raw(wrong, &any, Err("must be a number"));
        }
        raw(&"9".repeat(400), &any, Err("is too large a number"));
    }

    #[test]
    fn a_range_is_reported_exactly() {
        let of = |min, above, max| {
            move |v, f: &mut ValidationErrors| {
                number(
                    v,
                    f,
                    &NumberRule {
                        min,
                        exclusive_min: above,
                        max,
                        decimals: None,
                    },
                )
            }
        };
        raw("5.01", &of(Some(0.0), None, Some(5.0)), Err("must be from 0 to 5"));
        raw("-1", &of(Some(0.5), None, None), Err("must be at least 0.5"));
        raw("1", &of(None, Some(1.0), None), Err("must be above 1"));
        raw("2", &of(None, None, Some(1.0)), Err("must be at most 1"));
    }
}
