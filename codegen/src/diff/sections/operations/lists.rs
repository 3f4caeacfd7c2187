//! Compares lists: which items they show, and how they are divided into pages.

use crate::diff::matching::{MemberKind, Renames};
use crate::diff::output::{Comparison, OperationPair, Rule};
use crate::diff::sections::declarations::shapes::path;
use crate::model::{Filter, FilterBy, Kind, Pages};

/// If only one of the contracts has a list, the change of the data is reported instead.
pub(crate) fn compare(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    // What is counted of a list is compared there.
    let is_counted = both.old.counts().is_some() && both.new.counts().is_some();
    if let (Some(was), Some(is), false) = (both.old.listed(), both.new.listed(), is_counted) {
        filters(comparison, both, (was, is));
        pages(comparison, both);
        nearest(comparison, both);
    }
}

fn filters(comparison: &mut Comparison<'_>, both: &OperationPair<'_>, (old_resource, new_resource): (&str, &str)) {
    let names = comparison.names;
    let was = both
        .old
        .filters
        .iter()
        .map(|filter| (filter, of_old(names, both, old_resource, filter)));
    let was: Vec<(&Filter, [String; 2])> = was.collect();
    let is = both.new.filters.iter();
    let is: Vec<(&Filter, [String; 2])> = is.map(|filter| (filter, of_new(new_resource, filter))).collect();
    let find = |all: &[(&Filter, [String; 2])], one: &[String; 2]| all.iter().position(|(_, other)| other == one);
    for (filter, one) in &was {
        let key = format!("filters.{filter}");
        let Some(now) = find(&is, one) else {
            let message = format!("the list no longer filters by `{filter}`");
            both.removed(comparison, Rule::FilterRemoved, &key, message);
            continue;
        };
        let (now, _) = &is[now];
        let synonyms = filter.synonyms.as_ref();
        let renamed = synonyms.map(|(resource, field)| (names.resource(resource), names.field(resource, field)));
        if renamed != now.synonyms.as_ref().map(|(resource, field)| (&**resource, &**field)) {
            let message = format!("the list filters by `{now}`, was by `{filter}`");
            let place = both.place.join("filters").under(&filter.to_string(), &now.to_string());
            comparison.between(Rule::MeaningChanged, &place, both.concerned(), message);
        }
    }
    for (filter, _) in is.iter().filter(|(_, one)| find(&was, one).is_none()) {
        let message = format!("the list now filters by `{filter}`");
        both.added(comparison, Rule::FilterAdded, &format!("filters.{filter}"), message);
    }
}

/// The field and the value that a filter of the new contract compares. If the list is of another resource, the change
/// of the data is reported; a filter by fields of the same name is the same.
fn of_new(resource: &str, filter: &Filter) -> [String; 2] {
    let by = with(&filter.by, |name| name, |value| value);
    [compared(None, resource, filter), by]
}

/// The fields that a filter compares, in any order, with the new names if `names` are given.
fn compared(names: Option<&Renames<'_>>, resource: &str, filter: &Filter) -> String {
    let Filter {
        by: _,
        field,
        through,
        of: _,
        others,
        // Compared by itself.
        synonyms: _,
        at: _,
    } = filter;
    let others = others.iter();
    let others = others.map(|(other, _)| path(names, (resource, other)));
    let first = match through {
        Some((id, next)) => {
            let id = names.map_or(id.as_str(), |names| names.field(resource, id));
            format!("{id}.{}", path(names, (next, field)))
        }
        None => path(names, (resource, field)),
    };
    let mut all: Vec<String> = std::iter::once(first).chain(others).collect();
    all.sort();
    all.join(" | ")
}

/// The same for a filter of the old contract, with the new names.
fn of_old(names: &Renames<'_>, both: &OperationPair<'_>, resource: &str, filter: &Filter) -> [String; 2] {
    let value = |value| match &filter.of.kind {
        Kind::Enum(one) => names.inside(MemberKind::Value, one, value),
        _ => value,
    };
    let by = with(&filter.by, |name| both.parameter(name), value);
    [compared(Some(names), resource, filter), by]
}

fn with<'f>(by: &'f FilterBy, parameter: impl Fn(&'f str) -> &'f str, value: impl Fn(&'f str) -> &'f str) -> String {
    match by {
        FilterBy::Query(name, matching) => format!("{} {}", parameter(name), matching.as_str()),
        FilterBy::Path(name) => format!("{} =", parameter(name)),
        FilterBy::Caller => "$caller =".to_owned(),
        FilterBy::Value(word) => format!("is {}", value(word)),
    }
}

/// The headers with the nearest names. Which names are known is compared at the synonyms and the distinct items.
fn nearest(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    for was in &both.old.nearest {
        let name = both.parameter(&was.parameter);
        let key = format!("nearest.{}", was.parameter);
        match both.new.nearest.iter().find(|is| is.parameter == name) {
            Some(is) if !is.header.eq_ignore_ascii_case(&was.header) => {
                let message = format!("the header `{}` is renamed to `{}`", was.header, is.header);
                let place = both.place.join("nearest").under(&was.parameter, name);
                comparison.between(Rule::AnswerHeaderRenamed, &place, both.concerned(), message);
            }
            Some(_) => {}
            None => {
                let message = format!(
                    "the header `{}` with the names nearest to `{name}` is no longer sent",
                    was.header
                );
                both.removed(comparison, Rule::AnswerHeaderRemoved, &key, message);
            }
        }
    }
    for is in &both.new.nearest {
        let mut old = both.old.nearest.iter();
        if !old.any(|was| both.parameter(&was.parameter) == is.parameter) {
            let message = format!(
                "the header `{}` with the names nearest to `{}` is now sent",
                is.header, is.parameter
            );
            both.added(
                comparison,
                Rule::AnswerHeaderAdded,
                &format!("nearest.{}", is.parameter),
                message,
            );
        }
    }
}

fn pages(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    match (&both.old.pages, &both.new.pages) {
        (None, None) => {}
        (None, Some(is)) => {
            let message = format!("the list is now divided into pages by {}", by(is));
            both.added(comparison, Rule::PagesAdded, "pages", message);
        }
        (Some(was), None) => {
            let message = format!("the contract no longer divides the list into pages, was by {}", by(was));
            both.removed(comparison, Rule::PagesRemoved, "pages", message);
        }
        (Some(was), Some(is)) => changed_pages(comparison, both, (was, is)),
    }
}

/// A renamed parameter is reported by the query.
fn changed_pages(comparison: &mut Comparison<'_>, both: &OperationPair<'_>, (was, is): (&Pages, &Pages)) {
    let named = was.named();
    let named = named.map(|(key, name)| (key, name.map(|name| both.parameter(name))));
    if named != is.named() {
        let is_first = |(key, name): &(&str, Option<&str>)| {
            let least = if *key == "number" { "1" } else { "0" };
            let field = both.new.query.iter().find(|field| Some(field.name.as_str()) == *name);
            *key == "total" || field.is_some_and(|field| field.of.default.as_deref() == Some(least))
        };
        let mut pairs = named.into_iter().zip(is.named());
        if pairs.all(|((_, was), is)| was == is.1 || (was.is_none() && is_first(&is))) {
            let message = format!(
                "the list is divided into further pages by {}, was by {}",
                by(is),
                by(was)
            );
            return both.changed(comparison, Rule::PagesExtended, "pages", message);
        }
        let message = format!("the list is divided into pages by {}, was by {}", by(is), by(was));
        both.changed(comparison, Rule::PagesChanged, "pages", message);
    }
}

/// The parameters of pages, in words: `size: limit`, `offset: offset`.
fn by(pages: &Pages) -> String {
    let named = pages.named().into_iter();
    let named = named.filter_map(|(key, name)| Some(format!("`{key}: {}`", name?)));
    named.collect::<Vec<_>>().join(", ")
}
