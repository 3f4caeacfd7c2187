//! Values that are right and look wrong, and values that are wrong and look right: of one type, whether they come in a body
//! or in a query.

use crate::contract::Credential;
use crate::sample::sample;
use crate::shape;
use crate::types::Type;
use serde_json::{Value as Json, json};

/// Whether a value is one that the rule is about.
type IsSuch = Box<dyn Fn(&Json) -> bool + Send + Sync>;

/// A right value in the place of such a one.
type Mended = Box<dyn Fn(&Json) -> Json + Send + Sync>;

/// A rule for values of a type.
pub(super) struct Rule {
    pub(super) kind: &'static str,
    pub(super) sentence: String,
    pub(super) is_such: IsSuch,
    /// What is made of a wrong value to let it through; nothing where right ones are refused.
    pub(super) mended: Option<Mended>,
}

fn refuses(
    kind: &'static str,
    sentence: impl Into<String>,
    is_such: impl Fn(&Json) -> bool + Send + Sync + 'static,
) -> Rule {
    Rule {
        kind,
        sentence: sentence.into(),
        is_such: Box::new(is_such),
        mended: None,
    }
}

fn admits(
    kind: &'static str,
    sentence: impl Into<String>,
    is_such: impl Fn(&Json) -> bool + Send + Sync + 'static,
    mended: impl Fn(&Json) -> Json + Send + Sync + 'static,
) -> Rule {
    Rule {
        kind,
        sentence: sentence.into(),
        is_such: Box::new(is_such),
        mended: Some(Box::new(mended)),
    }
}

const BOUND: &str = "bound moved";
const ADMITS: &str = "wrong value let through";
const WORD: &str = "word";

/// The value that the kit would send.
pub(super) fn right(of: &Type) -> Json {
    serde_json::from_str(&sample(of).render(&|_| 1)).expect("samples are JSON")
}

/// Whether the value is right. Members that are not there may be ones that need not be.
pub(super) fn is_right(value: &Json, of: &Type) -> bool {
    let faults = shape::faults(value, of, "", &[] as &[Credential]);
    faults.iter().all(|fault| fault.ends_with(" is missing"))
}

/// Everything that can be wrong with a reader of this type.
pub(super) fn rules(of: &'static Type) -> Vec<Rule> {
    let mut rules = match of {
        Type::Text { min, max, chars } => text(of, *min, *max, *chars),
        Type::Number {
            min,
            exclusive_min,
            max,
            decimals,
        } => number(of, *min, *exclusive_min, *max, *decimals),
        Type::Integer { min, max } => integer(*min, *max),
        Type::List { min, max, unique, .. } => list(of, *min, *max, *unique),
        Type::FreeForm { max_bytes } => free_form(*max_bytes),
        Type::Word(words) => word(words),
        Type::Boolean | Type::Flag => vec![
            refuses(WORD, "refuses true", |value| *value == json!(true)),
            refuses(WORD, "refuses false", |value| *value == json!(false)),
        ],
        Type::Date => date(),
        _ => Vec::new(),
    };
    if !matches!(of, Type::Flag) {
        rules.push(admits(
            "wrong value let through",
            "takes a value of another type",
            move |value| is_of_other_type(value, of),
            move |_| right(of),
        ));
    }
    rules
}

fn is_of_other_type(value: &Json, of: &Type) -> bool {
    match of {
        Type::Text { .. } | Type::Word(_) | Type::Date | Type::Timestamp | Type::Stored | Type::Secret => {
            !value.is_string() && !value.is_null()
        }
        Type::Number { .. } => !value.is_number() && !value.is_null(),
        Type::Integer { .. } | Type::Id(_) => !value.is_i64() && !value.is_u64() && !value.is_null(),
        Type::List { .. } => !value.is_array() && !value.is_null(),
        Type::FreeForm { .. } | Type::Object(_) => !value.is_object() && !value.is_null(),
        Type::Boolean | Type::Flag => !value.is_boolean() && !value.is_null(),
    }
}

fn count(value: &Json) -> Option<usize> {
    value.as_str().map(|text| text.chars().count())
}

fn text(of: &'static Type, min: usize, max: Option<usize>, chars: Option<&'static str>) -> Vec<Rule> {
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

fn number(
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
        rules.push(refuses(BOUND, format!("refuses {bound}"), move |value| {
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
        rules.push(refuses(BOUND, format!("refuses {}", bound + step), move |value| {
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
        let places = |value: &Json| {
            value
                .to_string()
                .split_once('.')
                .map_or(0, |(_, fraction)| fraction.len())
        };
        rules.push(refuses(BOUND, format!("refuses {most} decimals"), move |value| {
            most > 0 && value.is_number() && places(value) == most as usize
        }));
        rules.push(admits(
            BOUND,
            format!("takes {} decimals", most + 1),
            move |value| value.is_number() && places(value) == most as usize + 1,
            move |value| {
                let unit = 10_f64.powi(i32::try_from(most).unwrap_or(0));
                number_json((value.as_f64().unwrap_or_default() * unit).trunc() / unit)
            },
        ));
    }
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

fn integer(min: Option<i64>, max: Option<i64>) -> Vec<Rule> {
    let mut rules = Vec::new();
    for (bound, outwards) in [(min, -1), (max, 1)] {
        let Some(bound) = bound else { continue };
        rules.push(refuses(BOUND, format!("refuses {bound}"), move |value| {
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

fn list(of: &'static Type, min: usize, max: Option<usize>, unique: Option<&'static str>) -> Vec<Rule> {
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

fn free_form(max: usize) -> Vec<Rule> {
    let size = |value: &Json| value.is_object().then(|| value.to_string().len());
    vec![
        refuses(BOUND, format!("refuses {max} bytes"), move |value| {
            size(value) == Some(max)
        }),
        admits(
            BOUND,
            format!("takes {} bytes", max + 1),
            move |value| size(value) == Some(max + 1),
            |_| json!({}),
        ),
        refuses(BOUND, "refuses an empty one", |value| *value == json!({})),
    ]
}

fn word(words: &'static [&'static str]) -> Vec<Rule> {
    let mut rules: Vec<Rule> = words
        .iter()
        .map(|word| refuses(WORD, format!("refuses {word}"), move |value| value == word))
        .collect();
    let known = |text: &str| words.contains(&text);
    let first = |_: &Json| json!(words[0]);
    rules.push(admits(
        WORD,
        "takes a word that there is not",
        move |value| value.as_str().is_some_and(|text| !text.is_empty() && !known(text)),
        first,
    ));
    rules.push(admits(
        WORD,
        "takes a word in other letters",
        move |value| {
            value
                .as_str()
                .is_some_and(|text| !known(text) && words.iter().any(|word| word.eq_ignore_ascii_case(text)))
        },
        first,
    ));
    rules.push(admits(
        WORD,
        "takes a word with white space around it",
        move |value| value.as_str().is_some_and(|text| !known(text) && known(text.trim())),
        first,
    ));
    rules
}

fn date() -> Vec<Rule> {
    let written = |value: &Json| value.as_str().is_some_and(|text| is_right(&json!(text), &Type::Date));
    vec![
        admits(ADMITS, "takes a day that there is not", written, |_| {
            json!("2026-01-31")
        }),
        admits(
            ADMITS,
            "takes a day that is written otherwise",
            move |value| value.as_str().is_some_and(|text| !text.is_empty()) && !written(value),
            |_| json!("2026-01-31"),
        ),
        refuses(
            "accepted form refused",
            "refuses the last day of a leap February",
            |value| *value == json!("2024-02-29"),
        ),
    ]
}
