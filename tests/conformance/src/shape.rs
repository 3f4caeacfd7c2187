//! Checks that a received value has the declared shape: exactly the members, the right types, within bounds.

use crate::level::Level;
use crate::types::{Member, Type};
use codegen::formats::Format;
use codegen::model::{Class, Credential};
use serde_json::Value;

/// The errors of the value; empty if it is valid. `place` names it in the sentences.
pub(crate) fn violations(
    value: &Value,
    of: &Type,
    place: &str,
    credentials: &[Credential],
    level: Level,
) -> Vec<String> {
    let mut shape = Shape {
        credentials,
        is_strict: level == Level::Texts,
        violations: Vec::new(),
    };
    shape.check(value, of, place);
    shape.violations
}

struct Shape<'c> {
    credentials: &'c [Credential],
    /// Whether a number without decimals has none, and secrets are of letters and digits.
    is_strict: bool,
    violations: Vec<String>,
}

impl Shape<'_> {
    fn check(&mut self, value: &Value, of: &Type, place: &str) {
        match (of, value) {
            (Type::Object(members), Value::Object(_)) => self.check_members(value, members, place),
            (Type::List { of, min, max, .. }, Value::Array(items)) => {
                if items.len() < *min || max.is_some_and(|max| items.len() > max) {
                    self.violations.push(format!("`{place}` has {} items", items.len()));
                }
                for (index, item) in items.iter().enumerate() {
                    self.check(item, of, &format!("{place}[{index}]"));
                }
            }
            _ => {
                if let Some(wanted) = self.wanted(value, of, place) {
                    self.violations
                        .push(format!("`{place}` is {value}, which is not {wanted}"));
                }
            }
        }
    }

    fn check_members(&mut self, value: &Value, members: &[Member], place: &str) {
        let given = value.as_object().expect("called for an object");
        for name in given
            .keys()
            .filter(|name| !members.iter().any(|member| member.name == name.as_str()))
        {
            self.violations.push(format!("`{place}.{name}` is not declared"));
        }
        for member in members {
            match given.get(member.name) {
                None if !member.required => {}
                None => {
                    let hint = if member.nullable {
                        ": it may be null, but is always there"
                    } else {
                        ""
                    };
                    let fault = format!("`{place}.{}` is missing{hint}", member.name);
                    self.violations.push(fault);
                }
                Some(Value::Null) if member.nullable => {}
                Some(value) => self.check(value, member.of, &format!("{place}.{}", member.name)),
            }
        }
    }

    /// The expected value, or `None` if the value is valid.
    fn wanted(&self, value: &Value, of: &Type, place: &str) -> Option<String> {
        let right = match of {
            Type::Text { min, max, chars, .. } => value.as_str().is_some_and(|text| {
                let count = text.chars().count();
                let class = chars.map(Class::parse);
                let allowed = class.is_none_or(|class| text.chars().all(|c| class.has(c)));
                count >= *min && max.is_none_or(|max| count <= max) && allowed
            }),
            Type::Number {
                min,
                exclusive_min,
                max,
                decimals,
            } => {
                let fractionless =
                    !(self.is_strict && value.is_f64() && value.as_f64().is_some_and(|number| number.fract() == 0.0));
                fractionless
                    && value.as_f64().is_some_and(|number| {
                        min.is_none_or(|min| number >= min)
                            && exclusive_min.is_none_or(|exclusive_min| number > exclusive_min)
                            && max.is_none_or(|max| number <= max)
                            && decimals.is_none_or(|most| decimals_of(number) <= most as usize)
                    })
            }
            Type::Integer { min, max } => value
                .as_i64()
                .is_some_and(|number| min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)),
            // Only a record's own id has bounds: a reference that no guard checks is shown as it was sent.
            Type::Id(_) => value
                .as_i64()
                .is_some_and(|id| !place.ends_with(".id") || (1..1 << 53).contains(&id)),
            Type::FreeForm { max_bytes } => value.is_object() && value.to_string().len() <= *max_bytes,
            Type::Word(words) => value.as_str().is_some_and(|text| words.contains(&text)),
            Type::Stored => value.is_string(),
            Type::Secret => value.as_str().is_some_and(|secret| self.is_secret(secret)),
            Type::Boolean | Type::Flag => value.is_boolean(),
            Type::Format(format) | Type::IdText(_, format) => {
                value.as_str().is_some_and(|text| looks_like(format, text))
            }
            Type::Timestamp => value.as_str().is_some_and(|text| has_form(text, "0000-00-00T00:00:00")),
            Type::List { .. } | Type::Object(_) => false,
        };
        (!right).then(|| format!("{of:?}"))
    }

    fn is_secret(&self, secret: &str) -> bool {
        self.credentials.iter().any(|kind| {
            kind.split(secret).is_some_and(|(_, random)| {
                let mut bytes = random.bytes();
                bytes.all(|b| b.is_ascii_alphanumeric() || (!self.is_strict && b.is_ascii_graphic()))
            })
        })
    }
}

fn decimals_of(number: f64) -> usize {
    let written = number.to_string();
    written.split_once('.').map_or(0, |(_, fraction)| fraction.len())
}

/// Whether a text can be a value of this format. What a response shows is compared with what was sent elsewhere.
fn looks_like(format: &Format, text: &str) -> bool {
    let is_graphic = || text.bytes().all(|c| c.is_ascii_graphic());
    match format.name {
        "date" => has_form(text, "0000-00-00"),
        "date_time" => {
            let (seconds, rest) = text.split_at_checked(19).unwrap_or((text, ""));
            let mut decimals = ["Z", ".000Z", ".000000Z", ".000000000Z"].into_iter();
            has_form(seconds, "0000-00-00T00:00:00") && decimals.any(|form| has_form(rest, form))
        }
        "uuid" => has_form(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"),
        "email" => is_graphic() && text.split('@').filter(|part| !part.is_empty()).count() == 2,
        "uri" => is_graphic() && text.find(':').is_some_and(|at| at > 0),
        other => unreachable!("the format {other} has no check"),
    }
}

/// Whether the text has a digit wherever the form has `0`, a hexadecimal one wherever it has `x`, and equals the form elsewhere.
fn has_form(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text.bytes().zip(form.bytes()).all(|(c, f)| match f {
            b'0' => c.is_ascii_digit(),
            b'x' => c.is_ascii_hexdigit(),
            _ => c == f,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_format_has_a_check_of_its_own() {
        for format in codegen::formats::ALL {
            assert!(
                format.values.iter().all(|value| looks_like(format, value)),
                "{format:?}"
            );
            assert!(!looks_like(format, ""), "{format:?}");
        }
    }

    static TITLE: Type = Type::Text {
        min: 1,
        max: Some(3),
        chars: None,
        bidi_controls: true,
    };
    static PRICE: Type = Type::Number {
        min: None,
        exclusive_min: Some(0.0),
        max: Some(9.0),
        decimals: Some(2),
    };
    static WHOLE: Type = Type::Object(&[Member::required("title", &TITLE), Member::nullable("price", &PRICE)]);

    #[track_caller]
    fn check(value: &Value, sentences: &[&str]) {
        let found = violations(value, &WHOLE, "data", &[], Level::Texts);
        let right =
            found.len() == sentences.len() && found.iter().zip(sentences).all(|(found, part)| found.contains(part));
        assert!(right, "{value}: {found:?}");
    }

    #[test]
    fn exactly_the_declared_members_of_their_types_are_right() {
        check(&json!({"title": "😀😀😀", "price": 9}), &[]);
        check(&json!({"title": "x", "price": null}), &[]);
        check(&json!({"title": "x"}), &["`data.price` is missing"]);
        check(
            &json!({"title": "x", "price": 1, "more": 1}),
            &["`data.more` is not declared"],
        );
        check(
            &json!({"title": "long", "price": 1.0}),
            &["`data.title` is \"long\"", "`data.price` is 1.0"],
        );
        check(
            &json!({"title": null, "price": 0}),
            &["`data.title` is null", "`data.price` is 0"],
        );
        check(&json!([]), &["`data` is []"]);
    }

    #[test]
    fn forms_are_read_as_written() {
        assert!(has_form("2026-01-31", "0000-00-00") && !has_form("2026-1-31", "0000-00-00"));
    }
}
