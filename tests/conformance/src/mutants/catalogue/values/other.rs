//! Similar values of a type.

use super::{is_right, right};
use crate::types::Type;
use serde_json::{Value as Json, json};

/// Another value of the type, if there is a similar one.
pub(in crate::mutants::catalogue) fn other(value: &Json, of: &'static Type) -> Option<Json> {
    let candidates: Vec<Json> = match (of, value) {
        (Type::Word(words), _) => words.iter().map(|word| json!(word)).collect(),
        (Type::Text { .. }, Json::String(text)) => {
            let shorter: String = text.chars().skip(1).collect();
            let first = text.chars().next().map(String::from).unwrap_or_default();
            let b = right(of).as_str().unwrap_or_default().to_owned();
            vec![
                json!(format!("{text}{first}")),
                json!(shorter),
                json!(b),
                json!(b.replace('0', "1")),
                json!(b.replace('s', "z")),
            ]
        }
        (Type::Boolean, Json::Bool(is)) => vec![json!(!is)],
        (Type::Integer { .. }, _) => vec![json!(value.as_i64()? + 1), json!(value.as_i64()? - 1)],
        (Type::Number { .. }, _) => [0, 1, 2, 3].into_iter().map(|number| json!(number)).collect(),
        (Type::Format(format), _) => format.values[1..3].iter().map(|value| json!(value)).collect(),
        (Type::List { .. }, Json::Array(items)) if items.is_empty() => vec![json!([]), right(of)],
        (Type::List { of, .. }, Json::Array(items)) => {
            let shorter = vec![items[1..].to_vec(), items[..1].to_vec()];
            let changed = other(&items[0], of).map(|first| [vec![first], items[1..].to_vec()].concat());
            shorter.into_iter().chain(changed).map(Json::from).collect()
        }
        (Type::FreeForm { .. }, _) => vec![json!({}), json!({ "a": 2 })],
        (Type::Object(members), Json::Object(given)) => {
            let changed = members.iter().filter_map(|member| {
                let mut one = given.clone();
                one.insert(member.name.to_owned(), other(given.get(member.name)?, member.of)?);
                Some(Json::Object(one))
            });
            changed.collect()
        }
        _ => Vec::new(),
    };
    candidates.into_iter().find(|one| one != value && is_right(one, of))
}
