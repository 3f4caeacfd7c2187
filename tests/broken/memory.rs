//! What a broken store remembers, and what it does to lists.

use super::defect::Fault;
use contract::{Encoded, Page, Rows};
use hitode::store::{StoreError, StoreResult};
use serde_json::Value;
use std::any::Any;
use std::collections::HashMap;
use std::sync::Mutex;

/// Values by texts.
#[derive(Default)]
pub(super) struct Memory(Mutex<HashMap<String, Box<dyn Any + Send>>>);

impl Memory {
    /// The first value that was passed with this text.
    pub(super) fn first<T: Clone + Send + 'static>(&self, of: String, value: T) -> T {
        let mut values = self.0.lock().expect("no test panics in here");
        let first = values.entry(of).or_insert_with(|| Box::new(value.clone()));
        first.downcast_ref().map_or(value, T::clone)
    }

    /// The value before this one.
    pub(super) fn former<T: Clone + Send + 'static>(&self, of: &str, value: T) -> Option<T> {
        let mut values = self.0.lock().expect("no test panics in here");
        let former = values.insert(of.to_owned(), Box::new(value))?;
        former.downcast_ref().cloned()
    }

    /// This value, or else the last one that there was.
    pub(super) fn last<T: Clone + Send + 'static>(&self, of: &str, value: Option<T>) -> Option<T> {
        match value {
            Some(value) => {
                self.former(of, value.clone());
                Some(value)
            }
            None => {
                let values = self.0.lock().expect("no test panics in here");
                values.get(of)?.downcast_ref().cloned()
            }
        }
    }

    /// How often this was called with this text, counted from 1.
    pub(super) fn count(&self, of: &str) -> i64 {
        let before = self.former(of, 0_i64).unwrap_or(0);
        self.former(of, before + 1);
        before + 1
    }

    /// Whether this is the second of two equal values in a row.
    pub(super) fn is_repeated(&self, of: &str, value: i64) -> bool {
        let is_repeated = self.former(of, value) == Some(value);
        if is_repeated {
            self.former(of, 0_i64);
        }
        is_repeated
    }

    /// The rows with a fault.
    pub(super) fn rows<V: 'static>(&self, of: &str, fault: Fault, rows: Rows<V>) -> StoreResult<Rows<V>> {
        let mut rows = all(rows)?;
        match fault {
            Fault::Stale => {
                let first = |row: Encoded<V>| self.first(format!("{of} {}", id_of(&row)), row);
                rows = rows.into_iter().map(first).collect();
            }
            Fault::LastLeftOut if rows.len() > 2 => drop(rows.pop()),
            Fault::NewestFirst => rows.sort_by_key(|row| std::cmp::Reverse(id_of(row))),
            Fault::LastLeftOut | Fault::TotalOfPage => {}
        }
        Ok(rows.into())
    }

    /// The page with a fault.
    pub(super) fn page<V: 'static>(&self, of: &str, fault: Fault, page: Page<V>) -> StoreResult<Page<V>> {
        let rows = all(page.rows)?;
        let total = match fault {
            Fault::TotalOfPage => i64::try_from(rows.len()).expect("pages are short"),
            _ => page.total,
        };
        let rows = self.rows(of, fault, rows.into())?;
        Ok(Page { rows, total })
    }
}

/// The rows of a list that satisfy a condition.
pub(super) fn retain<V: 'static>(rows: Rows<V>, is_shown: impl Fn(&Value) -> bool) -> StoreResult<Rows<V>> {
    let rows = all(rows)?.into_iter();
    Ok(rows.filter(|row| is_shown(&value(row))).collect())
}

/// The first rows of a list.
pub(super) fn first<V: 'static>(rows: Rows<V>, most: usize) -> StoreResult<Rows<V>> {
    Ok(all(rows)?.into_iter().take(most).collect())
}

/// The ids of the rows.
pub(super) fn ids<V: 'static>(rows: Rows<V>) -> StoreResult<Vec<i64>> {
    Ok(all(rows)?.iter().map(id_of).collect())
}

fn all<V: 'static>(rows: Rows<V>) -> StoreResult<Vec<Encoded<V>>> {
    rows.read_all().map_err(|_| StoreError::Closed)
}

fn id_of<V>(row: &Encoded<V>) -> i64 {
    value(row)["id"].as_i64().unwrap_or(0)
}

fn value<V>(row: &Encoded<V>) -> Value {
    serde_json::from_str(row.as_str()).expect("rows are JSON")
}
