//! Invalid single values: wrong types, characters and words, and unknown names.

use crate::attempt::Attempt;
use crate::invalid_requests::other_texts;
use crate::sample::wrong_types;
use crate::suite::skip_test;
use crate::types::Type;
use crate::value::{Value, null, raw, word};

/// Unicode's Bidi_Control.
pub(crate) const BIDI_CONTROLS: &str =
    "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}";

/// Texts of white space or invisible characters only, or with control characters.
pub(crate) const BLANKS: [&str; 13] = [
    " ",
    "\t\r\n",
    "\u{3000}\u{a0}",
    "\u{200b}",
    "\u{2060}\u{200d}\u{feff}\u{ad}",
    "\u{115f}\u{1160}\u{3164}\u{ffa0}",
    "\u{2800} \u{fe0f}\u{180e}",
    "\u{e0020}\u{e0061}\u{e0100}",
    "a\u{0}b",
    "a\u{7}",
    "\u{1b}[1m",
    "\u{7f}x",
    "\u{85}x",
];

/// The same for a parameter of the query, where an empty text is never allowed.
pub(crate) const BLANK_PARAMETERS: [&str; 7] = [
    "",
    " ",
    "\u{3000}",
    "\u{200b}\u{2060}",
    "\u{3164}\u{e0020}",
    "a\u{0}b",
    "a\u{7}",
];

/// An object with a member twice, of which many libraries take the last one.
pub(crate) const MEMBER_TWICE: &str = r#"{"a":{"b":1,"b":2}}"#;

/// Texts that are not percent-encoded UTF-8. Many servers leave a lone `%` as it is.
pub(crate) fn broken_encodings(is_strict: bool) -> &'static [&'static str] {
    &["%ff", "%c3%28", "%ed%a0%80", "%", "%4", "%zz"][..if is_strict { 6 } else { 3 }]
}

/// The character within a word of allowed ones, whose length is valid: alone, it may be invalid as a blank text.
pub(crate) fn within_a_word(c: char, of: &Type) -> String {
    const LENGTH: usize = 3;
    let Type::Text { min, max, chars, .. } = of else {
        return format!("x{c}x");
    };
    let length = LENGTH.max(*min).min(max.unwrap_or(usize::MAX)).max(1);
    let mut word: Vec<char> = chars.unwrap_or("x").chars().take(1).cycle().take(length).collect();
    word[usize::from(length > 1)] = c;
    word.into_iter().collect()
}

impl Attempt {
    /// A member of the body with another type is rejected.
    #[track_caller]
    pub fn rejects_wrong_types(self, place: &str) {
        let values = wrong_types(self.type_at(place));
        self.each_invalid(place, values);
    }

    /// A parameter of the query that is not a value of its type is rejected.
    #[track_caller]
    pub fn rejects_wrong_texts(self, parameter: &str) {
        let of = self.parameter_type(parameter);
        let altered = match of {
            Type::Word(words) => other_spellings(words),
            _ => Vec::new(),
        };
        let wrong = other_texts(of, self.is_strict()).into_iter();
        for text in wrong.chain(altered.iter().map(String::as_str)) {
            self.clone().parameter(parameter, text).invalid(&[parameter]);
        }
    }

    /// An empty text, one of only white space or invisible characters and one with control characters are rejected. The empty
    /// one is not tried if it is allowed (`min` is 0).
    #[track_caller]
    pub fn rejects_blank_and_control_characters(self, place: &str, empty: bool) {
        let values = BLANKS.iter().copied().chain(empty.then_some("")).map(word).collect();
        self.each_invalid(place, values);
    }

    /// The same for a parameter of the query, where an empty text is never allowed.
    #[track_caller]
    pub fn rejects_blank_parameters(self, parameter: &str) {
        for text in BLANK_PARAMETERS {
            self.clone().parameter(parameter, text).invalid(&[parameter]);
        }
    }

    /// A text with any bidirectional control is rejected.
    #[track_caller]
    pub fn rejects_bidi_controls(self, place: &str) {
        self.rejects_other_characters(place, BIDI_CONTROLS);
    }

    /// The same for a parameter of the query.
    #[track_caller]
    pub fn rejects_bidi_parameters(self, parameter: &str) {
        let of = self.parameter_type(parameter);
        for control in BIDI_CONTROLS.chars() {
            let text = within_a_word(control, of);
            self.clone().parameter(parameter, &text).invalid(&[parameter]);
        }
    }

    /// Characters outside of the allowed ones are rejected.
    #[track_caller]
    pub fn rejects_other_characters(self, place: &str, others: &str) {
        let of = self.type_at(place);
        let values = others.chars().map(|c| Value::Text(within_a_word(c, of))).collect();
        self.each_invalid(place, values);
    }

    /// An object with arbitrary members that has one twice is rejected. Many libraries take the last one.
    #[track_caller]
    pub fn rejects_member_twice(self, place: &str) {
        if !self.is_strict() {
            skip_test("a member twice within an object with arbitrary members is the server's own matter".to_owned());
        }
        self.each_invalid(place, vec![raw(MEMBER_TWICE)]);
    }

    /// Texts that are not of a format are rejected.
    #[track_caller]
    pub fn rejects_texts(self, place: &str, others: impl Iterator<Item = &'static str>) {
        self.each_invalid(place, others.map(word).collect());
    }

    /// Words outside of the declared ones are rejected: other letter cases, and these others.
    #[track_caller]
    pub fn rejects_other_words(self, place: &str, others: &[&str]) {
        let Type::Word(words) = self.type_at(place) else {
            panic!("{place} is no word")
        };
        let altered = other_spellings(words);
        let all = altered.iter().map(String::as_str).chain(["no-such-word", ""]);
        self.each_invalid(place, all.chain(others.iter().copied()).map(word).collect());
    }

    /// A text that looks like the type's null is still rejected.
    #[track_caller]
    pub fn rejects_null(self, place: &str) {
        self.each_invalid(place, vec![null()]);
    }

    /// An object rejects undeclared members, also those that the contract uses elsewhere.
    #[track_caller]
    pub fn rejects_unknown_members(self, place: &str, vocabulary: &[&str]) {
        let Type::Object(known) = self.type_at(place) else {
            panic!("no object lies at {place}")
        };
        for name in vocabulary
            .iter()
            .filter(|name| !known.iter().any(|member| member.name == **name))
        {
            let place = if place.is_empty() {
                (*name).to_owned()
            } else {
                format!("{place}.{name}")
            };
            self.clone().with(&place, raw("1")).invalid(&[name]);
        }
    }

    /// The query rejects undeclared parameters.
    #[track_caller]
    pub fn rejects_unknown_parameters(self, vocabulary: &[&str]) {
        for name in vocabulary.iter().filter(|name| self.operation.query(name).is_none()) {
            self.clone().parameter(name, "1").invalid(&[name]);
        }
    }

    /// A parameter with invalid percent-encoding is rejected.
    #[track_caller]
    pub fn rejects_broken_encoding(self, parameter: &str) {
        for text in broken_encodings(self.is_strict()) {
            self.clone().raw_parameter(parameter, text).invalid(&[parameter]);
        }
    }

    fn parameter_type(&self, name: &str) -> &'static Type {
        let found = self.operation.query(name);
        found.unwrap_or_else(|| panic!("no parameter {name}")).of
    }
}

/// The first word in capitals, in small letters and with a space behind it, unless the result is one of the words.
pub(crate) fn other_spellings(words: &[&str]) -> Vec<String> {
    let first = words[0];
    let spellings = [first.to_uppercase(), first.to_lowercase(), format!("{first} ")];
    let is_other = |spelling: &String| !words.contains(&spelling.as_str());
    spellings.into_iter().filter(is_other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &[&str], expected: &[&str]) {
        assert_eq!(other_spellings(words), expected, "{words:?}");
    }

    #[test]
    fn a_misspelt_word_is_never_another_word() {
        check(&["small", "large"], &["SMALL", "small "]);
        check(&["EUR", "JPY"], &["eur", "EUR "]);
        check(&["Cash", "card"], &["CASH", "cash", "Cash "]);
        check(&["a-1_B", "A-1_B"], &["a-1_b", "a-1_B "]);
    }
}
