//! Lists that are too long, too short, or have items that share what is to be unique.

use super::{ADMITS, BOUND, Rule, admits, refuses, right};
use crate::types::Type;
use serde_json::Value as Json;

pub(super) fn rules(of: &'static Type, min: usize, max: Option<usize>, unique: Option<&'static str>) -> Vec<Rule> {
    let length = |value: &Json| value.as_array().map(Vec::len);
    let mut rules = vec![refuses(BOUND, format!("refuses {min} items"), move |value| {
        length(value) == Some(min)
    })];
    if min > 0 {
        rules.push(admits(
            BOUND,
            format!("takes {} items", min - 1),
            move |value| length(value) == Some(min - 1),
            move |_| right(of),
        ));
    }
    if let Some(max) = max {
        rules.push(refuses(BOUND, format!("refuses {max} items"), move |value| {
            length(value) == Some(max)
        }));
        rules.push(admits(
            BOUND,
            format!("takes {} items", max + 1),
            move |value| length(value) == Some(max + 1),
            move |value| {
                value
                    .as_array()
                    .map(|items| items[..max].to_vec())
                    .unwrap_or_default()
                    .into()
            },
        ));
    }
    if let Some(unique) = unique {
        let twins = move |value: &Json| {
            let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
            items.iter().enumerate().any(|(at, one)| {
                items[..at]
                    .iter()
                    .any(|other| other[unique] == one[unique] && !one[unique].is_null())
            })
        };
        rules.push(admits(
            ADMITS,
            format!("takes items that share their `{unique}`"),
            twins,
            |value| {
                value
                    .as_array()
                    .map(|items| items[..1].to_vec())
                    .unwrap_or_default()
                    .into()
            },
        ));
    }
    rules
}
