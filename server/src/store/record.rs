//! Records as values: JSON with the contract's field names. The text names its own fields, so a record of an older
//! contract still loads.

use std::fmt;
use std::sync::Arc;

use codegen_store::{Bytes, Tree};
use contract::Skill;
use contract::support::Stored;
use contract::support::derived::Facts;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::keys::Id;
use super::mirror::Change;

/// One entry of an index: a tree that repeats facts of records in another order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct IndexEntry {
    /// Which index.
    pub(crate) tree: Tree,
    /// The key in the index.
    pub(crate) key: Bytes,
    /// Empty if the key is enough.
    pub(crate) value: Bytes,
}

impl IndexEntry {
    /// One whose key is enough.
    pub(crate) fn of_key(tree: Tree, key: &[u8]) -> Self {
        let (key, value) = (key.into(), Bytes::default());
        Self { tree, key, value }
    }
}

/// A value stored under an id.
pub(crate) trait Record: Facts + Serialize + DeserializeOwned + for<'de> Stored<'de> + Clone + 'static {
    /// The tree of these records.
    const TREE: Tree;
    /// The id of a record.
    type Id: Copy;
    /// The last part of the id, which is numbered consecutively.
    type Counter: Id;

    /// The id of this one.
    fn id(&self) -> Self::Id;
    /// The key of an id.
    fn key(id: Self::Id) -> impl AsRef<[u8]>;
    /// Its indexes. No other kind of record has rows in them.
    const INDEXES: &'static [Tree] = &[];
    /// Whether it ends with its credential: a restore that ends all credentials leaves it out.
    const IS_OF_CREDENTIAL: bool = false;

    /// The index rows of the record in its present state.
    fn rows(&self) -> impl IntoIterator<Item = IndexEntry> {
        []
    }
    /// The record to which a row of [`Self::INDEXES`] belongs. `None` if no record can have this row.
    fn named_by(_row: &IndexEntry) -> Option<Self::Id> {
        None
    }
    /// The change for the mirror when this record is written.
    fn change(&self) -> Option<Change> {
        None
    }
    /// The same change, of a record that a start has read.
    fn loaded(self: Arc<Self>) -> Option<Change> {
        self.change()
    }
    /// The entries of the dictionary of skills that it has.
    fn skills(&self) -> &[Skill] {
        &[]
    }
    /// The change for the mirror when the record with this id is deleted. `None`: no record of the kind is.
    const DELETED: Option<fn(Self::Id) -> Change> = None;
    /// Whether a backup reads the kind after all others: there are very many of it.
    const COMES_LAST: bool = false;
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
pub(crate) enum Misread {
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
pub(crate) fn decode<T: DeserializeOwned>(value: &[u8]) -> Result<T, Misread> {
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
    use contract::Human;

    use super::*;

    #[test]
    fn what_does_not_fit_is_named_with_its_member() {
        let misread = |value: &str| {
            decode::<Human>(value.as_bytes())
                .expect_err("it does not fit")
                .to_string()
        };
        let human = |skills: &str| {
            format!(
                r#"{{"id":1,"name":"n","headline":"h","bio":"","city":"c","state":"s","gender":"female","hourly_rate":1,"skills":{skills}}}"#
            )
        };
        assert_eq!(misread(r#"{"id":1}"#), "missing field `name`");
        assert_eq!(
            misread(&human("[{\"id\":true}]")),
            "`skills[0].id`: invalid type: boolean `true`, expected i64"
        );
        assert!(decode::<Human>(human("[]").as_bytes()).is_ok());
        assert!(matches!(decode::<Human>(b"{\"id\":"), Err(Misread::Broken(_))));
    }
}
