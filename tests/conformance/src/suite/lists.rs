//! Tests of a list: which items it shows, which members, in which order, and in which pages.

use crate::suite::Subject;
use crate::suite::listed::{Listed, filter_name, is_told, listed};
use crate::suite::rule::Rule;
use crate::suite::trials::{Calls, Trials, calls, leak};
use codegen::model::{Filter, FilterBy, Operation, Pages, Source};

pub(super) fn add(subject: &Subject, trials: &mut Trials) {
    let operation = subject.operation;
    let Some(list) = listed(subject.model, subject.surface, operation) else {
        return;
    };
    rows(subject, &list, trials);
    filters(subject, &list, trials);
    if let Some(pages) = &operation.pages {
        self::pages(operation, pages, trials);
    }
}

fn rows(subject: &Subject, list: &Listed, trials: &mut Trials) {
    let operation = subject.operation;
    let mut shown = list.view.members.iter();
    if shown.any(|member| list.is_known(subject.model, &member.source)) {
        let rule = Rule::new("rows show what was written", operation.at);
        trials.accepts("rows_show_what_was_written", &rule, calls!(.lists_what_was_written()));
    }
    if !operation.sort.is_empty() {
        let key = |(field, reversed): &(String, bool)| format!("{field} {}", if *reversed { "desc" } else { "asc" });
        let keys: Vec<String> = operation.sort.iter().map(key).collect();
        let rule = Rule::new(format!("the order: {}", keys.join(", ")), operation.at);
        trials.accepts("rows_in_order", &rule, calls!(.lists_in_order()));
    }
}

fn filters(subject: &Subject, list: &Listed, trials: &mut Trials) {
    let operation = subject.operation;
    if !is_told(subject.model, subject.surface, operation) {
        return;
    }
    let rule = Rule::new("without a parameter: every row, and no other", operation.at);
    trials.accepts("filters_none", &rule, calls!(.lists_all()));
    let tried = operation
        .filters
        .iter()
        .filter(|filter| can_tell(subject, list, filter));
    let tried: Vec<&Filter> = tried.collect();
    for filter in &tried {
        let name = leak(filter_name(operation, filter));
        let rule = Rule::new(format!("the filter `{filter}`"), filter.at);
        let test = format!("filter_{}", name.trim_start_matches('$'));
        trials.accepts(&test, &rule, calls!(.lists_filtered(&[name])));
    }
    let of_query = tried
        .into_iter()
        .filter(|filter| matches!(filter.by, FilterBy::Query(..)));
    let of_query: Vec<&Filter> = of_query.collect();
    for (index, one) in of_query.iter().enumerate() {
        for other in &of_query[index + 1..] {
            pair(operation, one, other, trials);
        }
    }
}

/// Whether items can exist that the filter excludes.
fn can_tell(subject: &Subject, list: &Listed, filter: &Filter) -> bool {
    match (&filter.by, &filter.field) {
        (FilterBy::Caller | FilterBy::Path(_), _) => true,
        (FilterBy::Query(..), source) => list.is_known(subject.model, source),
        (FilterBy::Value(_), Source::Stored(field)) => list.varies(field),
        (FilterBy::Value(_), _) => false,
    }
}

fn pair(operation: &Operation, one: &Filter, other: &Filter, trials: &mut Trials) {
    let [first, second] = [one, other].map(|filter| leak(filter_name(operation, filter)));
    let rule = Rule::new(format!("the filters `{one}` and `{other}`"), other.at);
    let test = format!("filters_{first}_and_{second}");
    trials.accepts(&test, &rule, calls!(.lists_filtered(&[first, second])));
}

fn pages(operation: &Operation, pages: &Pages, trials: &mut Trials) {
    let mut tries = |name: &str, words: &str, calls: Calls| {
        trials.accepts(name, &Rule::new(format!("`pages`: {words}"), pages.at), calls);
    };
    let size = operation.query.iter().find(|field| field.name == pages.size);
    if size.is_some_and(|size| size.of.default.is_some()) {
        let calls = calls!(.pages_of_default_size());
        tries("pages_of_default_size", "without a size it is the default", calls);
    }
    let calls = calls!(.pages_of_each_size());
    tries("pages_of_each_size", "as many rows as are asked for", calls);
    if pages.offset.is_some() || pages.number.is_some() {
        let calls = calls!(.pages_past_the_end());
        tries("pages_past_the_end", "past the end there is no row", calls);
        let calls = calls!(.pages_together_are_the_whole());
        let words = "together they show each row once, as many as the total says";
        tries("pages_together_are_the_whole", words, calls);
    }
}
