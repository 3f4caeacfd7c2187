//! Tests of a list: which items it shows, which members, in which order, and in which pages.

use crate::contract;
use crate::lists::description::{Filter, List};
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Calls, Trials, calls};
use codegen::model::{FilterBy, Operation, Pages, SortKey};

pub(super) fn add(operation: &'static contract::Operation, trials: &mut Trials) {
    if let Some(counts) = operation.declared.counts() {
        let mut others = operation.contract.operations().iter().copied();
        let is_counted = |other: &&contract::Operation| {
            std::ptr::eq(other.surface, operation.surface) && counts.list == other.declared.name
        };
        let list = others.find(is_counted).expect("the surface has the list");
        let rule = Rule::new(
            format!("counts the rows of `{}` by `{}`", list.declared.name, counts.value.name),
            counts.at,
        );
        trials.accepts("counts_the_list", &rule, calls!(.counts_the_list(counts, list)));
    }
    let Some(list) = operation.list() else {
        return;
    };
    if let Some(realm) = operation
        .contract
        .model
        .realm_of_list(operation.surface, operation.declared)
    {
        let rule = Rule::new(
            format!("the rows of the caller's realm (`{realm}`)"),
            operation.declared.at,
        );
        let calls = calls!(.lists_own_realm_only(list.resource, list.id));
        trials.accepts("rows_of_own_realm", &rule, calls);
    }
    let operation = operation.declared;
    rows(operation, list, trials);
    filters(operation, list, trials);
    if let Some(pages) = &operation.pages {
        self::pages(operation, pages, trials);
    }
}

fn rows(operation: &'static Operation, list: &List, trials: &mut Trials) {
    if list.creator.is_some() && !list.shows.is_empty() {
        let rule = Rule::new("rows show what was written", operation.at);
        trials.accepts("rows_show_what_was_written", &rule, calls!(.lists_what_was_written()));
    }
    if !operation.sort.is_empty() {
        let rule = Rule::new(format!("the order: {}", keys(&operation.sort)), operation.at);
        trials.accepts("rows_in_order", &rule, calls!(.lists_in_order()));
    }
    for order in operation.orders.iter().flat_map(|orders| &orders.all) {
        let name = order.name.as_str();
        let rule = Rule::new(format!("the order `{name}`: {}", keys(&order.keys)), operation.at);
        let test = format!("rows_in_order_{}", name.replace('-', "_"));
        trials.accepts(&test, &rule, calls!(.lists_in_chosen_order(name)));
    }
}

fn keys(keys: &[SortKey]) -> String {
    keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn filters(operation: &Operation, list: &List, trials: &mut Trials) {
    let Some(filters) = &list.filters else {
        return;
    };
    let rule = Rule::new("without a parameter: every row, and no other", operation.at);
    trials.accepts("filters_none", &rule, calls!(.lists_all()));
    let tried: Vec<_> = filters.iter().filter(|one| one.is_tried).collect();
    for one in &tried {
        let name = one.name;
        let rule = Rule::new(format!("the filter `{}`", one.declared), one.declared.at);
        let test = format!("filter_{}", name.trim_start_matches('$'));
        trials.accepts(&test, &rule, calls!(.lists_filtered(&[name])));
    }
    let is_of_query = |one: &&&Filter| matches!(one.declared.by, FilterBy::Query(..));
    let of_query: Vec<_> = tried.iter().filter(is_of_query).collect();
    for (index, one) in of_query.iter().enumerate() {
        for other in &of_query[index + 1..] {
            pair(one, other, trials);
        }
    }
}

fn pair(one: &Filter, other: &Filter, trials: &mut Trials) {
    let (first, second) = (one.name, other.name);
    let words = format!("the filters `{}` and `{}`", one.declared, other.declared);
    let rule = Rule::new(words, other.declared.at);
    let test = format!("filters_{first}_and_{second}");
    trials.accepts(&test, &rule, calls!(.lists_filtered(&[first, second])));
}

fn pages(operation: &Operation, pages: &Pages, trials: &mut Trials) {
    let mut tries = |name: &str, words: &str, calls: Calls| {
        trials.accepts(name, &Rule::new(format!("`pages`: {words}"), pages.at), calls);
    };
    let size = operation.query.iter().find(|field| pages.size == field.name);
    if size.is_some_and(|size| size.of.default.is_some()) {
        let calls = calls!(.pages_of_default_size());
        tries("pages_of_default_size", "without a size it is the default", calls);
    }
    let calls = calls!(.pages_of_each_size());
    tries("pages_of_each_size", "as many rows as are asked for", calls);
    if !pages.is_one() {
        let calls = calls!(.pages_past_the_end());
        tries("pages_past_the_end", "past the end there is no row", calls);
        let calls = calls!(.pages_together_are_the_whole());
        let words = "together they show each row once, as many as the total says";
        tries("pages_together_are_the_whole", words, calls);
    }
}
