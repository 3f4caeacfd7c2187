//! The answers that are stored for idempotency keys. Each has a row in the index of expiries, which is also a part of
//! its value. What is stored is opaque here.

use std::ops::Bound;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use codegen_store::Bytes;
use contract::Timestamp;
use contract::support::{AnswerId, StoredOnce};
use serde::{Deserialize, Serialize};

use super::error::{StoreError, StoreResult};
use super::kind::{Column, Failed, Kind, read, written};
use super::tables;
use super::transaction::{Abort, TransactionError, Tx};
use super::trees::Trees;

/// The first byte of a value.
const VERSION: u8 = 1;

/// How many expired answers each write with a key removes at most. More than one, so that they become fewer.
pub(crate) const FORGOTTEN_PER_WRITE: usize = 4;

/// What is stored for an idempotency key, as a backup holds it. The id is the digest of the caller and the key; it and the answer
/// are base64.
#[derive(Serialize, Deserialize)]
struct AnswerLine {
    id: String,
    expires: Timestamp,
    answer: String,
}

/// Their kind.
pub(crate) const ANSWERS: Kind = Kind {
    tree: tables::ANSWERS,
    noun: "stored answer",
    key: &[Column::Rest("id")],
    comes_last: false,
    is_numbered: false,
    line: |key, value| {
        let (expires, answer) = decode(value)?;
        let [id, answer] = [key, answer].map(|bytes| STANDARD.encode(bytes));
        written(&AnswerLine { id, expires, answer })
    },
    enter: |tx, json, _| {
        let AnswerLine { id, expires, answer } = read(json)?;
        let decoded = || {
            let id = STANDARD.decode(id).ok()?.try_into().ok()?;
            Some((id, STANDARD.decode(answer).ok()?))
        };
        let malformed = || Failed::Unfit("its id or its answer is malformed".to_owned());
        let ((id, value), now) = (decoded().ok_or_else(malformed)?, expires);
        let stored = StoredOnce {
            id,
            value,
            now,
            expires,
        };
        Ok(replace(tx, &stored)?)
    },
    remove: Some(|tx, _, id| remove_by_id(tx, id)),
};

/// The value of an answer.
fn encode(expires: Timestamp, answer: &[u8]) -> Vec<u8> {
    [&[VERSION][..], &expires.unix().to_be_bytes(), answer].concat()
}

/// When the answer of a value expires, and the answer. `None` if it is malformed.
pub(crate) fn decode(value: &[u8]) -> Option<(Timestamp, &[u8])> {
    let (expires, answer) = value.strip_prefix(&[VERSION])?.split_first_chunk::<8>()?;
    Some((Timestamp::from_unix(i64::from_be_bytes(*expires)), answer))
}

/// The row of an answer in the index of expiries.
pub(crate) fn row(expires: Timestamp, id: &[u8]) -> Vec<u8> {
    [&expires.unix().to_be_bytes(), id].concat()
}

/// The id in a row of the index. `None` if it is malformed.
pub(crate) fn id_of(row: &[u8]) -> Option<&[u8]> {
    row.get(8..).filter(|id| id.len() == size_of::<AnswerId>())
}

/// The answer with this id, unless it had expired at `now`.
pub(crate) fn find(trees: &Trees, id: AnswerId, now: Timestamp) -> StoreResult<Option<Vec<u8>>> {
    let Some(value) = trees.value(tables::ANSWERS, &id)? else {
        return Ok(None);
    };
    let (expires, answer) = decode(&value).ok_or_else(|| StoreError::damaged("a stored answer is malformed"))?;
    Ok((expires > now).then(|| answer.to_vec()))
}

/// The rows of answers that had expired at `now`, the earliest first, at most `most`.
pub(crate) fn expired(trees: &Trees, now: Timestamp, most: usize) -> Vec<Bytes> {
    let later = now.unix().saturating_add(1).to_be_bytes();
    let range = (Bound::Unbounded, Bound::Excluded(&later[..]));
    let rows = trees.engine().keys(tables::ANSWER_EXPIRY, range, most);
    rows.unwrap_or_default()
}

/// Stores an answer, in place of one that has expired. Aborts if there is one that has not: another process stored it.
pub(crate) fn store<D>(tx: &mut Tx<'_>, stored: &StoredOnce) -> Result<(), Abort<D>> {
    if let Some(former) = tx.read(tables::ANSWERS, &stored.id)? {
        let (expires, _) = decode(&former).ok_or_else(malformed)?;
        if expires > stored.now {
            return Err(Abort::Repeated);
        }
    }
    Ok(replace(tx, stored)?)
}

/// Writes an answer, in place of any other one.
pub(crate) fn replace(tx: &mut Tx<'_>, stored: &StoredOnce) -> Result<(), TransactionError> {
    remove_by_id(tx, &stored.id)?;
    tx.write(
        tables::ANSWER_EXPIRY,
        &row(stored.expires, &stored.id),
        Some(Bytes::default()),
    );
    let value = encode(stored.expires, &stored.value);
    tx.write(tables::ANSWERS, &stored.id, Some(value.into()));
    Ok(())
}

/// Removes the answers of these rows, unless others have taken their place.
pub(crate) fn forget<D>(tx: &mut Tx<'_>, rows: &[Bytes]) -> Result<(), Abort<D>> {
    for row in rows {
        if tx.read(tables::ANSWER_EXPIRY, row)?.is_some() {
            remove(tx, row, id_of(row).unwrap_or_default())?;
        }
    }
    Ok(())
}

/// Removes the answer with this id.
pub(crate) fn remove_by_id(tx: &mut Tx<'_>, id: &[u8]) -> Result<(), TransactionError> {
    let Some(former) = tx.read(tables::ANSWERS, id)? else {
        return Ok(());
    };
    let (expires, _) = decode(&former).ok_or_else(malformed)?;
    remove(tx, &row(expires, id), id)
}

fn malformed() -> TransactionError {
    TransactionError::Broken("a stored answer is malformed".to_owned())
}

fn remove(tx: &mut Tx<'_>, row: &[u8], id: &[u8]) -> Result<(), TransactionError> {
    tx.write(tables::ANSWER_EXPIRY, row, None);
    tx.write(tables::ANSWERS, id, None);
    Ok(())
}
