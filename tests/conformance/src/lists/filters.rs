//! The plain model of a filter: which items match, and which values a test requests.

use crate::level::Level;
use crate::lists::description::Filter;
use crate::lists::values::{self, IN_ROWS};
use crate::shape;
use crate::types::Type;
use codegen::model::{FilterBy, Matching, Source};
use serde_json::{Map, Value as Json, json};

/// The known stored fields of an item, by name.
pub(crate) type Record = Map<String, Json>;

/// The caller and the parameters of a list request.
#[derive(Clone, Copy)]
pub(crate) struct ListRequest<'a> {
    pub(crate) caller: i64,
    /// The id in the path, by the parameter's name.
    pub(crate) path: &'a dyn Fn(&str) -> i64,
    /// The value of a query parameter, given or by default.
    pub(crate) query: &'a dyn Fn(&str) -> Option<String>,
}

impl Filter {
    /// The values of its field in an item, empty for null; `None` if they are unknown.
    pub(crate) fn values<'r>(&self, record: &'r Record) -> Option<Vec<&'r Json>> {
        values(&self.declared.field, record)
    }

    /// The texts of all its fields in an item; `None` if those of one are unknown.
    fn texts<'r>(&self, record: &'r Record) -> Option<Vec<&'r str>> {
        let mut texts = Vec::new();
        for (field, _) in self.declared.fields() {
            texts.extend(values(field, record)?.into_iter().filter_map(Json::as_str));
        }
        Some(texts)
    }

    /// Whether the item matches; `None` if that is unknown.
    pub(crate) fn lets_through(&self, record: &Record, request: ListRequest<'_>) -> Option<bool> {
        let is = |wanted: &Json| {
            let values = self.values(record)?;
            Some(values.contains(&wanted))
        };
        match &self.declared.by {
            FilterBy::Caller => is(&json!(request.caller)),
            FilterBy::Path(parameter) => is(&json!((request.path)(parameter))),
            FilterBy::Value(_) => is(&self.value()?),
            FilterBy::Query(parameter, matching) => match (request.query)(parameter) {
                None => Some(true),
                Some(text) if *matching == Matching::Implied && !is_true(&text) => Some(true),
                Some(text) if *matching == Matching::Words => {
                    let texts = self.texts(record)?;
                    let mut words = text.split_whitespace();
                    Some(words.all(|word| texts.iter().any(|text| text.contains(word))))
                }
                // Which other texts it finds has tests of its own.
                Some(text) if self.synonyms.iter().flatten().any(|one| *one == text) => None,
                Some(text) => {
                    let values = self.values(record)?;
                    Some(values.into_iter().any(|value| matches(*matching, value, &text)))
                }
            },
        }
    }

    /// Values to request, given the values of the items: those, parts of them, and values next to them.
    pub(crate) fn candidates(&self, of: &Type, records: &[&Record]) -> Vec<String> {
        let FilterBy::Query(_, matching) = &self.declared.by else {
            return Vec::new();
        };
        let mut known: Vec<&Json> = Vec::new();
        for value in records.iter().filter_map(|record| self.values(record)).flatten() {
            if !known.contains(&value) {
                known.push(value);
            }
        }
        known.truncate(IN_ROWS);
        let mut texts: Vec<String> = match of {
            Type::Word(words) => words.iter().map(|word| (*word).to_owned()).collect(),
            Type::Flag => ["1", "true", "0", "false"].map(str::to_owned).to_vec(),
            Type::Boolean => ["true", "false"].map(str::to_owned).to_vec(),
            _ => known.iter().map(|value| render(value)).collect(),
        };
        if *matching == Matching::Words {
            return self.searches(of, records);
        }
        if *matching == Matching::Part {
            let inner = texts.iter().filter_map(|text| inner(text)).collect::<Vec<_>>();
            texts.splice(0..0, inner);
        }
        texts.extend(beside(of, &known));
        texts.retain(|text| fits(of, text));
        texts
    }

    /// Texts to search: words of one field and of two, parts of words, and words that no item has.
    fn searches(&self, of: &Type, records: &[&Record]) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        for (field, _) in self.declared.fields() {
            let known = records.iter().filter_map(|record| values(field, record)).flatten();
            let known = known.filter_map(Json::as_str);
            let mut words: Vec<&str> = known.flat_map(str::split_whitespace).collect();
            words.sort_unstable();
            words.dedup();
            let words = words.into_iter().take(2);
            texts.extend(words.flat_map(|word| inner(word).into_iter().chain([word.to_owned()])));
        }
        for record in records.iter().take(IN_ROWS) {
            let first = |(field, _): (&Source, _)| {
                let words = values(field, record)?.into_iter().filter_map(Json::as_str);
                words.flat_map(str::split_whitespace).next().map(str::to_owned)
            };
            let words: Vec<String> = self.declared.fields().filter_map(first).collect();
            texts.extend(words.windows(2).map(|pair| format!("{} {}", pair[1], pair[0])));
        }
        let unknown = crate::lists::values::text(1, None, None, IN_ROWS);
        texts.extend(texts.first().map(|first| format!("{first} {unknown}")));
        texts.push(unknown);
        texts.dedup();
        texts.retain(|text| fits(of, text));
        texts
    }
}

/// The values of a field in an item, empty for null; `None` if they are unknown.
fn values<'r>(source: &Source, record: &'r Record) -> Option<Vec<&'r Json>> {
    let values = match record.get(source.field())? {
        Json::Null => Vec::new(),
        Json::Array(items) => items.iter().collect(),
        value => vec![value],
    };
    Some(match source {
        Source::Each(_, pick) => values.into_iter().filter_map(|item| item.get(pick)).collect(),
        _ => values,
    })
}

fn matches(matching: Matching, value: &Json, text: &str) -> bool {
    match (matching, value) {
        (Matching::Implied, value) => *value == Json::Bool(true),
        (Matching::Part, Json::String(value)) => value.contains(text),
        (_, Json::Number(value)) => {
            let (value, wanted) = (value.as_f64(), text.parse::<f64>().ok());
            match matching {
                Matching::AtLeast => value >= wanted,
                Matching::AtMost => value <= wanted,
                _ => value == wanted,
            }
        }
        (Matching::AtLeast, Json::String(value)) => value.as_str() >= text,
        (Matching::AtMost, Json::String(value)) => value.as_str() <= text,
        (_, Json::Bool(value)) => *value == is_true(text),
        (_, value) => value.as_str() == Some(text),
    }
}

fn is_true(text: &str) -> bool {
    text == "1" || text == "true"
}

/// The value as text of a query.
fn render(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The text without its first and last character.
fn inner(text: &str) -> Option<String> {
    let count = text.chars().count();
    (count >= 4).then(|| text.chars().skip(1).take(count - 2).collect())
}

/// Values that no item has: between and outside of the known ones.
fn beside(of: &Type, known: &[&Json]) -> Vec<String> {
    match of {
        Type::Text { min, max, chars, .. } => vec![values::text(*min, *max, *chars, IN_ROWS)],
        Type::Id(_) => vec![((1_i64 << 53) - 1).to_string()],
        Type::Format(format) => format.unused.map(str::to_owned).to_vec(),
        Type::Number { decimals, .. } => {
            let scale = 10_f64.powi(i32::try_from(decimals.unwrap_or(3).min(6)).unwrap_or(0));
            let mut numbers: Vec<f64> = known.iter().filter_map(|value| value.as_f64()).collect();
            numbers.sort_by(f64::total_cmp);
            let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else {
                return Vec::new();
            };
            let middle = numbers[numbers.len() / 2];
            let steps = [first - 1.0, middle - 1.0 / scale, middle + 1.0 / scale, last + 1.0];
            let rounded = |number: f64| ((number * scale).round() / scale).to_string();
            steps.into_iter().map(rounded).collect()
        }
        Type::Integer { .. } => {
            let numbers: Vec<i64> = known.iter().filter_map(|value| value.as_i64()).collect();
            let all = [
                numbers.iter().min().map(|min| min - 1),
                numbers.iter().max().map(|max| max + 1),
            ];
            all.into_iter().flatten().map(|number| number.to_string()).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether the text is a value of this parameter type.
fn fits(of: &Type, text: &str) -> bool {
    let value = match of {
        Type::Number { .. } | Type::Integer { .. } | Type::Id(_) => serde_json::from_str(text).unwrap_or(Json::Null),
        Type::Flag | Type::Boolean => return true,
        _ => Json::from(text),
    };
    shape::violations(&value, of, "value", &[], Level::Texts).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use codegen::model::{self, Kind, Span};

    fn filter(matching: Matching) -> Filter {
        let declared = model::Filter {
            by: FilterBy::Query("p".to_owned(), matching),
            through: None,
            field: Source::Stored("f".to_owned()),
            of: model::Type {
                kind: Kind::Stored,
                list: false,
                optional: false,
                default: None,
                example: None,
                has_states: false,
            },
            others: Vec::new(),
            synonyms: None,
            at: Span::default(),
        };
        Filter {
            name: "",
            declared: Box::leak(Box::new(declared)),
            synonyms: &[],
            is_tried: true,
        }
    }

    #[track_caller]
    fn check(matching: Matching, field: Json, text: Option<&str>, expected: bool) {
        let filter = filter(matching);
        let record = Record::from_iter([("f".to_owned(), field)]);
        let request = ListRequest {
            caller: 0,
            path: &|_| 0,
            query: &|_| text.map(str::to_owned),
        };
        assert_eq!(filter.lets_through(&record, request), Some(expected));
        assert_eq!(
            filter.lets_through(&Record::new(), request),
            text.is_none().then_some(true)
        );
    }

    #[test]
    fn a_filter_lets_through_what_the_contract_says() {
        check(Matching::Equal, json!("alder"), None, true);
        check(Matching::Equal, json!("alder"), Some("alder"), true);
        check(Matching::Equal, json!(["alder", "brook"]), Some("brook"), true);
        check(Matching::Equal, json!(["alder"]), Some("brook"), false);
        check(Matching::Equal, json!(null), Some("brook"), false);
        check(Matching::Equal, json!(false), Some("false"), true);
        check(Matching::AtLeast, json!(1.5), Some("1.5"), true);
        check(Matching::AtLeast, json!(1.5), Some("1.51"), false);
        check(Matching::AtMost, json!(1.5), Some("1.5"), true);
        check(Matching::AtMost, json!("2026-01-31"), Some("2026-01-30"), false);
        check(Matching::Part, json!("brook"), Some("roo"), true);
        check(Matching::Part, json!("brook"), Some("alder"), false);
        check(Matching::Words, json!("alder brook"), Some("roo  ald"), true);
        check(Matching::Words, json!(["alder", "brook"]), Some("roo ald"), true);
        check(Matching::Words, json!("alder brook"), Some("roo cliffs"), false);
        check(Matching::Words, json!(null), Some("roo"), false);
        check(Matching::Implied, json!(true), Some("1"), true);
        check(Matching::Implied, json!(false), Some("1"), false);
    }

    #[test]
    fn a_flag_that_is_false_restricts_nothing() {
        let filter = filter(Matching::Implied);
        let request = ListRequest {
            caller: 0,
            path: &|_| 0,
            query: &|_| Some("0".to_owned()),
        };
        assert_eq!(filter.lets_through(&Record::new(), request), Some(true));
    }
}
