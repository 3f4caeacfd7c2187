//! Formats: built-in types of texts of a fixed form, such as dates. What the compiler, the mock and the tests know of one stands
//! in its file. Elsewhere are only its parser in the generated server (`support::decode`) and the check of the verifier, which
//! share no code with these.

mod date;
mod date_time;
mod email;
mod uri;
mod uuid;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A built-in type of texts of a fixed form.
pub struct Format {
    /// Its name in contracts.
    pub name: &'static str,
    /// What it is. Markdown, for the reference.
    pub doc: &'static str,
    /// What a value is, with an article: `a date`.
    pub noun: &'static str,
    /// How a value is written: "`YYYY-MM-DD`".
    pub notation: &'static str,
    /// What a value must be: in an error response, after `must be`.
    pub demand: &'static str,
    /// The same in the name of a test and in its rule: `day`, `a day of the calendar`.
    pub tested: (&'static str, &'static str),
    /// The codes of validation errors: the value of `type` for what is no text, and the code for other texts.
    pub codes: (&'static str, &'static str),
    /// `format` of JSON Schema.
    pub json_schema: &'static str,
    /// Bounds of its characters.
    pub length: (u64, Option<u64>),
    /// The copied type of `support` with a function `parse`; `None`: a text that `support::decode::NAME` parses.
    pub rust: Option<&'static str>,
    /// The order of values as they are shown, if they have one.
    pub order: Option<fn(&str, &str) -> Ordering>,
    /// How a text of this length is stored, compared and shown. `None`: it is no value.
    read: fn(&str) -> Option<String>,
    /// Values as they are shown; the first is the example of documents. Tests send all of them.
    pub values: [&'static str; 5],
    /// Further values: in order, before, between and after those.
    pub unused: [&'static str; 3],
    /// Values that must be accepted, each with a test of its own, and how they are shown.
    pub edges: &'static [(&'static str, &'static str)],
    /// Texts that look like values and are none, by what is wrong with them: `is no day that there is`.
    pub others: &'static [(&'static str, &'static [&'static str])],
}

/// All formats.
pub const ALL: [&Format; 5] = [
    &date::DATE,
    &date_time::DATE_TIME,
    &email::EMAIL,
    &uri::URI,
    &uuid::UUID,
];

/// The format with this name.
pub fn find(name: &str) -> Option<&'static Format> {
    ALL.into_iter().find(|format| format.name == name)
}

impl Format {
    /// How a value is stored, compared and shown. `None`: the text is no value.
    pub fn canonical(&self, text: &str) -> Option<String> {
        let (min, max) = self.length;
        let length = text.chars().count() as u64;
        let fits = min <= length && max.is_none_or(|max| length <= max);
        fits.then(|| (self.read)(text)).flatten()
    }

    /// The order of two values as they are shown: that of the texts, if they have no other one.
    pub fn compare(&self, one: &str, other: &str) -> Ordering {
        self.order.map_or_else(|| one.cmp(other), |order| order(one, other))
    }

    /// Texts that look like values and are none.
    pub fn others(&self) -> impl Iterator<Item = &'static str> {
        self.others.iter().flat_map(|(_, texts)| *texts).copied()
    }

    /// A value that looks random.
    pub fn value(&self, place: u64) -> &'static str {
        self.values[place as usize % self.values.len()]
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}

impl Hash for Format {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// The text as it is, if it is a value.
fn as_written(text: &str, is_value: impl Fn(&str) -> bool) -> Option<String> {
    is_value(text).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_accepts_its_values_and_no_other_text() {
        for format in ALL {
            for value in format.values.iter().chain(&format.unused) {
                assert_eq!(format.canonical(value).as_deref(), Some(*value), "{format:?}");
            }
            for (sent, shown) in format.edges {
                assert_eq!(format.canonical(sent).as_deref(), Some(*shown), "{format:?}");
            }
            for other in format.others() {
                assert_eq!(format.canonical(other), None, "{format:?}: {other:?}");
            }
            let mut ordered = format.unused;
            ordered.sort_unstable();
            assert_eq!(ordered, format.unused, "{format:?}");
        }
    }
}
