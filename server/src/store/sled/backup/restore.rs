//! Making a data directory from a backup.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use contract::support::{StoredOnce, Usage};
use contract::{Account, ApiKey, Application, Bounty, Conversation, Human, Message, NewSkill, Skill, Webhook};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use thiserror::Error;
use tokio::runtime::Runtime;

use super::lines::{AnswerLine, DeliveryLine, EventLine, FeedLine, StepLine, UsageLine};
use crate::store::backup::{BackupReadError, BackupReader, Entry, LAST_IDS, RestoreOptions};
use crate::store::rules::humans::named;
use crate::store::sled::feeds::{self, Span, StoredEvent};
use crate::store::sled::index::Indexed;
use crate::store::sled::record::{Misread, Record, decode};
use crate::store::sled::transaction::{Abort, TransactionError, Tx};
use crate::store::sled::{SledStore, answers, steps, unknown, usage, webhooks};
use crate::store::tables;
use crate::store::{Actor, Engine, StoreError};
use codegen_store::{Durability, OpenError, OpenFailure};

/// Why a backup cannot be restored.
#[derive(Debug, Error)]
pub enum RestoreError {
    /// It cannot be read.
    #[error("{0}")]
    Backup(#[from] BackupReadError),
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

/// How many records a restore writes in one transaction, and the bytes after which there are no more of them.
const BATCH: usize = 512;
const BATCH_BYTES: usize = 4 << 20;

impl SledStore {
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
        let records = Self::fill_new(
            path,
            || backup.next_entry().map_err(RestoreError::from),
            options,
            progress,
        )?;
        let runtime = runtime()?;
        // Verifies and syncs it.
        let store = Self::open(path, Durability::Synced)?;
        runtime.block_on(store.close())?;
        match store.is_new() {
            // Somebody has removed what was restored.
            true => Err(OpenFailure::NoStore(path.to_owned())
                .in_words_of(&tables::SCHEMA.program)
                .into()),
            false => Ok(records),
        }
    }

    /// Writes entries into the new data directory at `path`. They are not synced and not verified.
    pub(in crate::store) fn fill_new<E: From<RestoreError>>(
        path: &Path,
        next: impl FnMut() -> Result<Option<Entry>, E>,
        options: RestoreOptions,
        progress: impl Fn(u64),
    ) -> Result<u64, E> {
        // Not synced: a later start syncs everything, and before that nothing is acknowledged.
        let store = Self::open(path, Durability::Unsynced).map_err(RestoreError::from)?;
        store.fill(next, options, progress)
    }

    /// Writes entries, and closes the store.
    pub(in crate::store) fn fill<E: From<RestoreError>>(
        self,
        mut next: impl FnMut() -> Result<Option<Entry>, E>,
        options: RestoreOptions,
        progress: impl Fn(u64),
    ) -> Result<u64, E> {
        let store = self;
        let runtime = runtime().map_err(RestoreError::from)?;
        let enter = |batch: Vec<Entry>| {
            let restored = runtime.block_on(store.write(Actor::Operator, move |tx| {
                batch.iter().try_for_each(|entry| restore(tx, entry, options))
            }));
            restored?.map_err(|unfit: Unfit| RestoreError::Unfit(unfit.number, unfit.cause))
        };
        let mut records = 0;
        loop {
            let batch = next_batch(&mut next)?;
            let Some(last) = batch.last() else { break };
            records = last.number;
            enter(batch)?;
            progress(records);
        }
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

fn restore(tx: &mut Tx<'_>, entry: &Entry, options: RestoreOptions) -> Result<(), Abort<Unfit>> {
    let json = &*entry.record;
    let kind = tables::ORDER.into_iter().find(|tree| tree.name() == entry.kind);
    let keeps_credentials = options.keep_credentials;
    let restored = match kind {
        Some(tables::SKILLS) => skill(tx, json),
        Some(tables::ACCOUNTS) => changed(tx, json, |account: &mut Account| {
            if !keeps_credentials {
                account.webhooks = 0;
                account.active_keys = 0;
            }
        }),
        // Webhooks have a secret, too.
        Some(tables::KEYS | tables::WEBHOOKS | tables::DELIVERIES) if !keeps_credentials => Ok(()),
        Some(tables::KEYS) => changed(tx, json, |_: &mut ApiKey| {}),
        Some(tables::WEBHOOKS) => changed(tx, json, |_: &mut Webhook| {}),
        Some(tables::DELIVERIES) => deliveries(tx, json, options.id_gap),
        Some(tables::HUMANS) => changed(tx, json, |human: &mut Human| {
            if !keeps_credentials {
                human.token_digest = None;
            }
        }),
        Some(tables::BOUNTIES) => indexed::<Bounty>(tx, json),
        Some(tables::APPLICATIONS) => indexed::<Application>(tx, json),
        Some(tables::CONVERSATIONS) => indexed::<Conversation>(tx, json),
        Some(tables::MESSAGES) => changed(tx, json, |_: &mut Message| {}),
        Some(tables::FEEDS) => feed(tx, json, options.id_gap),
        Some(tables::EVENTS) => event(tx, json, (options.id_gap, 0)),
        Some(tables::ANSWERS) => answer(tx, json),
        Some(tables::STEPS) => step(tx, json),
        Some(tables::QUOTA_USAGE) => quota_usage(tx, json),
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

/// Why a line was not taken in.
pub(in crate::store::sled) enum Failed {
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

/// Writes a skill.
pub(in crate::store::sled) fn skill(tx: &mut Tx<'_>, json: &RawValue) -> Result<(), Failed> {
    let Skill { name, category, .. } = read(json)?;
    for skill in named(vec![NewSkill { name, category }]) {
        tx.write(tables::SKILLS, skill.key.bytes(), Some(json.get().as_bytes().into()));
    }
    Ok(())
}

/// All numbers of events are raised by `gap`, as new ids are; feeds that begin later begin after it. So a cursor from after
/// the backup is an old one: its page has `truncated`.
pub(in crate::store::sled) fn feed(tx: &mut Tx<'_>, json: &RawValue, gap: i64) -> Result<(), Failed> {
    let FeedLine { of, first, last } = read(json)?;
    let span = Span {
        first: first.saturating_add(gap),
        last: last.saturating_add(gap),
    };
    feeds::write_span(tx, of.into(), span);
    Ok(())
}

/// Writes an event, which keeps its id. It is shown once the commit of this number is on disk.
pub(in crate::store::sled) fn event(tx: &mut Tx<'_>, json: &RawValue, (gap, commit): (i64, u64)) -> Result<(), Failed> {
    let line: EventLine = read(json)?;
    let event = StoredEvent {
        // Without a gap it is stored as it was.
        id: line.id.or_else(|| (gap != 0).then(|| feeds::former_id(line.number))),
        commit,
        timestamp: line.timestamp,
        name: line.name,
        data: line.data,
    };
    feeds::write_event(tx, line.of.into(), line.number.saturating_add(gap), &event);
    Ok(())
}

/// Writes the state of the deliveries of a webhook.
pub(in crate::store::sled) fn deliveries(tx: &mut Tx<'_>, json: &RawValue, gap: i64) -> Result<(), Failed> {
    let DeliveryLine { webhook, mut state } = read(json)?;
    state.raise_numbers(gap);
    webhooks::put_state(tx, webhook, &state);
    Ok(())
}

/// Writes an answer.
pub(in crate::store::sled) fn answer(tx: &mut Tx<'_>, json: &RawValue) -> Result<(), Failed> {
    let line: AnswerLine = read(json)?;
    let (id, value) = line
        .decoded()
        .ok_or_else(|| Failed::Unfit("its id or its answer is malformed".to_owned()))?;
    let (now, expires) = (line.expires, line.expires);
    let stored = StoredOnce {
        id,
        value,
        now,
        expires,
    };
    Ok(answers::replace(tx, &stored)?)
}

/// Writes a step of a simulated worker.
pub(in crate::store::sled) fn step(tx: &mut Tx<'_>, json: &RawValue) -> Result<(), Failed> {
    let line: StepLine = read(json)?;
    steps::write(tx, &line.into());
    Ok(())
}

/// Writes what was counted towards a quota.
pub(in crate::store::sled) fn quota_usage(tx: &mut Tx<'_>, json: &RawValue) -> Result<(), Failed> {
    let line: UsageLine = read(json)?;
    let (period, count) = (line.period, line.count);
    usage::write(tx, (line.owner, &line.quota), Usage { period, count });
    Ok(())
}

fn last_ids(tx: &mut Tx<'_>, json: &RawValue, gap: i64) -> Result<(), Failed> {
    let last_ids: BTreeMap<String, i64> = read(json)?;
    for tree in tables::NUMBERED {
        let last = last_ids.get(tree.name()).copied().unwrap_or(0);
        tx.advance(tree, last.saturating_add(gap))?;
    }
    Ok(())
}
