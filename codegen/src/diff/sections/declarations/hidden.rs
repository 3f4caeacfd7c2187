//! Compares which records of a resource are hidden from callers.

use crate::diff::matching::operations;
use crate::diff::output::{Comparison, PathPair, Rule};
use crate::model::{Hidden, Model, Resource};
use std::collections::BTreeSet;

pub(super) fn compare(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    old: &Resource,
    (name, hidden): (&str, Option<&Hidden>),
) {
    let noun = &comparison.new.resource(name).noun;
    let names = comparison.names;
    let was = old.hidden.as_ref().map(|hidden| {
        let mut hidden = hidden.clone();
        hidden.when.field = names.field(&old.name, &hidden.when.field).to_owned();
        for except in &mut hidden.except {
            except.resource = names.resource(&except.resource).to_owned();
        }
        hidden.to_string()
    });
    let is = hidden.map(ToString::to_string);
    let (rule, message) = match (&was, &is) {
        (None, Some(is)) => (
            Rule::HidingAdded,
            format!("each {noun} can be hidden from callers who do not own it: {is}"),
        ),
        (Some(was), Some(is)) if was != is => (
            Rule::HidingChanged,
            format!("each {noun} is hidden by another rule: {is}, was: {was}"),
        ),
        (Some(was), None) => (Rule::HidingRemoved, format!("no {noun} is hidden, was: {was}")),
        _ => return,
    };
    let affected = match hidden {
        Some(_) => finding(comparison.new, name),
        None => finding(comparison.old, &old.name),
    };
    comparison.between(rule, &place.join("hidden"), affected, message);
}

/// The operations that look up records of a resource for callers from whom some are hidden.
fn finding(model: &Model, resource: &str) -> BTreeSet<String> {
    operations(model, |surface, operation| {
        model.hidden_from(surface, resource).is_some() && operation.finds(resource)
    })
}
