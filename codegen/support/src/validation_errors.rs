//! Collects all validation errors of one request, so that one answer can list them. Knows the position in the input,
//! not what is decoded.

use std::fmt::{self, Write as _};

use super::fault::{self, Code, Fault, ListedFault};
use super::key::Key;
use super::text;

/// How many errors are listed; the others are only counted, so that an answer stays short.
const MAX_REPORTED: usize = 20;

/// All validation errors of one request, in the order found.
#[derive(Debug, Default)]
pub struct ValidationErrors {
    path: Vec<Step>,
    reported: Vec<String>,
    /// The code of each reported error.
    coded: Vec<String>,
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
    /// A UUID.
    Uuid(uuid::Uuid),
    /// A number with leading zeros, or too large for 64 bits, shortened if it has many digits.
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
            Self::Uuid(uuid) => uuid.fmt(out),
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
    pub fn report(&mut self, fault: &Fault<'_>) {
        self.add(None, fault, |errors| format!("{} {}", errors.subject(None), fault.text));
    }

    /// Reports an error of a member of the current value. The name of an unknown one may be long or unprintable.
    pub fn report_member(&mut self, member: &str, fault: &Fault<'_>) {
        self.add(Some(member), fault, |errors| {
            format!("{} {}", errors.subject(Some(member)), fault.text)
        });
    }

    /// Reports a complete sentence.
    pub fn report_bare(&mut self, fault: &Fault<'_>) {
        self.add(None, fault, |_| fault.text.clone().into_owned());
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
    pub fn text(&self) -> String {
        let mut text = self.reported.join("; ");
        if self.untold > 0 {
            let _ = write!(text, "; and {} more", self.untold);
        }
        text
    }

    /// The errors for programs, in the same order: `headline;length;1;200, skills[2];blank`. Each is the place of a value
    /// in declared names, the [code](Code) of the error, and its values. The place of an error of an unknown name is that of
    /// the value around it. At most 2,048 bytes.
    pub fn codes(&self) -> String {
        fault::listed(&self.coded)
    }

    /// How many errors are only counted.
    pub fn untold(&self) -> usize {
        self.untold
    }

    /// The errors as an error response lists them.
    pub fn listed(&self) -> Vec<ListedFault> {
        let both = self.reported.iter().zip(&self.coded);
        both.map(|(text, coded)| ListedFault::new(text.clone(), coded.clone()))
            .collect()
    }

    /// Records the notation of the current id, if it is a parameter or a member of the body.
    pub(crate) fn keep_id(&mut self, number: i64, literal: &str) {
        if let [Step::Member(name)] = self.path.as_slice() {
            self.ids.push((name, number, SentId::from_literal(literal)));
        }
    }

    /// The notation of the id in this parameter or member.
    pub fn sent_id(&self, name: &str, id: impl Key) -> SentId {
        let Some(number) = id.number() else {
            return SentId::Uuid(uuid::Uuid::from_slice(&id.bytes()).unwrap_or_default());
        };
        let kept = self.ids.iter().find(|(known, id, _)| *known == name && *id == number);
        kept.map_or(SentId::Plain(number), |(.., sent)| sent.clone())
    }

    fn add(&mut self, member: Option<&str>, fault: &Fault<'_>, sentence: impl FnOnce(&Self) -> String) {
        if self.is_full() {
            self.untold += 1;
        } else {
            let declared = member.filter(|_| fault.code != Code::Unknown);
            let (sentence, coded) = (sentence(self), fault.coded(&self.place(declared)));
            self.reported.push(sentence);
            self.coded.push(coded);
        }
    }

    fn subject(&self, member: Option<&str>) -> String {
        match self.place(member) {
            place if place.is_empty() && member.is_none() => "the body".to_owned(),
            place => format!("`{place}`"),
        }
    }

    fn place(&self, member: Option<&str>) -> String {
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
        place
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
        errors.report(&Fault::new(Code::Type, "must be an object").with(["object"]));
        errors.enter("humans");
        errors.enter_index(3);
        errors.report_member("nmae", &Fault::new(Code::Unknown, "is not known here"));
        errors.report_member("age", &Fault::range(Some(1), None, "must be at least 1"));
        errors.enter("name");
        errors.report(&Fault::new(Code::Characters, "may only have the characters a;é").with(["a;é"]));
        errors.leave();
        errors.leave();
        errors.leave();
        errors.report_bare(&Fault::new(Code::Json, "that is all"));
        assert_eq!(
            errors.text(),
            "the body must be an object; `humans[3].nmae` is not known here; `humans[3].age` must be at least 1; \
             `humans[3].name` may only have the characters a;é; that is all"
        );
        assert_eq!(
            errors.codes(),
            ";type;object, humans[3];unknown, humans[3].age;range;1;, humans[3].name;characters, ;json"
        );
    }

    #[test]
    fn many_errors_and_long_names_make_a_short_text() {
        let mut errors = ValidationErrors::new();
        assert!(errors.is_empty());
        for _ in 0..10_000 {
            errors.report_member(
                &"\u{0}name".repeat(10_000),
                &Fault::new(Code::Unknown, "is not known here"),
            );
        }
        let text = errors.text();
        assert!(text.ends_with("; and 9980 more"), "{text}");
        assert!(text.len() < 4_000 && !text.contains('\u{0}'), "{text}");
        let mut errors = ValidationErrors::new();
        for _ in 0..20 {
            errors.report(&Fault::new(Code::Choice, "must be a word").with(["w".repeat(999)]));
        }
        assert_eq!(errors.codes().len(), 2 * ";choice;".len() + 2 * 999 + ", ".len());
    }
}
