//! The answers that are stored for idempotency keys. Each has a row in the index of expiries, which is also a part of
//! its value. What is stored is opaque here.

use std::ops::Bound;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use codegen_support::{AnswerId, StoredOnce, Timestamp};
use serde::{Deserialize, Serialize};

use crate::engine::Bytes;
use crate::error::{StoreError, StoreResult};
use crate::kind::{Column, Failed, Kind, read, written};
use crate::service::Service;
use crate::transaction::{Abort, TransactionError, Tx};
use crate::trees::Trees;

/// The first byte of a value.
const VERSION: u8 = 1;

/// How many expired answers each write with a key removes at most. More than one, so that they become fewer.
pub const FORGOTTEN_PER_WRITE: usize = 4;

/// What is stored for an idempotency key, as a backup holds it. The id is the digest of the caller and the key; it and the answer
/// are base64.
#[derive(Serialize, Deserialize)]
struct AnswerLine {
    id: String,
    expires: Timestamp,
    answer: String,
}

/// Their kind.
#[must_use]
pub const fn kind<S: Service>() -> Kind<S> {
    Kind {
        tree: S::TREES.answers,
        noun: "stored answer",
        text: None,
        key: &[&[Column::Bytes("id")]],
        comes_last: false,
        is_numbered: false,
        line: |key, value| {
            let (expires, answer) = decode(value)?;
            let [id, answer] = [key, answer].map(|bytes| STANDARD.encode(bytes));
            written(&AnswerLine { id, expires, answer })
        },
        enter: |tx, _, json, _| {
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
    }
}

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
pub fn find<S: Service>(trees: &Trees<S>, id: AnswerId, now: Timestamp) -> StoreResult<Option<Vec<u8>>> {
    let Some(value) = trees.value(S::TREES.answers, &id)? else {
        return Ok(None);
    };
    let (expires, answer) = decode(&value).ok_or_else(|| StoreError::damaged("a stored answer is malformed"))?;
    Ok((expires > now).then(|| answer.to_vec()))
}

/// The rows of answers that had expired at `now`, the earliest first, at most `most`.
pub(crate) fn expired<S: Service>(trees: &Trees<S>, now: Timestamp, most: usize) -> Vec<Bytes> {
    let later = now.unix().saturating_add(1).to_be_bytes();
    let range = (Bound::Unbounded, Bound::Excluded(&later[..]));
    let rows = trees.engine().keys(S::TREES.answer_expiry, range, most);
    rows.unwrap_or_default()
}

/// Stores an answer, in place of one that has expired. Aborts if there is one that has not: another process stored it.
pub(crate) fn store<S: Service, D>(tx: &mut Tx<'_, S>, stored: &StoredOnce) -> Result<(), Abort<D>> {
    if let Some(former) = tx.read(S::TREES.answers, &stored.id)? {
        let (expires, _) = decode(&former).ok_or_else(malformed)?;
        if expires > stored.now {
            return Err(Abort::Repeated);
        }
    }
    Ok(replace(tx, stored)?)
}

/// Writes an answer, in place of any other one.
///
/// # Errors
/// If the former one is malformed.
pub fn replace<S: Service>(tx: &mut Tx<'_, S>, stored: &StoredOnce) -> Result<(), TransactionError> {
    remove_by_id(tx, &stored.id)?;
    tx.write(
        S::TREES.answer_expiry,
        &row(stored.expires, &stored.id),
        Some(Bytes::default()),
    );
    let value = encode(stored.expires, &stored.value);
    tx.write(S::TREES.answers, &stored.id, Some(value.into()));
    Ok(())
}

/// Removes the answers of these rows, unless others have taken their place.
pub(crate) fn forget<S: Service, D>(tx: &mut Tx<'_, S>, rows: &[Bytes]) -> Result<(), Abort<D>> {
    for row in rows {
        if tx.read(S::TREES.answer_expiry, row)?.is_some() {
            remove(tx, row, id_of(row).unwrap_or_default())?;
        }
    }
    Ok(())
}

/// Removes the answer with this id.
pub(crate) fn remove_by_id<S: Service>(tx: &mut Tx<'_, S>, id: &[u8]) -> Result<(), TransactionError> {
    let Some(former) = tx.read(S::TREES.answers, id)? else {
        return Ok(());
    };
    let (expires, _) = decode(&former).ok_or_else(malformed)?;
    remove(tx, &row(expires, id), id)
}

fn malformed() -> TransactionError {
    TransactionError::Broken("a stored answer is malformed".to_owned())
}

fn remove<S: Service>(tx: &mut Tx<'_, S>, row: &[u8], id: &[u8]) -> Result<(), TransactionError> {
    tx.write(S::TREES.answer_expiry, row, None);
    tx.write(S::TREES.answers, id, None);
    Ok(())
}
