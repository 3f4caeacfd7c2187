//! Mutants of numbers beyond their bounds, or with too many decimals.

use super::{ADMITS, BOUND, Rule, admits, rejects, right};
use crate::types::Type;
use serde_json::{Value as Json, json};

pub(super) fn rules(
    of: &'static Type,
    min: Option<f64>,
    exclusive_min: Option<f64>,
    max: Option<f64>,
    decimals: Option<u32>,
) -> Vec<Rule> {
    let mut rules = Vec::new();
    let step = 10_f64.powi(-i32::try_from(decimals.unwrap_or(3)).unwrap_or(3));
    let near = move |value: &Json, wanted: f64| {
        value
            .as_f64()
            .is_some_and(|number| (number - wanted).abs() < step / 100.0)
    };
    for (bound, outwards) in [(min, -step), (max, step)] {
        let Some(bound) = bound else { continue };
        rules.push(rejects(BOUND, format!("rejects {bound}"), move |value| {
            near(value, bound)
        }));
        let beyond = bound + outwards;
        rules.push(admits(
            BOUND,
            format!("takes {beyond}"),
            move |value| near(value, beyond),
            move |_| number_json(bound),
        ));
    }
    if let Some(bound) = exclusive_min {
        rules.push(rejects(BOUND, format!("rejects {}", bound + step), move |value| {
            near(value, bound + step)
        }));
        rules.push(admits(
            BOUND,
            format!("takes {bound}"),
            move |value| near(value, bound),
            move |_| right(of),
        ));
    }
    if let Some(most) = decimals {
        rules.extend(fractions(most));
    }
    rules
}

/// The maximum number of decimals, and one more.
fn fractions(most: u32) -> [Rule; 2] {
    let places = |value: &Json| {
        let text = value.to_string();
        text.split_once('.').map_or(0, |(_, fraction)| fraction.len())
    };
    [
        rejects(BOUND, format!("rejects {most} decimals"), move |value| {
            most > 0 && value.is_number() && places(value) == most as usize
        }),
        admits(
            BOUND,
            format!("takes {} decimals", most + 1),
            move |value| value.is_number() && places(value) == most as usize + 1,
            move |value| {
                let unit = 10_f64.powi(i32::try_from(most).unwrap_or(0));
                number_json((value.as_f64().unwrap_or_default() * unit).trunc() / unit)
            },
        ),
    ]
}

pub(super) fn of_integers(min: Option<i64>, max: Option<i64>) -> Vec<Rule> {
    let mut rules = Vec::new();
    for (bound, outwards) in [(min, -1), (max, 1)] {
        let Some(bound) = bound else { continue };
        rules.push(rejects(BOUND, format!("rejects {bound}"), move |value| {
            value.as_i64() == Some(bound)
        }));
        let beyond = bound + outwards;
        rules.push(admits(
            BOUND,
            format!("takes {beyond}"),
            move |value| value.as_i64() == Some(beyond),
            move |_| json!(bound),
        ));
    }
    let fraction = |value: &Json| value.is_f64();
    rules.push(admits(ADMITS, "takes a number with a fraction", fraction, |value| {
        number_json(value.as_f64().unwrap_or_default().trunc())
    }));
    rules
}

fn number_json(number: f64) -> Json {
    if number.fract() == 0.0 {
        format!("{number}")
            .parse::<i64>()
            .map_or(json!(number), |whole| json!(whole))
    } else {
        json!(number)
    }
}
