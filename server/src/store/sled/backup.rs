//! Backups without a server: writing all records of a data directory into a backup, and a backup into a new directory.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::Path;

use contract::{Account, ApiKey, Application, Bounty, Conversation, Human, Message, NewSkill, Skill};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use thiserror::Error;

use super::index::Indexed;
use super::record::{Misread, Record, decode};
use super::start::{self, OpenError};
use super::transaction::{Abort, TransactionError, Tx, count_name, last_id_name};
use super::trees::{Tree, Trees};
use super::{Durability, SledStore, keys, unknown};
use crate::store::backup::{BackupError, BackupReader, BackupWriter, Entry, RestoreOptions};
use crate::store::rules::humans::named;
use crate::store::{Actor, Engine, StoreError};

/// The trees whose values are in a backup. Everything else but webhooks follows from them.
const KINDS: [Tree; 8] = [
    Tree::Skills,
    Tree::Accounts,
    Tree::Keys,
    Tree::Humans,
    Tree::Bounties,
    Tree::Applications,
    Tree::Conversations,
    Tree::Messages,
];

/// The trees whose last ids are in a backup. Webhooks are not, because their secrets are stored as they are.
fn numbered() -> impl Iterator<Item = Tree> {
    KINDS.into_iter().chain([Tree::Webhooks])
}

/// The kind of the last assigned ids: an object with a number for each kind.
const LAST_IDS: &str = "last_ids";

/// Why a backup cannot be restored.
#[derive(Debug, Error)]
pub enum RestoreError {
    /// It cannot be read.
    #[error("{0}")]
    Backup(#[from] BackupError),
    /// This record does not fit the contract of this program.
    #[error(
        "record {0} does not fit the contract: {1}; use the version of hitode that wrote the backup, or correct api.yaml"
    )]
    Unfit(u64, String),
    /// The directory cannot be written.
    #[error("{0}")]
    Directory(#[from] OpenError),
    /// The store failed.
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// How many records a restore writes in one transaction.
const BATCH: usize = 512;

impl SledStore {
    /// Writes all records of the data directory at `path` into a backup. The directory must exist, and no server
    /// may use it. It stays as after [`Self::check`]. Blocks. `progress` receives the number of records so far and of all.
    ///
    /// # Errors
    /// If the directory is damaged or cannot be used. The inner error is that of the output.
    pub fn back_up<W: Write>(
        path: &Path,
        out: BackupWriter<W>,
        progress: impl Fn(u64, u64),
    ) -> Result<io::Result<BackupWriter<W>>, OpenError> {
        start::inspect(path, |trees, _, _| {
            let failed = |error| OpenError::of_sled(path, error);
            write_all(trees, out, progress).map_err(failed)
        })
    }

    /// Writes a backup into the new data directory at `path`, which must not exist or be empty. Blocks.
    ///
    /// # Errors
    /// If the backup cannot be read or does not fit the contract, or the directory cannot be written. The directory is
    /// then incomplete and must be removed.
    pub fn restore<R: Read>(
        path: &Path,
        backup: &mut BackupReader<R>,
        options: RestoreOptions,
        progress: impl Fn(u64),
    ) -> Result<u64, RestoreError> {
        // Not synced: the start below syncs everything, and before that nothing is acknowledged.
        let store = Self::open(path, Durability::Unsynced)?;
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.map_err(|error| OpenError::io(path, error))?;
        let mut records = 0;
        loop {
            let batch = next_batch(backup)?;
            let Some(last) = batch.last() else { break };
            records = last.number;
            let restored = runtime.block_on(store.write(Actor::Operator, move |tx| {
                batch.iter().try_for_each(|entry| restore(tx, entry, options))
            }));
            restored?.map_err(|unfit: Unfit| RestoreError::Unfit(unfit.number, unfit.cause))?;
            progress(records);
        }
        runtime.block_on(store.close())?;
        drop(store);
        // Verifies and syncs it.
        runtime.block_on(Self::open(path, Durability::Synced)?.close())?;
        Ok(records)
    }
}

fn next_batch<R: Read>(backup: &mut BackupReader<R>) -> Result<Vec<Entry>, RestoreError> {
    let mut batch = Vec::with_capacity(BATCH);
    while batch.len() < BATCH
        && let Some(entry) = backup.next_entry()?
    {
        batch.push(entry);
    }
    Ok(batch)
}

fn write_all<W: Write>(
    trees: &Trees,
    mut out: BackupWriter<W>,
    progress: impl Fn(u64, u64),
) -> sled::Result<io::Result<BackupWriter<W>>> {
    let mut all = 0;
    for tree in KINDS {
        all += number(trees, &count_name(tree))?.unsigned_abs();
    }
    for tree in KINDS {
        for entry in trees.entries_of(tree) {
            let (_, value) = entry?;
            let written = match trees.whole(&value)? {
                Some(value) => out.record(tree.name(), &value),
                // The directory was verified before.
                None => Err(io::Error::other("a piece of a value is missing")),
            };
            if let Err(error) = written {
                return Ok(Err(error));
            }
            if out.lines().is_multiple_of(1_000) {
                progress(out.lines(), all);
            }
        }
    }
    let mut last_ids = serde_json::Map::new();
    for tree in numbered() {
        let last = number(trees, &last_id_name(tree))?;
        last_ids.insert(tree.name().to_owned(), last.into());
    }
    let last_ids = serde_json::Value::Object(last_ids).to_string();
    Ok(out.record(LAST_IDS, last_ids.as_bytes()).map(|()| out))
}

/// A number of the tree `meta`; 0 if it was never set.
fn number(trees: &Trees, name: &str) -> sled::Result<i64> {
    let value = trees.value(Tree::Meta, name.as_bytes())?;
    Ok(value.and_then(|value| keys::number(&value)).unwrap_or(0))
}

/// A record that does not fit the contract.
struct Unfit {
    number: u64,
    cause: String,
}

fn restore(tx: &mut Tx<'_>, entry: &Entry, options: RestoreOptions) -> Result<(), Abort<Unfit>> {
    let json = &*entry.record;
    let kind = KINDS.into_iter().find(|tree| tree.name() == entry.kind);
    let restored = match kind {
        Some(Tree::Skills) => skill(tx, json),
        Some(Tree::Accounts) => changed(tx, json, |account: &mut Account| {
            account.webhooks = 0;
            if !options.keep_credentials {
                account.active_keys = 0;
            }
        }),
        Some(Tree::Keys) if !options.keep_credentials => Ok(()),
        Some(Tree::Keys) => changed(tx, json, |_: &mut ApiKey| {}),
        Some(Tree::Humans) => changed(tx, json, |human: &mut Human| {
            if !options.keep_credentials {
                human.token_digest = None;
            }
        }),
        Some(Tree::Bounties) => indexed::<Bounty>(tx, json),
        Some(Tree::Applications) => indexed::<Application>(tx, json),
        Some(Tree::Conversations) => indexed::<Conversation>(tx, json),
        Some(Tree::Messages) => changed(tx, json, |_: &mut Message| {}),
        _ if entry.kind == LAST_IDS => last_ids(tx, json, options.id_gap),
        _ => Err(Failed::Unfit(format!("its kind `{}` is unknown", entry.kind))),
    };
    restored.map_err(|failed| match failed {
        Failed::Unfit(cause) => Abort::Rejected(Unfit {
            number: entry.number,
            cause: format!("`{}`: {cause}", entry.kind),
        }),
        Failed::Transaction(error) => Abort::Failed(error),
    })
}

enum Failed {
    Unfit(String),
    Transaction(TransactionError),
}

impl From<Misread> for Failed {
    fn from(misread: Misread) -> Self {
        Self::Unfit(misread.to_string())
    }
}

impl<E: Into<TransactionError>> From<E> for Failed {
    fn from(error: E) -> Self {
        Self::Transaction(error.into())
    }
}

fn read<T: DeserializeOwned>(json: &RawValue) -> Result<T, Misread> {
    decode(json.get().as_bytes())
}

/// The value of a record, with the members of `json` that the contract does not know.
fn value_of<R: Record>(json: &RawValue, record: &R) -> Result<Vec<u8>, Failed> {
    unknown::kept(json.get().as_bytes(), record.encode()).map_err(|error| Failed::Unfit(error.to_string()))
}

fn changed<R: Record>(tx: &mut Tx<'_>, json: &RawValue, change: impl Fn(&mut R)) -> Result<(), Failed> {
    let mut record: R = read(json)?;
    change(&mut record);
    Ok(tx.restore(&record, value_of(json, &record)?)?)
}

fn indexed<R: Indexed>(tx: &mut Tx<'_>, json: &RawValue) -> Result<(), Failed> {
    let record: R = read(json)?;
    Ok(tx.restore_indexed(&record, value_of(json, &record)?)?)
}

fn skill(tx: &mut Tx<'_>, json: &RawValue) -> Result<(), Failed> {
    let Skill { name, category, .. } = read(json)?;
    for skill in named(vec![NewSkill { name, category }]) {
        tx.write(Tree::Skills, skill.key.bytes(), Some(json.get().as_bytes().into()));
    }
    Ok(())
}

fn last_ids(tx: &mut Tx<'_>, json: &RawValue, gap: i64) -> Result<(), Failed> {
    let last_ids: BTreeMap<String, i64> = read(json)?;
    for tree in numbered() {
        let last = last_ids.get(tree.name()).copied().unwrap_or(0);
        tx.advance(tree, last.saturating_add(gap))?;
    }
    Ok(())
}
