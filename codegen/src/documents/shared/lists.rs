//! Describes a list: which items it shows, and which page of them.

use super::words::capitalised;
use crate::model::{Data, Filter, FilterBy, Kind, Matching, Model, Operation, Pages, Source, Type, TypeRule};

/// The rules for the items of an operation's list, whatever the parameters: one sentence each.
pub(crate) fn always(operation: &Operation) -> Vec<String> {
    if !matches!(operation.data, Some(Data::Many { .. })) {
        return Vec::new();
    }
    let sentences = operation.filters.iter().filter_map(|filter| {
        let field = &filter.field;
        match &filter.by {
            FilterBy::Query(..) => None,
            FilterBy::Path(name) => Some(format!("Only those whose `{field}` is the `{name}` of the path.")),
            FilterBy::Caller => Some("Only the caller's own.".to_owned()),
            FilterBy::Value(value) => Some(format!("Only those whose `{field}` is `{value}`.")),
        }
    });
    sentences.collect()
}

/// The effect of a query parameter on the list.
pub(crate) fn parameter(model: &Model, operation: &Operation, name: &str) -> Option<String> {
    let of_filters = operation.filters.iter().filter_map(|filter| match &filter.by {
        FilterBy::Query(parameter, matching) if parameter == name => Some(restricts(model, filter, *matching)),
        _ => None,
    });
    let sentences: Vec<String> = of_filters.collect();
    of_pages(operation, name).or_else(|| (!sentences.is_empty()).then(|| sentences.join(" ")))
}

/// Whether a query parameter selects the page of the list.
pub(crate) fn is_of_pages(operation: &Operation, name: &str) -> bool {
    of_pages(operation, name).is_some()
}

/// The parameters and members that divide a list into pages, with the description of each.
pub(crate) fn pages(operation: &Operation) -> Vec<(&str, &'static str)> {
    let named = operation.pages.iter().flat_map(Pages::named);
    let parameters = named.filter_map(|(key, name)| {
        let meaning = match key {
            "size" => "how many items a page has at most",
            "offset" => "how many items come before the page",
            "number" => "which page it is, from 1",
            _ => "how many items there are on all pages together",
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
        (Matching::Equal, false) => format!("Only those with this `{field}`."),
        (Matching::Equal, true) => format!("Only those with this among `{field}`."),
        (Matching::AtLeast, false) => format!("Only those with at least this `{field}`."),
        (Matching::AtMost, false) => format!("Only those with at most this `{field}`."),
        (Matching::AtLeast, true) => format!("Only those with one of at least this among `{field}`."),
        (Matching::AtMost, true) => format!("Only those with one of at most this among `{field}`."),
        (Matching::Part, false) => format!("Only those with this in their `{field}`."),
        (Matching::Part, true) => format!("Only those with this in one of their `{field}`."),
        (Matching::Implied, false) => format!("If true, only those whose `{field}` is true; else all."),
        (Matching::Implied, true) => format!("If true, only those with one true among `{field}`; else all."),
    }
}

/// Whether the field is a list, of which one item must match.
fn has_many(model: &Model, filter: &Filter) -> bool {
    let Type { kind, list, .. } = &filter.of;
    let is_list = |name: &String| matches!(model.named_type(name).rule, TypeRule::List { .. });
    *list || matches!(filter.field, Source::Each(..)) || matches!(kind, Kind::Named(name) if is_list(name))
}
