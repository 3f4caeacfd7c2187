//! Lists, compared with a plain model of their content: which items they show, in which order, and in which pages.

mod bodies;
mod counts;
pub(crate) mod description;
mod filters;
mod maker;
mod mover;
pub(crate) mod pages;
mod reader;
pub(crate) mod rows;
#[cfg(test)]
mod tests;
pub(crate) mod values;

use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::lists::description::{Filter, SortKey};
use crate::lists::reader::ListReader;
use crate::lists::rows::Row;
use crate::response_data::is_same;
use crate::world::shortened;
use codegen::model::{self, Source};
use serde_json::Value as Json;
use std::cmp::Ordering;

/// Values of query parameters.
type Query<'q> = [(&'static str, String)];

impl Attempt {
    /// Without a parameter the list shows exactly the items that it declares.
    #[track_caller]
    pub fn lists_all(self) {
        if let Some(reader) = ListReader::for_attempt(&self, &[]) {
            reader.check(&[]);
        }
    }

    /// The list shows exactly the items that match these filters.
    #[track_caller]
    pub fn lists_filtered(self, names: &[&str]) {
        let Some(reader) = ListReader::for_attempt(&self, names) else {
            return;
        };
        let filter = |name: &&str| {
            let mut filters = self.list().filters().iter();
            filters
                .find(|filter| filter.name == *name)
                .expect("the contract declares the filter")
        };
        let filters: Vec<&Filter> = names.iter().map(filter).collect();
        for query in reader.queries(&filters) {
            reader.check(&query);
        }
    }

    /// Items come in the declared order; ties in one key are ordered by the next.
    #[track_caller]
    pub fn lists_in_order(self) {
        if let Some(reader) = ListReader::for_attempt(&self, &[]) {
            let (rows, answer) = reader.whole(&[]);
            reader.expect_in_order(&self.operation.order, &rows, &answer);
        }
    }

    /// Items come in the order that the request chooses, all of them, and pages have that order.
    #[track_caller]
    pub fn lists_in_chosen_order(self, name: &'static str) {
        let Some(reader) = ListReader::for_attempt(&self, &[]) else {
            return;
        };
        let by = self.operation.declared.orders.as_ref().expect("there are orders");
        let query = [(by.by.as_str(), name.to_owned())];
        let (rows, answer) = reader.whole(&query);
        let keys = self.operation.orders.iter().find(|(known, _)| *known == name);
        let (_, keys) = keys.expect("the contract declares the order");
        reader.expect_in_order(keys, &rows, &answer);
        let ids = |rows: &[Json]| {
            let mut ids: Vec<i64> = rows.iter().filter_map(|row| reader.id(row)).collect();
            ids.sort_unstable();
            ids
        };
        let (others, _) = reader.whole(&[]);
        if ids(&rows) != ids(&others) {
            let wanted = format!("the same rows in each order: those with the ids {:?}", ids(&others));
            answer.fail(&wanted, &format!("there are {:?}", ids(&rows)));
        }
        reader.expect_pages(&query, &rows);
    }

    /// Each item shows what the request that made it has written.
    #[track_caller]
    pub fn lists_what_was_written(self) {
        let Some(reader) = ListReader::for_attempt(&self, &[]) else {
            return;
        };
        let (rows, answer) = reader.whole(&[]);
        for item in &rows {
            let Some(row) = reader.row(item).filter(|row| row.made_by.is_some()) else {
                continue;
            };
            for (member, source) in &self.list().shows {
                let Some(mut wanted) = row.record.get(source.field()).cloned() else {
                    continue;
                };
                if let (Source::Each(_, pick), Json::Array(items)) = (source, &wanted) {
                    wanted = items.iter().map(|item| item[pick].clone()).collect();
                }
                if !is_same(&item[*member], &wanted) {
                    answer.fail(
                        &format!("`{member}` of row {} as {}", row.id, shortened(&wanted.to_string())),
                        &format!("it is {}; {}", item[*member], row.describe()),
                    );
                }
            }
        }
    }
}

impl ListReader {
    /// Each item comes before the next one.
    #[track_caller]
    fn expect_in_order(&self, keys: &[SortKey], rows: &[Json], answer: &Answer) {
        for pair in rows.windows(2) {
            if self.order(keys, &pair[0], &pair[1]) == Ordering::Greater {
                let keys: Vec<String> = keys.iter().map(SortKey::render).collect();
                answer.fail(
                    &format!("the order {}", keys.join(", ")),
                    &format!("{} comes before {}", self.describe(&pair[0]), self.describe(&pair[1])),
                );
            }
        }
    }
}

impl SortKey {
    pub(crate) fn render(&self) -> String {
        let declared = model::SortKey {
            field: self.field.to_owned(),
            descends: self.is_reversed,
            nulls: self.nulls,
        };
        declared.to_string()
    }
}

impl Row {
    fn describe(&self) -> String {
        let record = Json::Object(self.record.clone());
        let made = self.made_by.as_deref().unwrap_or("nothing that was sent by this test");
        format!("it is {}, made by {made}", shortened(&record.to_string()))
    }
}
