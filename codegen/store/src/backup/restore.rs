//! Making a data directory from a backup.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use serde_json::value::RawValue;
use thiserror::Error;
use tokio::runtime::Runtime;

use super::format::{BackupReadError, BackupReader, Entry, LAST_IDS};
use crate::error::{StoreError, StoreResult};
use crate::hooks::{Hooks, kind_named, numbered_kinds};
use crate::kind::{Entered, Failed, RestoreOptions, read};
use crate::schema::Program;
use crate::sled::{Durability, OpenError, OpenFailure};
use crate::store::Store;
use crate::store::open::rejected;
use crate::transaction::{Abort, Tx};

/// Why a backup cannot be restored.
#[derive(Debug, Error)]
pub enum RestoreError {
    /// It cannot be read.
    #[error("{0}")]
    Backup(#[from] BackupReadError),
    /// This record does not fit the contract of this program.
    #[error(
        "record {number} does not fit the contract: {cause}; use the version of {} that wrote the backup, or correct {}",
        program.name,
        program.contract
    )]
    Unfit {
        /// Its place in the backup, from 1.
        number: u64,
        /// Why.
        cause: String,
        /// Whose backup it is.
        program: &'static Program,
    },
    /// The directory cannot be written.
    #[error("{0}")]
    Directory(#[from] OpenError),
    /// The store failed.
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// How many records a restore writes in one transaction, and the bytes after which there are no more of them.
const BATCH: usize = 512;
const BATCH_BYTES: usize = 4 << 20;

impl<S: Hooks> Store<S> {
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
        then: impl AsyncFnOnce(&Self) -> StoreResult<()>,
    ) -> Result<u64, RestoreError> {
        let records = Self::fill_new(
            path,
            || backup.next_entry().map_err(RestoreError::from),
            options,
            progress,
            then,
        )?;
        let runtime = runtime()?;
        // Verifies and syncs it.
        let store = Self::open(path, Durability::Synced)?;
        runtime.block_on(store.close())?;
        match store.is_new() {
            // Somebody has removed what was restored.
            true => Err(rejected::<S>(OpenFailure::NoStore(path.to_owned())).into()),
            false => Ok(records),
        }
    }

    /// Writes entries into the new data directory at `path`, and does `then`. They are not synced and not verified.
    pub fn fill_new<E: From<RestoreError>>(
        path: &Path,
        next: impl FnMut() -> Result<Option<Entry>, E>,
        options: RestoreOptions,
        progress: impl Fn(u64),
        then: impl AsyncFnOnce(&Self) -> StoreResult<()>,
    ) -> Result<u64, E> {
        // Not synced: a later start syncs everything, and before that nothing is acknowledged.
        let store = Self::open(path, Durability::Unsynced).map_err(RestoreError::from)?;
        store.fill(next, options, progress, then)
    }

    /// Writes entries, does `then`, and closes the store.
    pub fn fill<E: From<RestoreError>>(
        self,
        mut next: impl FnMut() -> Result<Option<Entry>, E>,
        options: RestoreOptions,
        progress: impl Fn(u64),
        then: impl AsyncFnOnce(&Self) -> StoreResult<()>,
    ) -> Result<u64, E> {
        let store = self;
        let runtime = runtime().map_err(RestoreError::from)?;
        let enter = |batch: Vec<Entry>| {
            let restored = runtime
                .block_on(store.write_itself(move |tx| batch.iter().try_for_each(|entry| restore(tx, entry, options))));
            restored?.map_err(|Unfit { number, cause }| RestoreError::Unfit {
                number,
                cause,
                program: &S::schema().program,
            })
        };
        let mut records = 0;
        loop {
            let batch = next_batch(&mut next)?;
            let Some(last) = batch.last() else { break };
            records = last.number;
            enter(batch)?;
            progress(records);
        }
        runtime.block_on(then(&store)).map_err(RestoreError::from)?;
        runtime.block_on(store.close()).map_err(RestoreError::from)?;
        Ok(records)
    }
}

fn runtime() -> Result<Runtime, StoreError> {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.map_err(StoreError::unwritable)
}

fn next_batch<E>(next: &mut impl FnMut() -> Result<Option<Entry>, E>) -> Result<Vec<Entry>, E> {
    let (mut batch, mut bytes) = (Vec::with_capacity(BATCH), 0);
    while batch.len() < BATCH
        && bytes < BATCH_BYTES
        && let Some(entry) = next()?
    {
        bytes += entry.record.get().len();
        batch.push(entry);
    }
    Ok(batch)
}

/// A record that does not fit the contract.
struct Unfit {
    number: u64,
    cause: String,
}

fn restore<S: Hooks>(tx: &mut Tx<'_, S>, entry: &Entry, options: RestoreOptions) -> Result<(), Abort<Unfit>> {
    let json = &*entry.record;
    let restored = match kind_named::<S>(&entry.kind) {
        Some(kind) => (kind.enter)(tx, kind.tree, json, Entered::Backup(options)),
        None if entry.kind == LAST_IDS => last_ids(tx, json, options.id_gap),
        None => Err(Failed::Unfit(format!("its kind `{}` is unknown", entry.kind))),
    };
    restored.map_err(|failed| match failed {
        Failed::Unfit(cause) => Abort::Rejected(Unfit {
            number: entry.number,
            cause: format!("`{}`: {cause}", entry.kind),
        }),
        Failed::Transaction(error) => Abort::Failed(error),
    })
}

fn last_ids<S: Hooks>(tx: &mut Tx<'_, S>, json: &RawValue, gap: i64) -> Result<(), Failed> {
    let last_ids: BTreeMap<String, i64> = read(json)?;
    for kind in numbered_kinds::<S>() {
        let last = last_ids.get(kind.tree.name()).copied().unwrap_or(0);
        tx.advance(kind.tree, last.saturating_add(gap))?;
    }
    Ok(())
}
