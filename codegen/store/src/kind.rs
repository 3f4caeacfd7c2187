//! What backups, a log of commits and messages need to know of a kind of what is stored.

use std::borrow::Cow;

pub use codegen_support::key::Column;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::findings::Hex;
use crate::name::Name;
use crate::record::{Misread, Record, decode};
use crate::service::Service;
use crate::transaction::{TransactionError, Tx};
use crate::tree::Tree;
use crate::unknown;

/// Makes a line of an entry's key and value.
type LineOf = for<'v> fn(&[u8], &'v [u8]) -> Option<Cow<'v, [u8]>>;

/// Removes the entry of a tree with a key.
type Remove<S> = fn(&mut Tx<'_, S>, Tree, &[u8]) -> Result<(), TransactionError>;

/// A kind of what is stored. All other trees follow from these.
pub struct Kind<S: Service> {
    /// Its tree.
    pub tree: Tree,
    /// The noun for one of it.
    pub noun: &'static str,
    /// The text for the entry under a key. `None`: its bytes.
    pub text: Option<fn(&[u8]) -> String>,
    /// What its keys consist of, one part after the other.
    pub key: &'static [&'static [Column]],
    /// Whether a backup reads it after all others: there are very many.
    pub comes_last: bool,
    /// Whether its last id is in a backup.
    pub is_numbered: bool,
    /// What a backup holds for an entry. `None` if the entry is malformed.
    pub line: LineOf,
    /// Takes in what a backup or a log of commits holds.
    pub enter: fn(&mut Tx<'_, S>, Tree, &RawValue, Entered) -> Result<(), Failed>,
    /// Takes in that another process has removed the entry with this key. `None`: it never goes.
    pub remove: Option<Remove<S>>,
}

/// What a restore changes.
#[derive(Clone, Copy, Debug)]
pub struct RestoreOptions {
    /// Whether credentials stay valid. Otherwise all end: some may have ended since the backup.
    pub keep_credentials: bool,
    /// How many ids of each kind are left out, since ids may have been assigned after the backup.
    pub id_gap: i64,
}

/// From where an entry comes.
#[derive(Clone, Copy)]
pub enum Entered {
    /// A backup. The view does not receive it.
    Backup(RestoreOptions),
    /// Another process.
    Log,
}

impl Entered {
    /// By how much numbers of events are raised.
    pub fn gap(self) -> i64 {
        match self {
            Self::Backup(options) => options.id_gap,
            Self::Log => 0,
        }
    }

    /// Whether credentials stay, and what ends with them.
    pub fn keeps_credentials(self) -> bool {
        match self {
            Self::Backup(options) => options.keep_credentials,
            Self::Log => true,
        }
    }
}

impl<S: Service> Clone for Kind<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Service> Copy for Kind<S> {}

impl<S: Service> Kind<S> {
    /// Records with ids of their own.
    pub const fn records<R: Record<S>>() -> Self {
        Self {
            tree: R::TREE,
            noun: R::NOUN,
            text: Some(|key| Name::at::<S, R>(key).to_string()),
            key: const { &[R::COLUMNS] },
            comes_last: R::COMES_LAST,
            is_numbered: true,
            line: |_, value| Some(Cow::Borrowed(value)),
            enter: enter_record::<S, R>,
            remove: Some(remove_record::<S, R>),
        }
    }

    /// The text for the entry under a key.
    #[must_use]
    pub fn name(&self, key: &[u8]) -> String {
        self.text
            .map_or_else(|| format!("{} {}", self.noun, Hex(key)), |text| text(key))
    }

    /// What a backup or a log of commits holds for an entry. `None` if the entry is malformed.
    pub fn line_of<'v>(&self, key: &[u8], value: &'v [u8]) -> Option<Cow<'v, [u8]>> {
        (self.line)(key, value)
    }
}

fn enter_record<S: Service, R: Record<S>>(
    tx: &mut Tx<'_, S>,
    _: Tree,
    json: &RawValue,
    from: Entered,
) -> Result<(), Failed> {
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
    let value = unknown::kept::<R>(text, record.encode()).map_err(|error| Failed::Unfit(error.to_string()))?;
    Ok(tx.restore(&record, value)?)
}

/// Removes an entry from which nothing else follows.
pub fn remove_entry<S: Service>(tx: &mut Tx<'_, S>, tree: Tree, key: &[u8]) -> Result<(), TransactionError> {
    tx.write(tree, key, None);
    Ok(())
}

/// Removes a record.
fn remove_record<S: Service, R: Record<S>>(tx: &mut Tx<'_, S>, _: Tree, key: &[u8]) -> Result<(), TransactionError> {
    let record: R = tx.existing_at(key)?;
    tx.delete(&record)
}

/// The line of something that is no record.
pub fn written<'v>(line: &impl Serialize) -> Option<Cow<'v, [u8]>> {
    serde_json::to_vec(line).ok().map(Cow::Owned)
}

/// Reads such a line.
pub fn read<T: DeserializeOwned>(json: &RawValue) -> Result<T, Misread> {
    decode(json.get().as_bytes())
}

/// Why a line was not taken in.
pub enum Failed {
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
