//! Texts that are too long, too short, or of other characters.

use super::{ADMITS, BOUND, Rule, admits, is_right, refuses, right};
use crate::types::Type;
use serde_json::{Value as Json, json};

pub(super) fn rules(of: &'static Type, min: usize, max: Option<usize>, chars: Option<&'static str>) -> Vec<Rule> {
    let mut rules = vec![refuses(BOUND, format!("refuses {min} characters"), move |value| {
        count(value) == Some(min)
    })];
    if min > 0 {
        rules.push(admits(
            BOUND,
            format!("takes {} characters", min - 1),
            move |value| count(value) == Some(min - 1),
            move |_| right(of),
        ));
    }
    if let Some(max) = max {
        rules.push(refuses(BOUND, format!("refuses {max} characters"), move |value| {
            count(value) == Some(max)
        }));
        rules.push(admits(
            BOUND,
            format!("takes {} characters", max + 1),
            move |value| count(value) == Some(max + 1),
            move |value| {
                value
                    .as_str()
                    .unwrap_or_default()
                    .chars()
                    .take(max)
                    .collect::<String>()
                    .into()
            },
        ));
        let units = move |value: &Json| {
            value
                .as_str()
                .is_some_and(|text| text.encode_utf16().count() > max && text.chars().count() <= max)
        };
        if chars.is_none() {
            rules.push(refuses(BOUND, "counts UTF-16 units", units));
            rules.push(refuses(BOUND, "counts bytes", move |value| {
                value
                    .as_str()
                    .is_some_and(|text| text.len() > max && text.chars().count() <= max)
            }));
        }
    }
    rules.extend(characters(of, chars));
    rules
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
        let control = |c: char| c.is_control() && !c.is_whitespace();
        rules.push(admits(
            ADMITS,
            "takes control characters",
            move |value| has(value, control),
            move |_| right(of),
        ));
        rules.push(refuses("accepted form refused", "refuses line breaks", move |value| {
            has(value, |c| c == '\n') && value.as_str().is_some_and(|text| !text.trim().is_empty())
        }));
    }
    rules
}

/// As many right characters as the text has, for what its length alone would be.
fn sized(text: &str, of: &Type) -> String {
    let sample = right(of);
    let sample = sample.as_str().unwrap_or_default();
    sample.chars().cycle().take(text.chars().count()).collect()
}

fn count(value: &Json) -> Option<usize> {
    value.as_str().map(|text| text.chars().count())
}
