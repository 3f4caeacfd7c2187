//! Describes a list: which items it shows, and which page of them.

use super::words::{capitalised, in_words};
use crate::model::{Alike, Filter, FilterBy, Kind, Matching, Model, Nearest, Operation, Pages, Source, Type, TypeRule};

/// The rules for the items of an operation's list, whatever the parameters: one sentence each.
pub(crate) fn always(operation: &Operation) -> Vec<String> {
    if operation.listed().is_none() {
        return Vec::new();
    }
    let sentences = operation.filters.iter().filter_map(|filter| {
        let field = &filter.field;
        match &filter.by {
            FilterBy::Query(..) => None,
            FilterBy::Path(name) => Some(format!("Only items whose `{field}` is the `{name}` of the path.")),
            FilterBy::Caller => Some("Only the caller's own items.".to_owned()),
            FilterBy::Value(value) => Some(format!("Only items whose `{field}` is `{value}`.")),
        }
    });
    sentences.collect()
}

/// What is counted.
pub(crate) fn counts(operation: &Operation) -> Option<String> {
    let counts = operation.counts()?;
    Some(format!(
        "Counts what `{}` finds by `{}`: the most frequent first, at most {}. Items without it are not counted.",
        counts.list.text, counts.value.name, counts.max
    ))
}

/// What a search that finds nothing proposes.
pub(crate) fn nearest(operation: &Operation) -> Option<String> {
    let header = |one: &Nearest| format!("`{}` for `{}`", one.header, one.parameter);
    let headers: Vec<String> = operation.nearest.iter().map(header).collect();
    let sentence = || {
        format!(
            "If nothing is found and a name is unknown, a header has up to three near names, percent-encoded, with commas \
             between: {}.",
            in_words(&headers, "and")
        )
    };
    (!headers.is_empty()).then(sentence)
}

/// The effect of a query parameter on the list.
pub(crate) fn parameter(model: &Model, operation: &Operation, name: &str) -> Option<String> {
    let of_filters = operation.filters.iter().filter_map(|filter| match &filter.by {
        FilterBy::Query(parameter, matching) if parameter == name => {
            Some(restricts(model, filter, *matching) + &compared(model, operation, filter))
        }
        _ => None,
    });
    let sentences: Vec<String> = of_filters.collect();
    of_pages(operation, name).or_else(|| (!sentences.is_empty()).then(|| sentences.join(" ")))
}

/// Whether a query parameter selects the page of the list, or the part of a feed.
pub(crate) fn is_of_pages(operation: &Operation, name: &str) -> bool {
    of_pages(operation, name).is_some() || super::events::parameter(operation, name).is_some()
}

/// The parameters and members that divide a list into pages, with the description of each.
pub(crate) fn pages(operation: &Operation) -> Vec<(&str, &'static str)> {
    let named = operation.pages.iter().flat_map(Pages::named);
    let parameters = named.filter_map(|(key, name)| {
        let meaning = match key {
            "size" => "the maximum number of items on a page",
            "offset" => "the number of items to skip",
            "number" => "the number of the page, from 1",
            _ => "the number of items on all pages",
        };
        Some((name?, meaning))
    });
    parameters.collect()
}

/// The description of a parameter or a member of pages.
pub(crate) fn of_pages(operation: &Operation, name: &str) -> Option<String> {
    let parameters = pages(operation).into_iter().find(|(named, _)| *named == name);
    parameters.map(|(_, meaning)| capitalised(meaning) + ".")
}

fn restricts(model: &Model, filter: &Filter, matching: Matching) -> String {
    let field = &filter.field;
    let one_of = has_many(model, filter);
    match (matching, one_of) {
        (Matching::Equal, false) => format!("Only items with this `{field}`."),
        (Matching::Equal, true) => format!("Only items with this value in `{field}`."),
        (Matching::AtLeast, false) => format!("Only items whose `{field}` is this value or greater."),
        (Matching::AtMost, false) => format!("Only items whose `{field}` is this value or less."),
        (Matching::AtLeast, true) => format!("Only items with a value in `{field}` that is this one or greater."),
        (Matching::AtMost, true) => format!("Only items with a value in `{field}` that is this one or less."),
        (Matching::Part, false) => format!("Only items whose `{field}` contains this text."),
        (Matching::Part, true) => format!("Only items with a value in `{field}` that contains this text."),
        (Matching::Words, _) => {
            let fields: Vec<String> = filter.fields().map(|(field, _)| format!("`{field}`")).collect();
            format!("Only items with each word of this text in {}.", in_words(&fields, "or"))
        }
        (Matching::Implied, false) => format!("If true, only items whose `{field}` is true; otherwise all items."),
        (Matching::Implied, true) => {
            format!("If true, only items with a true value in `{field}`; otherwise all items.")
        }
    }
}

/// How the texts of a filter are compared, if not exactly.
fn compared(model: &Model, operation: &Operation, filter: &Filter) -> String {
    let alike = match model.alike(&filter.of.kind) {
        Alike::Exact => "",
        Alike::Casefold => " Case is ignored.",
        Alike::NfkcCasefold => " Case and width are ignored.",
    };
    let synonyms = match synonyms(model, operation, filter) {
        [] => String::new(),
        [group, others @ ..] => {
            let names: Vec<String> = group.iter().map(|name| format!("`{name}`")).collect();
            let others = match others.len() {
                0 => String::new(),
                count => format!("; also those of {count} more"),
            };
            format!(" Names of one value are the same: {}{others}.", names.join(", "))
        }
    };
    format!("{alike}{synonyms}")
}

/// The texts that mean the same to a filter, in groups.
fn synonyms<'m>(model: &'m Model, operation: &Operation, filter: &Filter) -> &'m [Vec<String>] {
    let found = operation.listed().and_then(|listed| model.synonyms_of(listed, filter));
    found.map_or(&[], |found| found.groups.as_slice())
}

/// How the texts of a query parameter are compared with the filtered field, and the texts that mean the same, in groups.
pub(crate) fn texts<'m>(model: &'m Model, operation: &Operation, name: &str) -> (Alike, &'m [Vec<String>]) {
    let mut filters = operation.filters.iter();
    let found = filters.find_map(|filter| match &filter.by {
        FilterBy::Query(parameter, _) if parameter == name => {
            Some((model.alike(&filter.of.kind), synonyms(model, operation, filter)))
        }
        _ => None,
    });
    found.unwrap_or((Alike::Exact, &[]))
}

/// Whether the field is a list, of which one item must match.
fn has_many(model: &Model, filter: &Filter) -> bool {
    let Type { kind, list, .. } = &filter.of;
    let is_list = |name: &String| matches!(model.named_type(name).rule, TypeRule::List { .. });
    *list || matches!(filter.field, Source::Each(..)) || matches!(kind, Kind::Named(name) if is_list(name))
}
