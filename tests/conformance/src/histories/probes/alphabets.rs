//! Texts at the bounds of what types allow, and outside of them.

use crate::types::Type;
use codegen::model::Class;

/// Unicode's Bidi_Control.
pub(super) const BIDI_CONTROLS: &str =
    "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}";

/// Texts of white space or invisible characters only, or with control characters.
pub(super) const BLANKS: [&str; 13] = [
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
pub(super) const BLANK_PARAMETERS: [&str; 7] = [
    "",
    " ",
    "\u{3000}",
    "\u{200b}\u{2060}",
    "\u{3164}\u{e0020}",
    "a\u{0}b",
    "a\u{7}",
];

/// An object with a member twice, of which many libraries take the last one.
pub(super) const MEMBER_TWICE: &str = r#"{"a":{"b":1,"b":2}}"#;

/// Texts that are not percent-encoded UTF-8. Many servers leave a lone `%` as it is.
pub(super) fn broken_encodings(is_strict: bool) -> &'static [&'static str] {
    &["%ff", "%c3%28", "%ed%a0%80", "%", "%4", "%zz"][..if is_strict { 6 } else { 3 }]
}

/// The character within a word of allowed ones, whose length is valid: alone, it may be invalid as a blank text.
pub(super) fn within_a_word(c: char, of: &Type) -> String {
    const LENGTH: usize = 3;
    let Type::Text { min, max, chars, .. } = of else {
        return format!("x{c}x");
    };
    let length = LENGTH.max(*min).min(max.unwrap_or(usize::MAX)).max(1);
    let mut word: Vec<char> = chars.unwrap_or("x").chars().take(1).cycle().take(length).collect();
    word[usize::from(length > 1)] = c;
    word.into_iter().collect()
}

/// Characters that a class may lack.
pub(super) const OTHER_CHARACTERS: &str = " A!é/.\n😀Z:";

/// Texts that are stored as they are sent. The first has what some servers change.
pub(super) const KEPT_TEXTS: [&str; 2] = [" e\u{301}é\t\"\\/\r\n東👩\u{200d}🔧 ", "é\n東"];

/// An object with arbitrary members that is stored as it is sent.
pub(super) const KEPT_OBJECT: &str = r#"{"é":"東\n","n":[1,2.50,-3e2,true,null],"":{}}"#;

/// A text with a bidirectional control within it.
pub(super) const BIDI_TEXT: &str = "a\u{202e}b";

/// Texts of a length that is allowed, together of every character of the class up to U+00FF.
pub(super) fn of_every_character(class: &Class, min: usize, max: Option<usize>) -> Vec<String> {
    let every: Vec<char> = ('\0'..='\u{ff}').filter(|c| class.has(*c)).collect();
    let longest = max.unwrap_or(every.len()).max(1);
    let parts = every.chunks(longest).filter(|part| part.len() >= min);
    parts.map(String::from_iter).collect()
}

/// A text that nothing has.
pub(super) const UNHEARD_OF: &str = "no such thing anywhere";

/// The first word in capitals, in small letters and with a space behind it, unless the result is one of the words.
pub(super) fn other_spellings(words: &[&str]) -> Vec<String> {
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
