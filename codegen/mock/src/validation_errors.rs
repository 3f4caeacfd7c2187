//! Everything that is wrong with the input of one request, for one text.

use crate::text;

/// How many errors the text names; the others are counted.
const NAMED: usize = 20;

/// How many bytes the codes may have. Those that come after it are left out.
const MAX_CODES: usize = 2_048;

/// The errors of one request, in the order in which they are found.
#[derive(Debug, Default)]
pub(crate) struct ValidationErrors {
    place: Vec<String>,
    named: Vec<Fault>,
    unnamed: usize,
}

impl ValidationErrors {
    /// Runs `decode` with the place set to a member, or to a parameter.
    pub(crate) fn within<T>(&mut self, member: &str, decode: impl FnOnce(&mut Self) -> T) -> T {
        let dot = if self.place.is_empty() { "" } else { "." };
        self.at(format!("{dot}{member}"), decode)
    }

    /// The same for an item of a list.
    pub(crate) fn within_item<T>(&mut self, index: usize, decode: impl FnOnce(&mut Self) -> T) -> T {
        self.at(format!("[{index}]"), decode)
    }

    fn at<T>(&mut self, step: String, decode: impl FnOnce(&mut Self) -> T) -> T {
        self.place.push(step);
        let decoded = decode(self);
        self.place.pop();
        decoded
    }

    /// Adds what is wrong at this place: for people, and as a code with its values.
    pub(crate) fn add(&mut self, what: &str, code: &str) {
        let place = self.place.concat();
        let subject = if place.is_empty() {
            "the body".to_owned()
        } else {
            format!("`{place}`")
        };
        self.sentence(format!("{subject} {what}"), format!("{place};{code}"));
    }

    /// Adds what is wrong with a member of this place.
    pub(crate) fn add_of(&mut self, member: &str, what: &str, code: &str) {
        let place = self.place_of(member);
        self.sentence(format!("`{place}` {what}"), format!("{place};{code}"));
    }

    /// Adds a name that is not known at this place. It may be anything that a caller sends.
    pub(crate) fn add_unknown(&mut self, member: &str, what: &str) {
        let place = self.place_of(&text::shortened(member));
        self.sentence(format!("`{place}` {what}"), format!("{};unknown", self.place.concat()));
    }

    fn place_of(&self, member: &str) -> String {
        let dot = if self.place.is_empty() { "" } else { "." };
        format!("{}{dot}{member}", self.place.concat())
    }

    /// Adds a sentence with its code.
    pub(crate) fn sentence(&mut self, sentence: String, code: String) {
        if self.named.len() < NAMED {
            self.named.push((sentence, code));
        } else {
            self.unnamed += 1;
        }
    }

    /// Whether further errors are only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.named.len() >= NAMED
    }

    /// All of them; `None` if nothing is wrong.
    pub(crate) fn faults(self) -> Option<Faults> {
        let (named, unnamed) = (self.named, self.unnamed);
        (!named.is_empty()).then_some(Faults { named, unnamed })
    }
}

/// One fault: the sentence for people, and its place and its code with its values for programs.
pub(crate) type Fault = (String, String);

/// All that is wrong with a request.
#[derive(Debug, PartialEq)]
pub(crate) struct Faults {
    /// The first ones.
    pub(crate) named: Vec<Fault>,
    /// How many others there are.
    pub(crate) unnamed: usize,
}

impl Faults {
    /// One fault.
    pub(crate) fn one(text: impl Into<String>, code: &str) -> Self {
        Self {
            named: vec![(text.into(), code.to_owned())],
            unnamed: 0,
        }
    }

    /// The text for people.
    pub(crate) fn text(&self) -> String {
        let more = (self.unnamed > 0).then(|| format!("and {} more", self.unnamed));
        let sentences = self.named.iter().map(|(sentence, _)| sentence.clone());
        sentences.chain(more).collect::<Vec<_>>().join("; ")
    }

    /// The codes for programs, as many as fit.
    pub(crate) fn codes(&self) -> String {
        let mut codes = String::new();
        for (_, code) in &self.named {
            let separator = if codes.is_empty() { "" } else { ", " };
            if codes.len() + 2 + code.len() > MAX_CODES {
                break;
            }
            codes = codes + separator + code;
        }
        codes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_its_place_and_many_are_counted() {
        let mut errors = ValidationErrors::default();
        errors.add("must be an object", "type;object");
        errors.within("humans", |errors| {
            errors.within_item(3, |errors| {
                errors.add_unknown("na\0me", "is not known here");
                errors.within("name", |errors| errors.add("must be a string", "type;string"));
            });
        });
        let text =
            "the body must be an object; `humans[3].na\u{fffd}me` is not known here; `humans[3].name` must be a string";
        let codes = ";type;object, humans[3];unknown, humans[3].name;type;string, ;x";
        for _ in 3..30 {
            errors.add("x", "x");
        }
        let all = errors.faults().unwrap();
        assert!(
            all.text().starts_with(text) && all.text().ends_with("; the body x; and 10 more"),
            "{all:?}"
        );
        assert!(all.codes().starts_with(codes), "{all:?}");
        assert_eq!(ValidationErrors::default().faults(), None);
    }
}
