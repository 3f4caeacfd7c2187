//! Selects a variant of a document by the query.

use super::{Document, Parameter};
use crate::decode::choice;
use crate::{Code, Fault, Members, ValidationErrors};

/// The result of a selection.
#[derive(Debug)]
pub(super) enum Selected<'d> {
    /// The selected document.
    Document(&'d Document),
    /// All errors of the query, with the valid values.
    Error(String),
}

/// Selects one of the variants of a path by a query.
pub(super) fn select<'d>(variants: &[&'d Document], query: Option<&str>) -> Selected<'d> {
    let names: Vec<&str> = variants
        .iter()
        .take(1)
        .flat_map(|one| one.query)
        .map(|one| one.name)
        .collect();
    let mut errors = ValidationErrors::new();
    let mut members = Members::of_query(query, &names, &mut errors);
    let mut left = variants.to_vec();
    for (place, name) in names.iter().enumerate() {
        let values = values(variants, place);
        let value = members.optional(name, &mut errors, |value, _| Some(value)).flatten();
        let value = value.and_then(|value| errors.within(name, |errors| choice(value, errors, &values)));
        let value = value.map(|index| values[index]);
        left.retain(|one| selects(&one.query[place], value));
    }
    match left.first() {
        Some(document) if errors.is_empty() => return Selected::Document(document),
        None if errors.is_empty() => {
            errors.report_bare(&Fault::new(Code::Choice, "there is none of all these at once"));
        }
        _ => {}
    }
    Selected::Error(format!("{}\n{}", errors.text(), offer(variants, &names)))
}

fn selects(parameter: &Parameter, value: Option<&str>) -> bool {
    match value {
        Some(_) => parameter.value == value,
        None => parameter.is_default,
    }
}

/// The distinct values of a parameter.
fn values(variants: &[&Document], place: usize) -> Vec<&'static str> {
    let mut values = Vec::new();
    for value in variants.iter().filter_map(|one| one.query[place].value) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// The valid parameters and values.
fn offer(variants: &[&Document], names: &[&'static str]) -> String {
    let path = variants.first().map_or("", |one| one.path);
    if names.is_empty() {
        return format!("{path} takes no parameters");
    }
    let parameters = names.iter().enumerate().map(|(place, name)| {
        let default = variants.iter().map(|one| &one.query[place]).find(|one| one.is_default);
        let default = default.and_then(|one| one.value);
        let values = values(variants, place).into_iter().map(|value| match default {
            Some(default) if default == value => format!("{name}={value} (as without it)"),
            _ => format!("{name}={value}"),
        });
        values.collect::<Vec<_>>().join(", ")
    });
    format!("{path} takes {}", parameters.collect::<Vec<_>>().join("; "))
}
