//! The values of a field of the rows of a list, counted by another operation: compared with the list.

use super::Query;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::lists::description::Filter;
use crate::lists::reader::ListReader;
use crate::suite::leave_out;
use codegen::model::{Alike, FilterBy, Source, ValueCounts};
use serde_json::{Value as Json, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;

impl Attempt {
    /// Each value is counted as often as the list shows it: without a parameter, and by each filter.
    #[track_caller]
    pub(crate) fn counts_the_list(self, counts: &'static ValueCounts, list: &'static Operation) {
        let is_taken = |name: &str| self.operation.declared.query.iter().any(|field| field.name == name);
        let left_out: Vec<&str> = list.declared.query.iter().map(|field| field.name.as_str()).collect();
        let left_out: Vec<&str> = left_out.into_iter().filter(|name| !is_taken(name)).collect();
        let listing = self.anew(list);
        let Some(description) = list.list() else {
            return leave_out("the rows of the list cannot be told apart");
        };
        let shown = description
            .shows
            .iter()
            .find(|(_, source)| matches!(source, Source::Stored(field) if *field == counts.value.name));
        let Some(((member, _), reader)) = shown.zip(ListReader::for_attempt(&listing, &left_out)) else {
            return;
        };
        let compare = |query: &Query<'_>| {
            let (rows, _) = reader.whole(query);
            let wanted = self.counted(counts, rows.iter().filter_map(|row| row[*member].as_str()));
            let answer = reader.ask_with(self.clone(), query);
            if answer.data() != wanted {
                answer.fail(
                    &format!("the values of the list, counted: {wanted}"),
                    &answer.data().to_string(),
                );
            }
        };
        compare(&[]);
        let is_tried = |filter: &&Filter| {
            filter.is_tried && matches!(&filter.declared.by, FilterBy::Query(name, _) if is_taken(name))
        };
        for filter in description.filters().iter().filter(is_tried) {
            for query in reader.queries(&[filter]) {
                compare(&query);
            }
        }
    }

    fn counted<'t>(&self, counts: &ValueCounts, values: impl Iterator<Item = &'t str>) -> Json {
        let alike = self.operation.contract.model.alike(&counts.value.of.kind);
        let mut all: BTreeMap<String, (&str, u64)> = BTreeMap::new();
        for value in values {
            let form = match alike {
                Alike::Exact => value.to_owned(),
                // The texts of the suite differ in nothing else.
                Alike::Casefold | Alike::NfkcCasefold => value.to_lowercase(),
            };
            let (first, count) = all.entry(form).or_insert((value, 0));
            *first = value.min(first);
            *count += 1;
        }
        let mut all: Vec<(&str, u64)> = all.into_values().collect();
        all.sort_by_key(|(value, count)| (Reverse(*count), *value));
        all.truncate(counts.max as usize);
        let rows = all.into_iter();
        let rows = rows.map(|(value, count)| json!({ &counts.value.name: value, ValueCounts::COUNT: count }));
        rows.collect()
    }
}
