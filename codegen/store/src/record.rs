//! Records as values: JSON with the contract's field names. The text names its own fields, so a record of an older
//! contract still loads.

use std::fmt;
use std::sync::{Arc, RwLock};

use codegen_support::derived::Facts;
use codegen_support::index::{Indexed, Row, place};
use codegen_support::{Key, Stored};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::engine::Bytes;
use crate::error::{StoreError, StoreResult};
use crate::service::Service;
use crate::tree::Tree;
use crate::trees::Trees;

/// One entry of an index: a tree that repeats facts of records in another order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexEntry {
    /// Which index.
    pub tree: Tree,
    /// The key in the index.
    pub key: Bytes,
    /// Empty if the key is enough.
    pub value: Bytes,
}

impl IndexEntry {
    /// This row.
    #[must_use]
    pub fn new(tree: Tree, row: Row) -> Self {
        let [key, value] = [row.key, row.value].map(|bytes| Bytes::from(&bytes[..]));
        Self { tree, key, value }
    }
}

/// An index that is kept on disk.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    /// Its tree.
    pub tree: Tree,
    /// Its place in [`Indexed::INDEXES`].
    place: usize,
}

impl Index {
    /// The index of records `R` with these fields, in this tree.
    #[must_use]
    pub const fn new<R: Indexed>(tree: Tree, fields: &str) -> Self {
        let place = place(R::INDEXES, fields);
        Self { tree, place }
    }

    /// The tree of the index at this place of [`Indexed::INDEXES`].
    ///
    /// # Panics
    /// If it is none of these. The compiler reports that.
    #[must_use]
    pub const fn tree_of(kept: &[Self], place: usize) -> Tree {
        let mut at = 0;
        while at < kept.len() {
            if kept[at].place == place {
                return kept[at].tree;
            }
            at += 1;
        }
        panic!("a list needs an index that is not kept: name it in `KEPT` of its record, or write the handler by hand");
    }

    /// The tree of the index of records `R` with these fields.
    ///
    /// # Panics
    /// If there is none. The compiler reports that of a constant.
    #[must_use]
    pub const fn tree_with<S: Service, R: Record<S> + Indexed>(fields: &str) -> Tree {
        Self::tree_of(R::KEPT, place(R::INDEXES, fields))
    }

    /// An index whose rows only the service knows.
    #[must_use]
    pub const fn of_service(tree: Tree) -> Self {
        let place = usize::MAX;
        Self { tree, place }
    }
}

/// The change for the view when the record with a key is deleted.
pub type Deleted<K, C> = fn(K) -> Option<C>;

/// A value stored under an id.
///
/// A service `S` implements it for the records of its contract.
pub trait Record<S: Service>:
    Facts + Serialize + DeserializeOwned + for<'de> Stored<'de> + Clone + Send + Sync + 'static
{
    /// The tree of these records.
    const TREE: Tree;
    /// The noun for one.
    const NOUN: &'static str;
    /// Its indexes. No other kind of record has rows in them.
    const KEPT: &'static [Index] = &[];
    /// Whether it ends with its credential: a restore that ends all credentials leaves it out.
    const IS_OF_CREDENTIAL: bool = false;

    /// Whether servers of earlier versions, which share the log of commits, do not know the kind. No record is made as long as
    /// one of them runs.
    const IS_NEW: bool = false;

    /// The text for the record with this key.
    fn name(key: &Self::Key) -> String {
        format!("{} {}", Self::NOUN, key.text())
    }
    /// The index rows of the record in its present state.
    fn rows(&self) -> impl IntoIterator<Item = IndexEntry> {
        let row = |index: &Index| Some(IndexEntry::new(index.tree, self.row(index.place)?));
        Self::KEPT.iter().filter_map(row).collect::<Vec<_>>()
    }
    /// The key of the record to which a row of [`Self::KEPT`] belongs. `None` if no record can have this row.
    fn named_by(row: &IndexEntry) -> Option<Self::Key> {
        let index = Self::KEPT.iter().find(|index| index.tree == row.tree)?;
        Self::of_row(index.place, &row.key, &row.value)
    }
    /// Whether a backup reads the kind after all others: there are very many of it.
    const COMES_LAST: bool = false;
    /// The key of the record to which a row without a value belongs.
    ///
    /// # Errors
    /// If no record can have it.
    fn listed_by(index: Tree, row: Bytes) -> Result<Self::Key, String> {
        let value = Bytes::default();
        let row = IndexEntry {
            tree: index,
            key: row,
            value,
        };
        Self::named_by(&row).ok_or_else(|| format!("a row of {} is malformed", index.name()))
    }
    /// The change for the view when a record is deleted. `None`: none of the kind is.
    const DELETED: Option<Deleted<Self::Key, S::Change>> = None;

    /// The record with this key, as readers see it: from the view, or as it is stored.
    ///
    /// # Errors
    /// If it cannot be read.
    fn shown(trees: &Trees<S>, _: &RwLock<S::View>, key: Self::Key) -> StoreResult<Option<Arc<Self>>> {
        let value = trees.value(Self::TREE, &key.bytes())?;
        let record = value.map(|value| Self::decode(&value)).transpose();
        Ok(record.map_err(StoreError::damaged)?.map(Arc::new))
    }

    /// The change when this record is written.
    fn change(&self) -> Option<S::Change> {
        None
    }
    /// The same change, of a record that a start has read.
    fn loaded(self: Arc<Self>) -> Option<S::Change> {
        self.change()
    }
    /// Forgets credentials and their number.
    fn end_credentials(&mut self) {}

    /// The value.
    fn encode(&self) -> Vec<u8> {
        // Enough for most records, so that the vector is not reallocated.
        let mut value = Vec::with_capacity(1024);
        serde_json::to_writer(&mut value, self).expect("records have text keys and finite numbers");
        value
    }
    /// The record of a value.
    fn decode(value: &[u8]) -> Result<Self, Misread> {
        decode(value)
    }
}

/// Why a value cannot be read.
#[derive(Debug)]
pub enum Misread {
    /// It is not JSON, or incomplete.
    Broken(String),
    /// It is JSON, but does not fit the contract. It may have been written under another contract.
    Unfit(String),
}

impl fmt::Display for Misread {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Broken(cause) | Self::Unfit(cause)) = self;
        out.write_str(cause)
    }
}

/// Reads a JSON value.
pub fn decode<T: DeserializeOwned>(value: &[u8]) -> Result<T, Misread> {
    serde_json::from_slice(value).map_err(|error| match serde_json::from_slice::<IgnoredAny>(value) {
        Ok(_) => Misread::Unfit(misfit::<T>(value).unwrap_or_else(|| error.to_string())),
        Err(error) => Misread::Broken(error.to_string()),
    })
}

/// The error and the member that causes it. Reads the value a second time, since tracking members is slow.
fn misfit<T: DeserializeOwned>(value: &[u8]) -> Option<String> {
    let read: Result<T, _> = serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_slice(value));
    let error = read.err()?;
    let text = error.inner().to_string();
    let cause = text.split(" at line ").next().unwrap_or_default();
    Some(match error.path().iter().next() {
        Some(_) => format!("`{}`: {cause}", error.path()),
        None => cause.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only their form matters")]
    struct Worker {
        name: String,
        skills: Vec<Skill>,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only their form matters")]
    struct Skill {
        id: i64,
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_member() {
        let misread = |value: &str| {
            let read = decode::<Worker>(value.as_bytes());
            read.expect_err("it does not fit").to_string()
        };
        assert_eq!(misread(r#"{"skills":[]}"#), "missing field `name`");
        assert_eq!(
            misread(r#"{"name":"n","skills":[{"id":true}]}"#),
            "`skills[0].id`: invalid type: boolean `true`, expected i64"
        );
        assert!(decode::<Worker>(br#"{"name":"n","skills":[{"id":1}]}"#).is_ok());
        assert!(matches!(decode::<Worker>(b"{\"name\":"), Err(Misread::Broken(_))));
    }
}
