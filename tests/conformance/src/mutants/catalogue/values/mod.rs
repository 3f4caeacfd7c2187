//! Mutants of single values: valid ones rejected and invalid ones accepted, by type, in a body or in a query.

mod lists;
mod numbers;
mod other;
mod texts;

pub(super) use other::other;

use crate::level::Level;
use crate::sample::sample;
use crate::shape;
use crate::types::Type;
use codegen::formats::Format;
use codegen::model::Credential;
use serde_json::{Value as Json, json};

/// Whether the rule applies to a value.
type IsSuch = Box<dyn Fn(&Json) -> bool + Send + Sync>;

/// A valid value in place of such a one.
type Mended = Box<dyn Fn(&Json) -> Json + Send + Sync>;

/// A rule for values of a type.
pub(super) struct Rule {
    pub(super) kind: &'static str,
    pub(super) sentence: String,
    pub(super) is_such: IsSuch,
    /// The correction that lets an invalid value pass; `None` if valid ones are rejected.
    pub(super) mended: Option<Mended>,
}

fn rejects(
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

/// The valid value that the library would send.
pub(super) fn right(of: &Type) -> Json {
    serde_json::from_str(&sample(of).render(&|_| "1".to_owned())).expect("samples are JSON")
}

/// Whether the value is valid. Missing members may be optional.
pub(super) fn is_right(value: &Json, of: &Type) -> bool {
    let faults = shape::violations(value, of, "", &[] as &[Credential], Level::Texts);
    faults.iter().all(|fault| fault.ends_with(" is missing"))
}

/// Every defect of a reader of this type.
pub(super) fn rules(of: &'static Type) -> Vec<Rule> {
    let mut rules = match of {
        Type::Text {
            min,
            max,
            chars,
            bidi_controls,
        } => texts::rules(of, (*min, *max), *chars, *bidi_controls),
        Type::Number {
            min,
            exclusive_min,
            max,
            decimals,
        } => numbers::rules(of, *min, *exclusive_min, *max, *decimals),
        Type::Integer { min, max } => numbers::of_integers(*min, *max),
        Type::List { min, max, unique, .. } => lists::rules(of, *min, *max, *unique),
        Type::FreeForm { max_bytes } => free_form(*max_bytes),
        Type::Word(words) => word(words),
        Type::Boolean | Type::Flag => vec![
            rejects(WORD, "rejects true", |value| *value == json!(true)),
            rejects(WORD, "rejects false", |value| *value == json!(false)),
        ],
        Type::Format(format) => formatted(format),
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

/// Both sides of the bounds of a size: a value that is too long is cut so that it is accepted.
fn sizes(
    of: &'static Type,
    unit: &str,
    size: fn(&Json) -> Option<usize>,
    cut: fn(&Json, usize) -> Json,
    (min, max): (usize, Option<usize>),
) -> Vec<Rule> {
    let mut rules = vec![rejects(BOUND, format!("rejects {min} {unit}"), move |value| {
        size(value) == Some(min)
    })];
    if let Some(less) = min.checked_sub(1) {
        let is_such = move |value: &Json| size(value) == Some(less);
        rules.push(admits(BOUND, format!("takes {less} {unit}"), is_such, move |_| {
            right(of)
        }));
    }
    if let Some(max) = max {
        rules.push(rejects(BOUND, format!("rejects {max} {unit}"), move |value| {
            size(value) == Some(max)
        }));
        let is_such = move |value: &Json| size(value) == Some(max + 1);
        let sentence = format!("takes {} {unit}", max + 1);
        rules.push(admits(BOUND, sentence, is_such, move |value| cut(value, max)));
    }
    rules
}

fn is_of_other_type(value: &Json, of: &Type) -> bool {
    match of {
        Type::Text { .. } | Type::Word(_) | Type::Format(_) | Type::Timestamp | Type::Stored | Type::Secret => {
            !value.is_string() && !value.is_null()
        }
        Type::Number { .. } => !value.is_number() && !value.is_null(),
        Type::Integer { .. } | Type::Id(_) => !value.is_i64() && !value.is_u64() && !value.is_null(),
        Type::List { .. } => !value.is_array() && !value.is_null(),
        Type::FreeForm { .. } | Type::Object(_) => !value.is_object() && !value.is_null(),
        Type::Boolean | Type::Flag => !value.is_boolean() && !value.is_null(),
    }
}

fn free_form(max: usize) -> Vec<Rule> {
    let size = |value: &Json| value.is_object().then(|| value.to_string().len());
    vec![
        rejects(BOUND, format!("rejects {max} bytes"), move |value| {
            size(value) == Some(max)
        }),
        admits(
            BOUND,
            format!("takes {} bytes", max + 1),
            move |value| size(value) == Some(max + 1),
            |_| json!({}),
        ),
        rejects(BOUND, "rejects an empty one", |value| *value == json!({})),
    ]
}

fn word(words: &'static [&'static str]) -> Vec<Rule> {
    let mut rules: Vec<Rule> = words
        .iter()
        .map(|word| rejects(WORD, format!("rejects {word}"), move |value| value == word))
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

fn formatted(format: &'static Format) -> Vec<Rule> {
    let others = format.others.iter().map(|(what, texts)| {
        let is_such = |value: &Json| {
            value
                .as_str()
                .is_some_and(|text| !text.is_empty() && texts.contains(&text))
        };
        admits(ADMITS, format!("takes what {what}"), is_such, |_| {
            json!(format.values[2])
        })
    });
    let edges = format.edges.iter().map(|(edge, _)| {
        let what = format!("rejects {edge}");
        rejects("accepted form rejected", what, move |value| *value == json!(edge))
    });
    others.chain(edges).collect()
}
