//! What backups, a log of commits and messages need to know of a kind of what is stored.

use std::borrow::Cow;

use codegen_store::Tree;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::backup::format::RestoreOptions;
use super::record::{Misread, Record, decode};
use super::transaction::{TransactionError, Tx};
use super::unknown;

/// Makes a line of an entry's key and value.
type LineOf = for<'v> fn(&[u8], &'v [u8]) -> Option<Cow<'v, [u8]>>;

/// Removes the entry of a tree with a key.
type Remove = fn(&mut Tx<'_>, Tree, &[u8]) -> Result<(), TransactionError>;

/// A kind of what is stored. All other trees follow from these.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    /// Its tree.
    pub(crate) tree: Tree,
    /// The noun for one of it.
    pub(crate) noun: &'static str,
    /// What its keys consist of.
    #[cfg_attr(not(feature = "postgres"), allow(dead_code, reason = "only PostgreSQL has columns"))]
    pub(crate) key: &'static [Column],
    /// Whether a backup reads it after all others: there are very many.
    pub(crate) comes_last: bool,
    /// Whether its last id is in a backup.
    pub(crate) is_numbered: bool,
    /// What a backup holds for an entry. `None` if the entry is malformed.
    pub(crate) line: LineOf,
    /// Takes in what a backup or a log of commits holds.
    pub(crate) enter: fn(&mut Tx<'_>, &RawValue, Entered) -> Result<(), Failed>,
    /// Takes in that another process has removed the entry with this key. `None`: it never goes.
    pub(crate) remove: Option<Remove>,
}

/// A part of a key, by the name of its column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Column {
    /// An id or a number: eight bytes of the key.
    Number(&'static str),
    /// A small number: one byte of the key.
    Small(&'static str),
    /// The rest of the key.
    Rest(&'static str),
}

/// The key of a record with an id of its own.
const ID: &[Column] = &[Column::Number("id")];

/// From where an entry comes.
#[derive(Clone, Copy)]
pub(crate) enum Entered {
    /// A backup. The mirror does not receive it.
    Backup(RestoreOptions),
    /// Another process.
    Log,
}

impl Entered {
    /// By how much numbers of events are raised.
    pub(crate) fn gap(self) -> i64 {
        match self {
            Self::Backup(options) => options.id_gap,
            Self::Log => 0,
        }
    }

    /// Whether credentials stay, and what ends with them.
    pub(crate) fn keeps_credentials(self) -> bool {
        match self {
            Self::Backup(options) => options.keep_credentials,
            Self::Log => true,
        }
    }
}

impl Kind {
    /// Records with ids of their own.
    pub(crate) const fn records<R: Record>(noun: &'static str) -> Self {
        Self {
            tree: R::TREE,
            noun,
            key: ID,
            comes_last: R::COMES_LAST,
            is_numbered: true,
            line: |_, value| Some(Cow::Borrowed(value)),
            enter: enter_record::<R>,
            remove: Some(remove_record::<R>),
        }
    }

    /// The same, with other keys.
    pub(crate) const fn with_key(self, key: &'static [Column]) -> Self {
        Self { key, ..self }
    }

    /// What a backup or a log of commits holds for an entry. `None` if the entry is malformed.
    pub(crate) fn line_of<'v>(&self, key: &[u8], value: &'v [u8]) -> Option<Cow<'v, [u8]>> {
        (self.line)(key, value)
    }
}

fn enter_record<R: Record>(tx: &mut Tx<'_>, json: &RawValue, from: Entered) -> Result<(), Failed> {
    let text = json.get().as_bytes();
    let Entered::Backup(options) = from else {
        return Ok(tx.replay(&decode::<R>(text)?, text)?);
    };
    if R::IS_OF_CREDENTIAL && !options.keep_credentials {
        return Ok(());
    }
    let mut record: R = decode(text)?;
    if !options.keep_credentials {
        record.end_credentials();
    }
    let value = unknown::kept(text, record.encode()).map_err(|error| Failed::Unfit(error.to_string()))?;
    Ok(tx.restore(&record, value)?)
}

/// Removes an entry from which nothing else follows.
pub(crate) fn remove_entry(tx: &mut Tx<'_>, tree: Tree, key: &[u8]) -> Result<(), TransactionError> {
    tx.write(tree, key, None);
    Ok(())
}

/// Removes a record.
fn remove_record<R: Record>(tx: &mut Tx<'_>, _: Tree, key: &[u8]) -> Result<(), TransactionError> {
    let record: R = tx.existing_at(key)?;
    tx.delete(&record)
}

/// The line of something that is no record.
pub(crate) fn written<'v>(line: &impl Serialize) -> Option<Cow<'v, [u8]>> {
    serde_json::to_vec(line).ok().map(Cow::Owned)
}

/// Reads such a line.
pub(crate) fn read<T: DeserializeOwned>(json: &RawValue) -> Result<T, Misread> {
    decode(json.get().as_bytes())
}

/// Why a line was not taken in.
pub(crate) enum Failed {
    /// It does not fit the contract.
    Unfit(String),
    /// The store failed.
    Transaction(TransactionError),
}

impl From<Misread> for Failed {
    fn from(misread: Misread) -> Self {
        Self::Unfit(misread.to_string())
    }
}

impl From<TransactionError> for Failed {
    fn from(error: TransactionError) -> Self {
        Self::Transaction(error)
    }
}
