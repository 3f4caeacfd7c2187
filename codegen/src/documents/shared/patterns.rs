//! Regular expressions in the common syntax of ECMA-262, Python, Rust and Go.

use crate::model::{Class, Credential, Piece, Template};

/// Characters that no text may contain: control characters other than tab and line ends.
const CONTROLS: &str = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f";

/// Invisible characters up to U+FFFF: beyond that the languages differ.
const INVISIBLE: &str = "\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{200b}-\u{200f}\u{202a}-\u{202e}\
                         \u{2060}-\u{206f}\u{2800}\u{3164}\u{fe00}-\u{fe0f}\u{feff}\u{ffa0}\u{fff0}-\u{fffb}";

/// Characters that change the display order of other characters.
const BIDI_CONTROLS: &str = "\u{61c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}";

/// A text without control characters that has more than white space and invisible characters.
pub(crate) fn text(may_be_empty: bool, bidi_controls: bool) -> String {
    let bidi = if bidi_controls { "" } else { BIDI_CONTROLS };
    let text = format!(r"[^{CONTROLS}{bidi}]*[^\s{CONTROLS}{INVISIBLE}][^{CONTROLS}{bidi}]*");
    if may_be_empty {
        format!("^({text})?$")
    } else {
        format!("^{text}$")
    }
}

/// A text of only these characters.
pub(crate) fn of_chars(class: &Class, min: u64, max: Option<u64>) -> String {
    let length = match (min, max) {
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (min, None) => format!("{{{min},}}"),
        (min, Some(max)) if min == max => format!("{{{max}}}"),
        (min, Some(max)) => format!("{{{min},{max}}}"),
    };
    format!("^[{}]{length}$", expression(class))
}

/// `YYYY-MM-DDTHH:MM:SS`
pub(crate) fn timestamp() -> String {
    "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$".to_owned()
}

/// A credential of any of these kinds.
pub(crate) fn secret<'m>(kinds: &[&'m Credential]) -> String {
    let of = |kind: &&'m Credential| kind.prefixes().map(|prefix| (prefix, kind.random)).collect::<Vec<_>>();
    let one = |(prefix, random): (&str, u64)| format!("{}[0-9A-Za-z]{{{random}}}", escaped(prefix));
    let forms: Vec<String> = kinds.iter().flat_map(of).map(one).collect();
    match forms.as_slice() {
        [form] => format!("^{form}$"),
        forms => format!("^({})$", forms.join("|")),
    }
}

/// A text that matches a template; `value` returns the expression for a placeholder.
pub(crate) fn template(template: &Template, value: impl Fn(&str) -> String) -> String {
    let pieces = template.0.iter().map(|piece| match piece {
        Piece::Text(text) => escaped(text),
        Piece::Placeholder(name) => value(name),
    });
    format!("^{}$", pieces.collect::<String>())
}

/// An expression that matches exactly this text.
pub(crate) fn escaped(text: &str) -> String {
    let special = |c: char| r"\^$.*+?()[]{}|/".contains(c);
    let escaped = text
        .chars()
        .flat_map(|c| special(c).then_some('\\').into_iter().chain([c]));
    escaped.collect()
}

/// The inside of a bracket expression for these characters.
fn expression(class: &Class) -> String {
    let escaped = |c: char| {
        let slash = r"\]^[-".contains(c).then_some('\\');
        slash.into_iter().chain([c]).collect::<String>()
    };
    let range = |(first, last): &(char, char)| match first == last {
        true => escaped(*first),
        false => format!("{}-{}", escaped(*first), escaped(*last)),
    };
    class.ranges().iter().map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_of_characters_is_one_of_an_expression() {
        for (class, expected) in [
            ("a-z0-9_-", r"^[a-z0-9_\-]{1,64}$"),
            ("^]a", r"^[\^\]a]{1,64}$"),
            (" -~", "^[ -~]{1,64}$"),
        ] {
            assert_eq!(of_chars(&Class::parse(class), 1, Some(64)), expected);
        }
        assert_eq!(of_chars(&Class::parse("0-9:"), 5, Some(5)), "^[0-9:]{5}$");
        assert_eq!(of_chars(&Class::parse("x"), 0, None), "^[x]*$");
    }

    #[test]
    fn a_template_is_its_text_with_what_its_placeholders_may_be() {
        let pieces = vec![
            Piece::Text("q=(".to_owned()),
            Piece::Placeholder("max".to_owned()),
            Piece::Text(")".to_owned()),
        ];
        assert_eq!(template(&Template(pieces), |_| "[0-9]+".to_owned()), r"^q=\([0-9]+\)$");
    }
}
