//! Mutants of lists that are too long or too short, or whose items share a unique member.

use super::{ADMITS, Rule, admits, sizes};
use crate::types::Type;
use serde_json::Value as Json;

pub(super) fn rules(of: &'static Type, min: usize, max: Option<usize>, unique: Option<&'static str>) -> Vec<Rule> {
    let mut rules = sizes(of, "items", length, cut, (min, max));
    if let Some(unique) = unique {
        let sentence = format!("takes items that share their `{unique}`");
        let has_duplicates = move |value: &Json| has_duplicates(value, unique);
        rules.push(admits(ADMITS, sentence, has_duplicates, |value| cut(value, 1)));
    }
    rules
}

fn length(value: &Json) -> Option<usize> {
    value.as_array().map(Vec::len)
}

fn cut(value: &Json, max: usize) -> Json {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    items[..max].to_vec().into()
}

fn has_duplicates(value: &Json, unique: &str) -> bool {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let is_duplicate = |(at, one): (usize, &Json)| {
        let mut others = items[..at].iter();
        !one[unique].is_null() && others.any(|other| other[unique] == one[unique])
    };
    items.iter().enumerate().any(is_duplicate)
}
