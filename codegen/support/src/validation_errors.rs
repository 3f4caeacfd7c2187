//! Collects all validation errors of one request, so that one answer can list them. Knows the position in the input,
//! not what is decoded.

use std::fmt::{self, Write as _};

use super::text;

/// How many errors are listed; the others are only counted, so that an answer stays short.
const MAX_REPORTED: usize = 20;

/// All validation errors of one request, in the order found.
#[derive(Debug, Default)]
pub struct ValidationErrors {
    path: Vec<Step>,
    reported: Vec<String>,
    untold: usize,
    ids: Vec<(&'static str, i64, SentId)>,
}

#[derive(Debug)]
enum Step {
    Member(&'static str),
    Index(usize),
}

/// An id in the notation in which it was sent, for error texts.
#[derive(Clone, Debug)]
pub enum SentId {
    /// In plain notation.
    Plain(i64),
    /// With leading zeros, or too large for 64 bits; shortened if it has many digits.
    Otherwise(Box<str>),
}

impl SentId {
    /// The maximum number of characters in an error text.
    const LONGEST: usize = 64;

    pub(crate) fn from_literal(literal: &str) -> Self {
        Self::Otherwise(match literal.get(..Self::LONGEST) {
            Some(first) if first.len() < literal.len() => format!("{first}...").into(),
            _ => literal.into(),
        })
    }
}

impl fmt::Display for SentId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(number) => number.fmt(out),
            Self::Otherwise(text) => text.fmt(out),
        }
    }
}

impl ValidationErrors {
    /// No errors, at the root of the input.
    pub fn new() -> Self {
        Self::default()
    }

    /// Enters a member of an object, or a parameter of a path or query.
    pub fn enter(&mut self, member: &'static str) {
        self.path.push(Step::Member(member));
    }

    /// Enters an item of a list, counted from 0.
    pub fn enter_index(&mut self, index: usize) {
        self.path.push(Step::Index(index));
    }

    /// Returns to the position before the last `enter` or `enter_index`.
    pub fn leave(&mut self) {
        self.path.pop();
    }

    /// Decodes a member: `enter`, `decode`, `leave`.
    pub fn within<T>(&mut self, member: &'static str, decode: impl FnOnce(&mut Self) -> T) -> T {
        self.enter(member);
        let decoded = decode(self);
        self.leave();
        decoded
    }

    /// Reports an error of the current value: `must be a list` becomes `` `humans[3].skills` must be a list ``. At the
    /// root the subject is "the body".
    pub fn report(&mut self, what: &str) {
        self.add(|errors| format!("{} {what}", errors.subject(None)));
    }

    /// Reports an error of a member of the current value. Its name may be long or unprintable.
    pub fn report_member(&mut self, member: &str, what: &str) {
        self.add(|errors| format!("{} {what}", errors.subject(Some(member))));
    }

    /// Reports a complete sentence.
    pub fn report_bare(&mut self, sentence: &str) {
        self.add(|_| sentence.to_owned());
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.reported.is_empty()
    }

    /// Whether further errors are only counted, so that their texts need not be made.
    pub fn is_full(&self) -> bool {
        self.reported.len() >= MAX_REPORTED
    }

    /// The sentences, joined by `; `. Empty without errors. Of many, only the first 20 and the number of the others.
    pub fn into_text(self) -> String {
        let mut text = self.reported.join("; ");
        if self.untold > 0 {
            let _ = write!(text, "; and {} more", self.untold);
        }
        text
    }

    /// Records the notation of the current id, if it is a parameter or a member of the body.
    pub(crate) fn keep_id(&mut self, number: i64, literal: &str) {
        if let [Step::Member(name)] = self.path.as_slice() {
            self.ids.push((name, number, SentId::from_literal(literal)));
        }
    }

    /// The notation of the id in this parameter or member.
    pub fn sent_id(&self, name: &str, number: i64) -> SentId {
        let kept = self.ids.iter().find(|(known, id, _)| *known == name && *id == number);
        kept.map_or(SentId::Plain(number), |(.., sent)| sent.clone())
    }

    fn add(&mut self, sentence: impl FnOnce(&Self) -> String) {
        if self.is_full() {
            self.untold += 1;
        } else {
            let sentence = sentence(self);
            self.reported.push(sentence);
        }
    }

    fn subject(&self, member: Option<&str>) -> String {
        let mut place = String::new();
        for step in &self.path {
            match step {
                Step::Member(name) => push_member(&mut place, name),
                Step::Index(index) => {
                    let _ = write!(place, "[{index}]");
                }
            }
        }
        if let Some(name) = member {
            push_member(&mut place, &text::shortened(name));
        }
        if place.is_empty() && member.is_none() {
            "the body".to_owned()
        } else {
            format!("`{place}`")
        }
    }
}

fn push_member(place: &mut String, name: &str) {
    if !place.is_empty() {
        place.push('.');
    }
    place.push_str(name);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_its_position() {
        let mut errors = ValidationErrors::new();
        errors.report("must be an object");
        errors.enter("humans");
        errors.enter_index(3);
        errors.report_member("nmae", "is not known here");
        errors.enter("name");
        errors.report("must be a string");
        errors.leave();
        errors.leave();
        errors.leave();
        errors.report_bare("that is all");
        assert_eq!(
            errors.into_text(),
            "the body must be an object; `humans[3].nmae` is not known here; `humans[3].name` must be a string; that is all"
        );
    }

    #[test]
    fn many_errors_and_long_names_make_a_short_text() {
        let mut errors = ValidationErrors::new();
        assert!(errors.is_empty());
        for _ in 0..10_000 {
            errors.report_member(&"\u{0}name".repeat(10_000), "is not known here");
        }
        let text = errors.into_text();
        assert!(text.ends_with("; and 9980 more"), "{text}");
        assert!(text.len() < 4_000 && !text.contains('\u{0}'), "{text}");
    }
}
