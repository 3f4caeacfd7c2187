//! The query of a call: values that filtered fields hold, in other forms, and other valid and invalid ones.

use super::call::Call;
use super::values::{Values, synonyms};
use crate::query::encoded;
use codegen::model::{Field, FilterBy, Kind, Matching, Operation, Origin, Source, TypeRule};
use serde_json::Value;

/// What stands for other characters in some databases.
pub(super) const WILDCARDS: [char; 4] = ['%', '_', '*', '.'];

impl Values<'_, '_> {
    /// The query of a call, encoded.
    pub(super) fn query(&mut self, resource: Option<&str>, operation: &Operation) -> Vec<String> {
        let mut query = Vec::new();
        if operation.waits_at_once.is_some() && operation.feed.is_none() {
            return query;
        }
        // A history does not wait.
        let wait = operation.feed.as_ref().and_then(|feed| feed.wait.as_deref());
        for parameter in operation
            .query
            .iter()
            .filter(|parameter| Some(parameter.name.as_str()) != wait)
        {
            let is_wished = self.wish.filters.contains(&parameter.name);
            let is_valid = self.wish.is_valid;
            let is_meant = is_declared(operation, &parameter.name);
            let is_optional = parameter.of.optional || parameter.of.default.is_some();
            if is_optional && !is_wished && (is_valid || !is_meant || self.random.percent(65)) {
                continue;
            }
            let value = if !is_valid && self.random.percent(6) {
                self.wrong(parameter)
            } else {
                let held = self
                    .held(resource, operation, &parameter.name)
                    .filter(|_| self.random.percent(80));
                held.unwrap_or_else(|| self.plain(parameter, operation))
            };
            query.push(format!("{}={}", parameter.name, encoded(&value)));
        }
        match self.random.below(120) {
            _ if self.wish.is_valid => {}
            0 => query.push("unknown=1".to_owned()),
            1 => query.extend(query.first().cloned()),
            2 => query.extend(operation.query.first().map(|first| format!("{}s=1", first.name))),
            3 => query.push(String::new()),
            _ => {}
        }
        query
    }

    /// A value that the filtered field holds, in another form.
    fn held(&mut self, resource: Option<&str>, operation: &Operation, name: &str) -> Option<String> {
        let filter = operation
            .filters
            .iter()
            .find(|filter| matches!(&filter.by, FilterBy::Query(query, _) if query == name))?;
        let FilterBy::Query(_, matching) = &filter.by else {
            return None;
        };
        let (resource, field) = match &filter.field {
            Source::Joined(field) => {
                let joined = self
                    .model
                    .resource(resource?)
                    .joined
                    .iter()
                    .find(|one| one.name == *field)?;
                let Some(Origin::Follow { ids, field }) = &joined.origin else {
                    return None;
                };
                (ids.last()?.1.as_str(), field.clone())
            }
            field => (resource?, field.to_string()),
        };
        let values = self.known.values(resource, &field);
        let is_marked = |value: &&Value| value.as_str().is_some_and(|text| text.contains(&self.known.mark));
        let marked: Vec<&Value> = values.iter().filter(is_marked).collect();
        let value = match self.random.of(&marked).filter(|_| self.random.percent(50)) {
            Some(marked) => (*marked).clone(),
            None => self.random.of(values)?.clone(),
        };
        Some(match value {
            Value::String(text) => self.another_form(resource, &field, &text, *matching),
            Value::Number(number) if self.random.percent(15) => {
                let number = number.as_f64()? + self.random.of(&[0.01, -0.01, 1.0]).copied()?;
                format!("{}", (number * 100.0).round() / 100.0)
            }
            value => value.to_string(),
        })
    }

    fn another_form(&mut self, resource: &str, field: &str, text: &str, matching: Matching) -> String {
        let synonym = self.synonym(resource, field, text).filter(|_| self.random.percent(70));
        let text = synonym.unwrap_or_else(|| text.to_owned());
        let text = if matches!(matching, Matching::Part | Matching::Words) && self.random.percent(60) {
            let chars: Vec<char> = text.chars().collect();
            let from = self.random.below(chars.len());
            chars[from..].iter().take(1 + self.random.below(4)).collect()
        } else {
            text
        };
        match self.random.below(6) {
            0 => text.to_uppercase(),
            1 => text.to_lowercase(),
            2 => wide(&text),
            3 if self.random.percent(20) => format!("{text} "),
            4 if matching == Matching::Part => {
                let mut chars: Vec<char> = text.chars().collect();
                let (at, wildcard) = (self.random.below(chars.len()), self.random.of(&WILDCARDS));
                if let (Some(char), Some(wildcard)) = (chars.get_mut(at), wildcard) {
                    *char = *wildcard;
                }
                chars.into_iter().collect()
            }
            _ => text,
        }
    }

    fn synonym(&mut self, resource: &str, field: &str, text: &str) -> Option<String> {
        let (of_field, matching) = synonyms(self.model, resource, field)?;
        let has = |one: &String| one == text || (matching == Matching::Part && text.contains(one.as_str()));
        let group = of_field.groups.iter().find(|group| group.iter().any(has))?;
        self.random.of(group).cloned()
    }

    /// A valid value that has nothing to do with the rows.
    fn plain(&mut self, parameter: &Field, operation: &Operation) -> String {
        if let Some(pages) = &operation.pages
            && pages.named().iter().any(|(_, name)| *name == Some(&parameter.name))
        {
            let others = self.known.others.get(self.list).copied().unwrap_or(0);
            if pages.offset.as_ref().is_some_and(|name| *name == parameter.name) && self.random.percent(50) {
                return (others + self.random.below(4) as u64).to_string();
            }
            let is_size = pages.size == parameter.name;
            let small: &[&str] = if is_size {
                &["1", "2", "3", "5", "50"]
            } else {
                &["1", "2", "0", "4", "20"]
            };
            return self.random.word(small).to_owned();
        }
        if parameter.of.kind == Kind::Cursor && self.wish.is_valid {
            return self.random.word(&["0", "now"]).to_owned();
        }
        if parameter.of.kind == Kind::Flag {
            return self.random.word(&["1", "true", "0", "false"]).to_owned();
        }
        let json = self.valid(&parameter.of, None);
        match serde_json::from_str(&json) {
            Ok(Value::String(text)) => text,
            _ => json,
        }
    }

    fn wrong(&mut self, parameter: &Field) -> String {
        if matches!(&parameter.of.kind, Kind::Named(name) if matches!(self.model.named_type(name).rule, TypeRule::Integer { .. }))
        {
            return self
                .random
                .word(&[
                    "0",
                    "-1",
                    "101",
                    "51",
                    "1.0",
                    "01",
                    "+1",
                    "a",
                    "",
                    "9223372036854775808",
                ])
                .to_owned();
        }
        match serde_json::from_str(&self.invalid(&parameter.of)) {
            Ok(Value::String(text)) => text,
            Ok(json) => json.to_string(),
            Err(_) => self
                .random
                .word(&["1e2", ".5", "1.", "-", "--1", " 1", "TRUE", "yes"])
                .to_owned(),
        }
    }
}

/// Whether the contract says what a parameter does.
pub(super) fn is_declared(operation: &Operation, name: &str) -> bool {
    let mut pages = operation.pages.iter().flat_map(|pages| pages.named());
    let mut filters = operation.filters.iter();
    filters.any(|filter| matches!(&filter.by, FilterBy::Query(query, _) if query == name))
        || pages.any(|(_, known)| known == Some(name))
        || operation.sorts_by(name)
        || operation.feed.is_some()
}

/// A text with the wide forms of its ASCII characters.
pub(super) fn wide(text: &str) -> String {
    let wide = |c: char| match c {
        '!'..='~' => char::from_u32(c as u32 + 0xfee0).unwrap_or(c),
        c => c,
    };
    text.chars().map(wide).collect()
}

/// The value of a parameter of a call, or its default.
fn number(parameter: &str, call: &Call) -> Option<u64> {
    let (_, operation) = call.operation?;
    let sent = call.query.iter().find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        (name == parameter).then(|| value.parse().ok())
    });
    let declared = operation.query.iter().find(|field| field.name == parameter);
    sent.unwrap_or_else(|| declared.and_then(|field| field.of.default.as_ref()?.parse().ok()))
}

/// How many rows are on a page.
pub(super) fn page_size(call: &Call) -> Option<u64> {
    let (_, operation) = call.operation?;
    number(&operation.pages.as_ref()?.size, call)
}

/// How many rows are before the page.
pub(super) fn skipped(call: &Call) -> u64 {
    let pages = call.operation.and_then(|(_, operation)| operation.pages.as_ref());
    let Some(pages) = pages else { return 0 };
    let offset = pages.offset.as_ref().and_then(|name| number(name, call));
    let page = pages.number.as_ref().and_then(|name| number(name, call));
    let before = page.unwrap_or(1).saturating_sub(1) * page_size(call).unwrap_or(0);
    offset.unwrap_or(before)
}
