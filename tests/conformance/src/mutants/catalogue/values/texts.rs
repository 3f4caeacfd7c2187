//! Mutants of texts that are too long, too short, or have other characters.

use super::{ADMITS, BOUND, Rule, admits, is_right, rejects, right, sizes};
use crate::types::Type;
use serde_json::{Value as Json, json};

/// Some invisible characters.
const INVISIBLE: [char; 4] = ['\u{200b}', '\u{2060}', '\u{3164}', '\u{e0020}'];

pub(super) fn rules(
    of: &'static Type,
    (min, max): (usize, Option<usize>),
    chars: Option<&'static str>,
    bidi_controls: bool,
) -> Vec<Rule> {
    let mut rules = sizes(of, "characters", count, cut, (min, max));
    if let (Some(max), None) = (max, chars) {
        rules.extend(other_units(max));
    }
    rules.extend(characters(of, chars));
    let has_bidi_control = |value: &Json| value.as_str().is_some_and(|text| text.contains(is_bidi_control));
    if !bidi_controls {
        let sentence = "takes bidirectional controls";
        // A text of controls alone is blank.
        let is_such = move |value: &Json| {
            let plain = value.as_str().map(|text| text.replace(is_bidi_control, ""));
            has_bidi_control(value) && plain.is_some_and(|plain| !plain.trim().is_empty())
        };
        rules.push(admits(ADMITS, sentence, is_such, move |_| right(of)));
    } else if chars.is_none() {
        let sentence = "rejects bidirectional controls";
        rules.push(rejects("accepted form rejected", sentence, has_bidi_control));
    }
    rules
}

fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn count(value: &Json) -> Option<usize> {
    value.as_str().map(|text| text.chars().count())
}

fn cut(value: &Json, max: usize) -> Json {
    let text = value.as_str().unwrap_or_default();
    text.chars().take(max).collect::<String>().into()
}

/// A length in other units than characters.
fn other_units(max: usize) -> [Rule; 2] {
    let rejects_where = |sentence: &str, length: fn(&str) -> usize| {
        rejects(BOUND, sentence, move |value| {
            let text = value.as_str().unwrap_or_default();
            length(text) > max && text.chars().count() <= max
        })
    };
    [
        rejects_where("counts UTF-16 units", |text| text.encode_utf16().count()),
        rejects_where("counts bytes", str::len),
    ]
}

fn characters(of: &'static Type, chars: Option<&'static str>) -> Vec<Rule> {
    let mut rules = Vec::new();
    let has = |value: &Json, is_such: fn(char) -> bool| value.as_str().is_some_and(|text| text.chars().any(is_such));
    if chars.is_some() {
        rules.push(admits(
            ADMITS,
            "takes other characters",
            move |value| {
                value.as_str().is_some_and(|text| {
                    !text.is_empty() && !is_right(&json!(text), of) && is_right(&json!(sized(text, of)), of)
                })
            },
            move |_| right(of),
        ));
    } else {
        let blank = |value: &Json| {
            value
                .as_str()
                .is_some_and(|text| !text.is_empty() && text.chars().all(char::is_whitespace))
        };
        rules.push(admits(ADMITS, "takes white space alone", blank, move |_| right(of)));
        let invisible = |value: &Json| {
            let is_such = |c: char| c.is_whitespace() || INVISIBLE.contains(&c);
            value
                .as_str()
                .is_some_and(|text| text.contains(INVISIBLE) && text.chars().all(is_such))
        };
        let sentence = "takes invisible characters alone";
        rules.push(admits(ADMITS, sentence, invisible, move |_| right(of)));
        let control = |c: char| c.is_control() && !c.is_whitespace();
        rules.push(admits(
            ADMITS,
            "takes control characters",
            move |value| has(value, control),
            move |_| right(of),
        ));
        rules.push(rejects("accepted form rejected", "rejects line breaks", move |value| {
            has(value, |c| c == '\n') && value.as_str().is_some_and(|text| !text.trim().is_empty())
        }));
    }
    rules
}

/// Valid characters in the number of the text, to test its length alone.
fn sized(text: &str, of: &Type) -> String {
    let sample = right(of);
    let sample = sample.as_str().unwrap_or_default();
    sample.chars().cycle().take(text.chars().count()).collect()
}
