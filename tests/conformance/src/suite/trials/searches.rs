//! Tests of what filters compare: spellings and names that mean the same, and present values.

use crate::contract::Operation;
use crate::effects::{changed_member, decide_together, is_readable};
use crate::lists::description::{Filter, List};
use crate::suite::leak_all;
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Trials, calls};
use crate::types::{Type, named};
use codegen::model::{FilterBy, KnownNames, Matching, Source};

pub(super) fn add(operation: &'static Operation, trials: &mut Trials) {
    let Some(list) = operation.list().filter(|_| is_readable(operation)) else {
        return;
    };
    let Some(filters) = list.filters.as_deref() else { return };
    for filter in filters {
        texts(operation, list, filter, trials);
    }
    present_values(operation, list, filters, trials);
    present_order(operation, list, trials);
    elsewhere(operation, list, trials);
}

/// The first key of the order, if an operation changes it.
fn present_order(operation: &'static Operation, list: &'static List, trials: &mut Trials) {
    let key = operation.order.first();
    let Some(key) = key.filter(|key| matches!(key.of, Type::Number { .. })) else {
        return;
    };
    for (by, member) in changers(operation, list.resource, key.field) {
        let rule = Rule::new(
            format!(
                "the order by `{}` is that of the present values, also after `{}`",
                key.field, by.name
            ),
            operation.declared.at,
        );
        let name = format!("order_after_{}_{}", by.surface.name, by.declared.name);
        trials.accepts(&name, &rule, calls!(.lists_by_present_values(by, member)));
    }
}

/// The operations that change the field, each with the member of its body that sets it.
fn changers(
    operation: &Operation,
    resource: &str,
    field: &str,
) -> impl Iterator<Item = (&'static Operation, &'static str)> {
    let all = operation.contract.operations().iter().copied();
    all.filter_map(move |by| Some((by, changed_member(by, resource, field)?)))
}

/// Filters that read a field of another record, if an operation changes it.
fn elsewhere(operation: &'static Operation, list: &'static List, trials: &mut Trials) {
    for filter in &operation.declared.filters {
        let (Some((_, end)), FilterBy::Value(value)) = (&filter.through, &filter.by) else {
            continue;
        };
        if !matches!(value.as_str(), "true" | "false") {
            continue;
        }
        let field = filter.field.field();
        for (by, member) in changers(operation, end, field) {
            let rule = Rule::new(format!("`{filter}` now, also after `{}`", by.name), filter.at);
            let name = format!("{field}_after_{}_{}", by.surface.name, by.declared.name);
            trials.accepts(&name, &rule, calls!(.hides_by_its_source(list, filter, (by, member))));
        }
    }
}

fn texts(operation: &'static Operation, list: &List, filter: &'static Filter, trials: &mut Trials) {
    let model = operation.contract.model;
    let is_made = list.creator.as_ref().is_some_and(|creator| {
        let body = creator.operation.body;
        body.is_some_and(|body| body.member(filter.declared.field.field()).is_some())
    });
    let FilterBy::Query(parameter, Matching::Equal | Matching::Part | Matching::Words) = &filter.declared.by else {
        return;
    };
    let is_text = named(operation.query, parameter).is_some_and(|one| matches!(one.of, Type::Text { .. }));
    if !is_made || !is_text {
        return;
    }
    let at = filter.declared.at;
    let alike = model.alike(&filter.declared.of.kind);
    let rule = Rule::new(
        format!("`{}` compares texts by `{}`", filter.declared, alike.as_str()),
        at,
    );
    let name = format!("filter_{}_compares_texts", filter.name);
    trials.accepts(&name, &rule, calls!(.finds_alike(filter, alike)));
    if !filter.synonyms.is_empty() {
        let rule = Rule::new(
            format!("`{}` finds all texts that mean the same (`synonyms`)", filter.declared),
            at,
        );
        let name = format!("filter_{}_knows_synonyms", filter.name);
        trials.accepts(&name, &rule, calls!(.finds_synonyms(filter)));
    }
    let mut nearest = operation.declared.nearest.iter();
    if let Some(nearest) =
        nearest.find(|one| one.parameter == *parameter && matches!(one.names, KnownNames::Synonyms(_)))
    {
        let rule = Rule::new(format!("a search for an unknown `{parameter}` proposes known ones"), at);
        let name = format!("filter_{}_proposes_names", filter.name);
        trials.accepts(&name, &rule, calls!(.proposes_names(filter, nearest)));
    }
}

/// Filters of a stored field that an operation changes.
fn present_values(operation: &'static Operation, list: &'static List, filters: &'static [Filter], trials: &mut Trials) {
    let mut done: Vec<&str> = Vec::new();
    for filter in filters {
        let field = filter.declared.field.field();
        let is_of_field = |other: &&Filter| {
            let is_own = !matches!(other.declared.field, Source::Joined(_)) && other.declared.through.is_none();
            is_own && other.declared.field.field() == field && matches!(other.declared.by, FilterBy::Query(..))
        };
        let same = leak_all(filters.iter().filter(is_of_field));
        if done.contains(&field) || !decide_together(same) {
            continue;
        }
        done.push(field);
        let changers = changers(operation, list.resource, field);
        for (by, member) in changers.filter(|(by, _)| by.transitions.is_none()) {
            let of = named(by.members(), member).map(|one| one.of);
            if matches!(
                of,
                Some(
                    Type::Text { .. }
                        | Type::Number { .. }
                        | Type::List {
                            of: Type::Text { .. } | Type::Object(_),
                            ..
                        }
                )
            ) {
                let rule = Rule::new(
                    format!(
                        "`{}` compares the present value, also after `{}`",
                        filter.declared, by.name
                    ),
                    filter.declared.at,
                );
                let name = format!("filters_of_{field}_after_{}_{}", by.surface.name, by.declared.name);
                trials.accepts(&name, &rule, calls!(.finds_by_present_values(same, by, member)));
            }
        }
    }
}
