//! Everything that is wrong with the input of one request, for one text.

use crate::text;

/// How many errors the text names; the others are counted.
const NAMED: usize = 20;

/// The errors of one request, in the order in which they are found.
#[derive(Debug, Default)]
pub(crate) struct ValidationErrors {
    place: Vec<String>,
    named: Vec<String>,
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

    /// Adds what is wrong at this place.
    pub(crate) fn add(&mut self, what: &str) {
        let place = self.place.concat();
        self.sentence(match place.as_str() {
            "" => format!("the body {what}"),
            _ => format!("`{place}` {what}"),
        });
    }

    /// Adds what is wrong with a member of this place. Its name may be anything that a caller sends.
    pub(crate) fn add_of(&mut self, member: &str, what: &str) {
        let dot = if self.place.is_empty() { "" } else { "." };
        let place = format!("{}{dot}{}", self.place.concat(), text::shortened(member));
        self.sentence(format!("`{place}` {what}"));
    }

    /// Adds a sentence.
    pub(crate) fn sentence(&mut self, sentence: String) {
        if self.named.len() < NAMED {
            self.named.push(sentence);
        } else {
            self.unnamed += 1;
        }
    }

    /// Whether further errors are only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.named.len() >= NAMED
    }

    /// The text; `None` if nothing is wrong.
    pub(crate) fn text(self) -> Option<String> {
        let more = match self.unnamed {
            0 => String::new(),
            count => format!("; and {count} more"),
        };
        (!self.named.is_empty()).then(|| self.named.join("; ") + &more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_its_place_and_many_are_counted() {
        let mut errors = ValidationErrors::default();
        errors.add("must be an object");
        errors.within("humans", |errors| {
            errors.within_item(3, |errors| {
                errors.add_of("na\0me", "is not known here");
                errors.within("name", |errors| errors.add("must be a string"));
            });
        });
        let text =
            "the body must be an object; `humans[3].na\u{fffd}me` is not known here; `humans[3].name` must be a string";
        for _ in 3..30 {
            errors.add("x");
        }
        let all = errors.text().unwrap();
        assert!(
            all.starts_with(text) && all.ends_with("; the body x; and 10 more"),
            "{all}"
        );
        assert_eq!(ValidationErrors::default().text(), None);
    }
}
