//! Texts: free-form ones, and words of a closed set.

use super::{empty, length, mismatch};
use crate::fault::{Code, Fault};
use crate::text::{is_bidi_control, is_blank, listed};
use crate::validation_errors::ValidationErrors;
use crate::value::Value;

/// The bounds of a text. Characters are Unicode scalar values, as sent.
#[derive(Clone, Copy, Debug)]
pub struct TextRule {
    /// The minimum number of characters. If it is 0, an empty JSON text is valid.
    pub min: usize,
    /// The maximum number of characters.
    pub max: Option<usize>,
    /// The allowed characters, as single ones and ranges: `a-z0-9_-`.
    pub chars: Option<&'static str>,
    /// Whether bidirectional controls are allowed.
    pub bidi_controls: bool,
}

/// A text. Invisible texts and control characters other than tab and new lines are rejected.
pub fn text(value: Value, errors: &mut ValidationErrors, rule: &TextRule) -> Option<String> {
    let (text, empty_allowed) = match value {
        Value::Text(text) => (text, rule.min == 0),
        Value::Raw(text) => (text, false),
        other => return mismatch(errors, "a string", &other),
    };
    if text.is_empty() && empty_allowed {
        return Some(text);
    }
    let count = text.chars().count();
    let mut right = true;
    let mut reject = |fault: Fault<'_>| {
        errors.report(&fault);
        right = false;
    };
    if count < rule.min || rule.max.is_some_and(|max| count > max) {
        reject(length(Code::Length, (rule.min, rule.max), count));
    } else if text.is_empty() {
        reject(empty());
    }
    if let Some(allowed) = rule.chars {
        if !text.chars().all(|c| is_in(c, allowed)) {
            let text = format!("may only have the characters {allowed}");
            reject(Fault::new(Code::Characters, text).with([allowed]));
        }
    } else if text.chars().any(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r')) {
        let text = "must not have control characters other than tab and new line";
        reject(Fault::new(Code::Control, text));
    } else if count > 0 && is_blank(&text) {
        let text = "must not be only white space or invisible characters";
        reject(Fault::new(Code::Blank, text));
    }
    if !rule.bidi_controls && text.chars().any(is_bidi_control) {
        reject(Fault::new(Code::Bidi, "must not have bidirectional controls"));
    }
    right.then_some(text)
}

fn is_in(c: char, mut class: &str) -> bool {
    loop {
        let mut rest = class.chars();
        let Some(first) = rest.next() else { return false };
        let mut range = rest.clone();
        let last = match (range.next(), range.next()) {
            (Some('-'), Some(last)) => {
                rest = range;
                last
            }
            _ => first,
        };
        if (first..=last).contains(&c) {
            return true;
        }
        class = rest.as_str();
    }
}

/// One of the allowed words, as its index.
pub fn choice(value: Value, errors: &mut ValidationErrors, allowed: &[&'static str]) -> Option<usize> {
    let chosen = match &value {
        Value::Text(text) | Value::Raw(text) => allowed.iter().position(|word| word == text),
        other => return mismatch(errors, "a string", other),
    };
    if chosen.is_none() {
        let one_of = if allowed.len() > 1 { "one of " } else { "" };
        let text = format!("must be {one_of}{}", listed(allowed));
        errors.report(&Fault::new(Code::Choice, text).with(allowed));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::super::tests::{json, raw};
    use super::*;

    fn bounded(min: usize, max: Option<usize>) -> impl Fn(Value, &mut ValidationErrors) -> Option<String> {
        move |value, errors| {
            text(
                value,
                errors,
                &TextRule {
                    min,
                    max,
                    chars: None,
                    bidi_controls: true,
                },
            )
        }
    }

    #[test]
    fn a_text_is_counted_in_characters_as_sent() {
        json(r#""東京😀""#, &bounded(1, Some(3)), Ok("東京😀".to_owned()));
        json(r#"" a ""#, &bounded(1, Some(3)), Ok(" a ".to_owned()));
        json(
            r#""東京😀!""#,
            &bounded(1, Some(3)),
            Err("must have 1 to 3 characters, this has 4"),
        );
        json(
            r#""""#,
            &bounded(1, Some(200)),
            Err("must have 1 to 200 characters, this has 0"),
        );
        json(
            r#""""#,
            &bounded(1, None),
            Err("must have at least 1 character, this has 0"),
        );
        json(r#""""#, &bounded(0, Some(3)), Ok(String::new()));
        json(
            r#""abcd""#,
            &bounded(0, Some(1)),
            Err("must have at most 1 character, this has 4"),
        );
        json("5", &bounded(0, None), Err("must be a string, not a number"));
        raw("5", &bounded(1, None), Ok("5".to_owned()));
        raw("", &bounded(0, None), Err("must not be empty"));
    }

    #[test]
    fn what_cannot_be_read_is_no_text() {
        json(
            r#"" \u3000\n""#,
            &bounded(0, None),
            Err("must not be only white space or invisible characters"),
        );
        json(r#""a\tb\r\n""#, &bounded(1, None), Ok("a\tb\r\n".to_owned()));
        for wrong in ["\0", "a\u{b}", "\u{7f}", "\u{85}x"] {
            raw(
                wrong,
                &bounded(1, None),
                Err("must not have control characters other than tab and new line"),
            );
        }
        let both = "must have 1 to 2 characters, this has 3; must not be only white space or invisible characters";
        raw("   ", &bounded(1, Some(2)), Err(both));
    }

    #[test]
    fn what_shows_nothing_is_no_text() {
        let blank = "must not be only white space or invisible characters";
        let invisible = [
            "\u{ad}",
            "\u{34f}",
            "\u{115f}",
            "\u{1160}",
            "\u{180e}",
            "\u{200b}",
            "\u{200d}",
            "\u{200e}",
            "\u{202e}",
            "\u{2060}",
            "\u{2069}",
            "\u{2800}",
            "\u{3164}",
            "\u{fe0f}",
            "\u{feff}",
            "\u{ffa0}",
            "\u{e0061}",
            "\u{e0100}",
            " \u{200b}\u{3000}",
        ];
        for text in invisible {
            raw(text, &bounded(1, None), Err(blank));
        }
        for text in ["👩\u{200d}🔧", "❤\u{fe0f}", "a\u{200b}", "\u{5d0}\u{200f}"] {
            raw(text, &bounded(1, None), Ok(text.to_owned()));
        }
    }

    #[test]
    fn bidirectional_controls_are_rejected_where_a_type_says_so() {
        let name = |v, f: &mut ValidationErrors| {
            let rule = TextRule {
                min: 1,
                max: None,
                chars: None,
                bidi_controls: false,
            };
            text(v, f, &rule)
        };
        let controls =
            "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}";
        for control in controls.chars() {
            let with = format!("cod{control}exe");
            raw(&with, &name, Err("must not have bidirectional controls"));
            raw(&with, &bounded(1, None), Ok(with.clone()));
        }
        for fine in ["👩\u{200d}🔧", "نیم\u{200c}فاصله", "עברית"] {
            raw(fine, &name, Ok(fine.to_owned()));
        }
    }

    #[test]
    fn a_class_names_the_only_characters_there_may_be() {
        let of = |chars: &'static str| {
            move |v, f: &mut ValidationErrors| {
                text(
                    v,
                    f,
                    &TextRule {
                        min: 1,
                        max: Some(9),
                        chars: Some(chars),
                        bidi_controls: true,
                    },
                )
            }
        };
        raw("web-dev_2", &of("a-z0-9_-"), Ok("web-dev_2".to_owned()));
        for wrong in ["Web", "a b", "é", "a\0", " "] {
            raw(wrong, &of("a-z0-9_-"), Err("may only have the characters a-z0-9_-"));
        }
        raw("-a", &of("-a"), Ok("-a".to_owned()));
        raw("東京", &of("一-龠"), Ok("東京".to_owned()));
        raw("a", &of(""), Err("may only have the characters "));
    }

    #[test]
    fn a_choice_is_a_place_among_the_words() {
        let status = |v, f: &mut ValidationErrors| choice(v, f, &["open", "in_progress"]);
        json(r#""in_progress""#, &status, Ok(1));
        raw("open", &status, Ok(0));
        json(r#""Open""#, &status, Err("must be one of `open`, `in_progress`"));
        json("null", &status, Err("must be a string, not null"));
        raw(
            "x",
            &|v, f: &mut ValidationErrors| choice(v, f, &["open"]),
            Err("must be `open`"),
        );
    }
}
