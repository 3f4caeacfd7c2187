//! Takes the members of an object, or the parameters of a query, one by one. Knows which names are valid, and the
//! meaning of absent and null; must not know the values, which decoders read.

use super::decode;
use super::fault::{Code, Fault};
use super::json;
use super::text;
use super::validation_errors::ValidationErrors;
use super::value::Value;

/// The values of the known names.
#[derive(Debug)]
pub struct Members {
    slots: Vec<(&'static str, Slot)>,
}

/// Decodes the value of a member. A plain function pointer, so that generic code is compiled once for each type and
/// not for each member.
pub type Decoder<T> = fn(Value, &mut ValidationErrors) -> Option<T>;

#[derive(Debug, Default)]
enum Slot {
    #[default]
    Absent,
    Value(Value),
    /// Present but already reported as invalid; there is nothing to decode.
    Invalid,
    /// Present more than once, which was reported.
    Repeated,
}

impl Members {
    /// The members of an object. Unknown and repeated ones are errors; `None` if the value is not an object.
    pub fn of_object(value: Value, known: &[&'static str], errors: &mut ValidationErrors) -> Option<Self> {
        let mut members = Self::none_of(known);
        let mut put = |name: String, value| members.put(&name, errors, |_| Slot::Value(value));
        match value {
            Value::Object(value) => value.into_iter().for_each(|(name, value)| put(name, value)),
            Value::LongObject(text) => json::each_member(&text, put),
            other => {
                errors.report(
                    &Fault::new(Code::Type, format!("must be an object, not {}", other.kind())).with(["object"]),
                );
                return None;
            }
        }
        Some(members)
    }

    /// The parameters of a query, the part of a URL after `?`. Unknown, repeated, empty and undecodable ones are
    /// errors.
    pub fn of_query(raw: Option<&str>, known: &[&'static str], errors: &mut ValidationErrors) -> Self {
        let mut members = Self::none_of(known);
        for pair in raw.unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let Some(name) = text::query_decode(name) else {
                errors.report_member(
                    name,
                    &Fault::new(Code::Unknown, "is not a name in percent-encoded UTF-8"),
                );
                continue;
            };
            members.put(&name, errors, |errors| match text::query_decode(value) {
                Some(value) if value.is_empty() => {
                    errors.report_member(&name, &decode::empty());
                    Slot::Invalid
                }
                Some(value) => Slot::Value(Value::Raw(value.into_owned())),
                None => {
                    errors.report_member(&name, &Fault::new(Code::Encoding, "must be percent-encoded UTF-8"));
                    Slot::Invalid
                }
            });
        }
        members
    }

    /// Reports an error if none of `known` is present. Call this before taking any.
    pub fn require_any(&self, known: &[&'static str], errors: &mut ValidationErrors) {
        if !self
            .slots
            .iter()
            .any(|(name, slot)| known.contains(name) && !matches!(slot, Slot::Absent))
        {
            let text = format!("must have at least one of {}", text::listed(known));
            errors.report(&Fault::new(Code::Any, text).with(known));
        }
    }

    /// A required member: absent or null is an error.
    pub fn required<T>(&mut self, name: &'static str, errors: &mut ValidationErrors, decode: Decoder<T>) -> Option<T> {
        let value = self.patch(name, errors, decode)?;
        if value.is_none() {
            errors.report_member(name, &Fault::new(Code::Required, "is required"));
        }
        value
    }

    /// An optional member: absent and null both give `Some(None)`.
    pub fn optional<T>(
        &mut self,
        name: &'static str,
        errors: &mut ValidationErrors,
        decode: Decoder<T>,
    ) -> Option<Option<T>> {
        self.patch_nullable(name, errors, decode).map(Option::flatten)
    }

    /// A member with a default for absent and null.
    pub fn or_default<T>(
        &mut self,
        name: &'static str,
        errors: &mut ValidationErrors,
        decode: Decoder<T>,
        default: T,
    ) -> Option<T> {
        self.optional(name, errors, decode)
            .map(|value| value.unwrap_or(default))
    }

    /// A member that may be absent, `Some(None)`, but not null.
    pub fn patch<T>(
        &mut self,
        name: &'static str,
        errors: &mut ValidationErrors,
        decode: Decoder<T>,
    ) -> Option<Option<T>> {
        let value = self.patch_nullable(name, errors, decode)?;
        if let Some(None) = value {
            errors.report_member(name, &Fault::new(Code::Null, "must not be null"));
            return None;
        }
        Some(value.flatten())
    }

    /// A member that may be absent, `Some(None)`, or null, `Some(Some(None))`.
    pub fn patch_nullable<T>(
        &mut self,
        name: &'static str,
        errors: &mut ValidationErrors,
        decode: Decoder<T>,
    ) -> Option<Option<Option<T>>> {
        match self.take(name) {
            Slot::Absent => Some(None),
            Slot::Value(Value::Null) => Some(Some(None)),
            Slot::Value(value) => {
                errors.enter(name);
                let decoded = decode(value, errors);
                errors.leave();
                decoded.map(|value| Some(Some(value)))
            }
            Slot::Invalid | Slot::Repeated => None,
        }
    }

    fn none_of(known: &[&'static str]) -> Self {
        Self {
            slots: known.iter().map(|name| (*name, Slot::Absent)).collect(),
        }
    }

    fn put(&mut self, name: &str, errors: &mut ValidationErrors, value: impl FnOnce(&mut ValidationErrors) -> Slot) {
        match self.slots.iter_mut().find(|(known, _)| *known == name) {
            Some((_, slot @ Slot::Absent)) => *slot = value(errors),
            Some((_, Slot::Repeated)) => {}
            Some((_, slot)) => {
                errors.report_member(name, &Fault::new(Code::Repeated, "must be given only once"));
                *slot = Slot::Repeated;
            }
            None => self.report_unknown(name, errors),
        }
    }

    fn report_unknown(&self, name: &str, errors: &mut ValidationErrors) {
        let known: Vec<&str> = if errors.is_full() {
            Vec::new()
        } else {
            self.slots.iter().map(|(known, _)| *known).collect()
        };
        let proposal = text::proposal(name, &known);
        errors.report_member(name, &Fault::new(Code::Unknown, format!("is not known here{proposal}")));
    }

    fn take(&mut self, name: &str) -> Slot {
        self.slots
            .iter_mut()
            .find(|(known, _)| *known == name)
            .map(|(_, slot)| std::mem::take(slot))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{IntegerRule, TextRule, integer, text};
    use crate::json::parse;

    const TEXT: TextRule = TextRule {
        min: 1,
        max: Some(5),
        chars: None,
        bidi_controls: true,
    };
    const COUNT: IntegerRule = IntegerRule {
        min: Some(0),
        max: None,
    };

    fn object(json: &str, known: &[&'static str], errors: &mut ValidationErrors) -> Members {
        let value = parse(json.as_bytes(), errors).unwrap();
        Members::of_object(value, known, errors).unwrap()
    }

    #[test]
    fn absent_null_and_present_are_distinguished() {
        let known = ["absent", "null", "given"];
        let values_of = |name: &'static str| {
            let mut errors = ValidationErrors::new();
            let fresh = || object(r#"{"null":null,"given":"x"}"#, &known, &mut ValidationErrors::new());
            let decode = |v, f: &mut ValidationErrors| text(v, f, &TEXT);
            let required = fresh().required(name, &mut errors, decode);
            let optional = fresh().optional(name, &mut errors, decode);
            let or_default = fresh().or_default(name, &mut errors, decode, "d".to_owned());
            let patch = fresh().patch(name, &mut errors, decode);
            let nullable = fresh().patch_nullable(name, &mut errors, decode);
            (required, optional, or_default, patch, nullable, errors.text())
        };
        let x = || Some("x".to_owned());
        let d = || Some("d".to_owned());
        assert_eq!(
            values_of("absent"),
            (
                None,
                Some(None),
                d(),
                Some(None),
                Some(None),
                "`absent` is required".to_owned()
            )
        );
        let nulls = "`null` must not be null; `null` must not be null".to_owned();
        assert_eq!(
            values_of("null"),
            (None, Some(None), d(), None, Some(Some(None)), nulls)
        );
        assert_eq!(
            values_of("given"),
            (x(), Some(x()), x(), Some(x()), Some(Some(x())), String::new())
        );
    }

    #[test]
    fn every_error_of_an_object_is_named() {
        let mut errors = ValidationErrors::new();
        let json = r#"{"nmae":1,"name":"toolong","limit":1,"limit":2,"limit":3,"zzz":{},"":0}"#;
        let mut members = object(json, &["name", "limit", "other"], &mut errors);
        assert_eq!(members.required("name", &mut errors, |v, f| text(v, f, &TEXT)), None);
        assert_eq!(
            members.required("limit", &mut errors, |v, f| integer(v, f, &COUNT)),
            None
        );
        assert_eq!(
            members.required("other", &mut errors, |v, f| integer(v, f, &COUNT)),
            None
        );
        assert_eq!(
            errors.text(),
            "`nmae` is not known here, did you mean `name`?; `limit` must be given only once; `zzz` is not known here, \
             known are `name`, `limit`, `other`; `` is not known here, known are `name`, `limit`, `other`; `name` must have 1 to 5 characters, this has 7; `other` is required"
        );
    }

    #[test]
    fn at_least_one_can_be_asked_for() {
        let asked = |json| {
            let mut errors = ValidationErrors::new();
            object(json, &["a", "b", "c"], &mut errors).require_any(&["a", "b"], &mut errors);
            errors.text()
        };
        assert_eq!(asked(r#"{"b":null}"#), "");
        assert_eq!(asked(r#"{"c":1}"#), "the body must have at least one of `a`, `b`");
    }

    #[test]
    fn a_query_is_read_strictly() {
        let query = |raw| {
            let mut errors = ValidationErrors::new();
            let mut members = Members::of_query(raw, &["skill", "minRate"], &mut errors);
            let skill = members.optional("skill", &mut errors, |v, f| text(v, f, &TEXT));
            (skill.flatten(), errors.text())
        };
        for raw in [None, Some(""), Some("&"), Some("minRate=1&")] {
            assert_eq!(query(raw), (None, String::new()), "{raw:?}");
        }
        for (raw, skill) in [
            ("skill=a+%2b=", "a +="),
            ("%73kill=%E6%9D%B1", "東"),
            ("&skill=+x&&minRate=1", " x"),
        ] {
            assert_eq!(query(Some(raw)), (Some(skill.to_owned()), String::new()), "{raw}");
        }
        for (raw, sentence) in [
            ("skill", "`skill` must not be empty"),
            (
                "skill=&skill=x",
                "`skill` must not be empty; `skill` must be given only once",
            ),
            ("skill=x&skill=x", "`skill` must be given only once"),
            ("skill=%ff", "`skill` must be percent-encoded UTF-8"),
            (
                "skill=+",
                "`skill` must not be only white space or invisible characters",
            ),
            ("sk%ill=1", "`sk%ill` is not a name in percent-encoded UTF-8"),
            ("min_rate=1", "`min_rate` is not known here, did you mean `minRate`?"),
            ("=x", "`` is not known here, known are `skill`, `minRate`"),
        ] {
            assert_eq!(query(Some(raw)), (None, sentence.to_owned()), "{raw}");
        }
    }

    #[test]
    fn no_query_is_too_odd() {
        use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
        let mut random = StdRng::seed_from_u64(2);
        let alphabet: Vec<char> = "skill=&%+2bfFéE6東\u{0}".chars().collect();
        for _ in 0..20_000 {
            let length = random.random_range(0..30);
            let raw: String = (0..length)
                .map(|_| alphabet[random.random_range(0..alphabet.len())])
                .collect();
            let mut errors = ValidationErrors::new();
            let mut members = Members::of_query(Some(&raw), &["skill"], &mut errors);
            members.optional("skill", &mut errors, |v, f| text(v, f, &TEXT));
            members.optional("never", &mut errors, |v, f| text(v, f, &TEXT));
        }
    }
}
