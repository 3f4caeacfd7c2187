//! What requests have counted towards quotas with periods: a number for each owner and quota.

use std::convert::Infallible;

use codegen_support::{Amount, Key, OverQuota, QuotaUse, Timestamp, Usage};
use serde::{Deserialize, Serialize};

use crate::engine::Bytes;
use crate::error::StoreResult;
use crate::kind::{Column, Kind, read, written};
use crate::service::Service;
use crate::sled::number;
use crate::transaction::{Abort, Decided, TransactionError, Tx};
use crate::trees::Trees;

/// What was counted towards a quota with periods, as a backup holds it.
#[derive(Serialize, Deserialize)]
struct UsageLine<O> {
    owner: O,
    quota: String,
    period: i64,
    count: i64,
}

/// Their kind.
#[must_use]
pub const fn kind<S: Service>() -> Kind<S> {
    Kind {
        tree: S::TREES.quota_usage,
        noun: "use of a quota",
        text: None,
        key: const { &[S::QUOTA_OWNER, &[Column::Bytes("quota")]] },
        comes_last: false,
        is_numbered: false,
        line: |key, value| {
            let ((owner, quota), Usage { period, count }) = (owner_of::<S>(key)?, usage_of(value)?);
            let quota = quota.to_owned();
            written(&UsageLine {
                owner,
                quota,
                period,
                count,
            })
        },
        enter: |tx, _, json, _| {
            let UsageLine::<S::QuotaOwner> {
                owner,
                quota,
                period,
                count,
            } = read(json)?;
            write(tx, &key_of(&owner.bytes(), &quota), Usage { period, count });
            Ok(())
        },
        remove: None,
    }
}

/// The key: the owner, then the name of the quota.
fn key_of(owner: &[u8], quota: &str) -> Vec<u8> {
    [owner, quota.as_bytes()].concat()
}

/// The owner and the name of the quota. `None` if the key is malformed.
pub(crate) fn owner_of<S: Service>(key: &[u8]) -> Option<(S::QuotaOwner, &str)> {
    let (owner, quota) = Key::split(key)?;
    Some((owner, std::str::from_utf8(quota).ok()?))
}

/// What was counted. `None` if the value is malformed.
pub(crate) fn usage_of(value: &[u8]) -> Option<Usage> {
    let (period, count) = value.split_first_chunk::<8>()?;
    let (period, count) = (i64::from_be_bytes(*period), number(count)?);
    Some(Usage { period, count })
}

/// Writes what was counted under a key.
fn write<S: Service>(tx: &mut Tx<'_, S>, key: &[u8], usage: Usage) {
    let value = [usage.period.to_be_bytes(), usage.count.to_be_bytes()].concat();
    tx.write(S::TREES.quota_usage, key, Some(Bytes::from(value)));
}

/// Counts what the author's write counts by itself or, with the number of `new` items, by them. Rejects it if it would
/// exceed a quota. Nothing is counted as long as a server runs that cannot read it in the log.
pub fn count<S: Service, D>(tx: &mut Tx<'_, S>, new: Option<i64>) -> Decided<(), D> {
    count_uses(tx, new).map_err(|abort| abort.map(|never| match never {}))
}

fn count_uses<S: Service>(tx: &mut Tx<'_, S>, new: Option<i64>) -> Decided<(), Infallible> {
    let Some(by) = tx.author().filter(|_| tx.has_latest_layout()).cloned() else {
        return Ok(());
    };
    for (QuotaUse { quota, owner, .. }, amount) in by.counted(new) {
        let key = key_of(owner, quota.name);
        let former = tx.read(S::TREES.quota_usage, &key)?;
        let former = former.and_then(|value| usage_of(&value));
        if let Some(counted) = quota.count(former, amount, by.now.unix()) {
            write(tx, &key, counted.map_err(Abort::OverQuota)?);
        }
    }
    Ok(())
}

/// Whether all this could be counted now. What is counted later may exceed a quota nevertheless.
///
/// # Errors
/// If the store cannot be read. The inner error is the first quota that would be exceeded.
pub(crate) fn check<S: Service>(
    trees: &Trees<S>,
    uses: &[QuotaUse],
    now: Timestamp,
) -> StoreResult<Result<(), OverQuota>> {
    for QuotaUse { quota, owner, amount } in uses {
        let Amount::Of(amount) = *amount else { continue };
        let former = trees.value(S::TREES.quota_usage, &key_of(owner, quota.name))?;
        let former = former.and_then(|value| usage_of(&value));
        if let Some(Err(over)) = quota.count(former, amount, now.unix()) {
            return Ok(Err(over));
        }
    }
    Ok(Ok(()))
}

/// Takes back what was counted for an owner towards a quota whose period has no end.
pub fn take_back<S: Service>(
    tx: &mut Tx<'_, S>,
    (owner, quota): (&[u8], &str),
    count: i64,
) -> Result<(), TransactionError> {
    let key = key_of(owner, quota);
    let former = tx.read(S::TREES.quota_usage, &key)?;
    if let Some(Usage { period, count: former }) = former.and_then(|value| usage_of(&value)) {
        let count = (former - count).max(0);
        write(tx, &key, Usage { period, count });
    }
    Ok(())
}

/// Rejects a write that makes one more record, of which there are `present` by now, if it would exceed the quota.
pub fn hold<S: Service, D>(tx: &Tx<'_, S>, present: i64) -> Decided<(), D> {
    let held = tx.author().map_or(Ok(()), |by| by.over(present));
    held.map_err(Abort::OverQuota)
}
