//! Lists, compared with a plain model of their content: which items they show, in which order, and in which pages.

mod bodies;
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

use crate::attempt::Attempt;
use crate::lists::description::{Filter, SortKey};
use crate::lists::reader::ListReader;
use crate::lists::rows::Row;
use crate::response_data::is_same;
use crate::world::shortened;
use codegen::model::Source;
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
        let Some(reader) = ListReader::for_attempt(&self, &[]) else {
            return;
        };
        let (rows, answer) = reader.whole(&[]);
        for pair in rows.windows(2) {
            if reader.order(&pair[0], &pair[1]) == Ordering::Greater {
                let keys: Vec<String> = self.operation.order.iter().map(SortKey::render).collect();
                answer.fail(
                    &format!("the order {}", keys.join(", ")),
                    &format!(
                        "{} comes before {}",
                        reader.describe(&pair[0]),
                        reader.describe(&pair[1])
                    ),
                );
            }
        }
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

impl SortKey {
    fn render(&self) -> String {
        format!("{} {}", self.field, if self.is_reversed { "desc" } else { "asc" })
    }
}

impl Row {
    fn describe(&self) -> String {
        let record = Json::Object(self.record.clone());
        let made = self.made_by.as_deref().unwrap_or("nothing that was sent by this test");
        format!("it is {}, made by {made}", shortened(&record.to_string()))
    }
}
