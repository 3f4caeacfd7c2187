//! The steps of simulated workers: a tree in the order in which they are due.

use codegen_store::kind::{Column, read as read_line, remove_entry, written};
use codegen_store::{Bytes, Entry, StoreError, StoreResult, TransactionError, number};
use contract::AccountId;
use contract::support::Key;
use serde::{Deserialize, Serialize};

use super::market::{Kind, Trees, Tx};
use super::mirror::Change;
use super::tables;

/// A step that a simulated worker will take for an account in the sandbox.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewStep {
    /// When it is due, in milliseconds since the beginning of 1970, UTC.
    pub(crate) due: u64,
    /// The account.
    pub(crate) account: AccountId,
    /// The id of the bounty or the conversation. A write that creates it sets it.
    pub(crate) about: i64,
    /// What is to be done, in a form that only the simulation reads.
    pub(crate) step: String,
}

impl NewStep {
    /// The same steps about a record that was just created.
    pub(crate) fn all_about(steps: &[Self], about: i64) -> Vec<Self> {
        let of = |step: &Self| Self { about, ..step.clone() };
        steps.iter().map(of).collect()
    }
}

/// A stored step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DueStep {
    /// Its key.
    pub(crate) key: StepKey,
    /// The id of the bounty or the conversation.
    pub(crate) about: i64,
    /// What is to be done.
    pub(crate) step: String,
}

/// The key of a step. Steps are ordered by it: by time, then by account, then as they were stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct StepKey {
    /// When it is due.
    pub(crate) due: u64,
    /// The account.
    pub(crate) account: AccountId,
    /// A number that no other step has.
    pub(crate) serial: i64,
}

/// The steps that are due, the earliest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct DueSteps {
    /// The steps.
    pub(crate) due: Vec<DueStep>,
    /// When the next step after these is due.
    pub(crate) next: Option<u64>,
}

/// A step of a simulated worker, as a backup holds it.
#[derive(Serialize, Deserialize)]
struct StepLine {
    due: u64,
    account: i64,
    serial: i64,
    about: i64,
    step: String,
}

/// Their kind.
pub(crate) const STEPS: Kind = Kind {
    tree: tables::STEPS,
    noun: "step",
    text: None,
    key: &[&[
        Column::Number("due"),
        Column::Number("account_id"),
        Column::Number("serial"),
    ]],
    comes_last: false,
    is_numbered: true,
    line: |key, value| {
        let DueStep { key, about, step } = step_of(key, value)?;
        written(&StepLine {
            due: key.due,
            account: key.account.get(),
            serial: key.serial,
            about,
            step,
        })
    },
    enter: |tx, _, json, _| {
        let StepLine {
            due,
            account,
            serial,
            about,
            step,
        } = read_line(json)?;
        let account = AccountId::new(account);
        let key = StepKey { due, account, serial };
        write(tx, &DueStep { key, about, step });
        Ok(())
    },
    remove: Some(remove_entry),
};

/// The key on disk. Times are far below the greatest `i64`.
fn key_of(key: StepKey) -> [u8; 24] {
    let mut bytes = [0; 24];
    bytes[..8].copy_from_slice(&key.due.to_be_bytes());
    bytes[8..16].copy_from_slice(&key.account.bytes());
    bytes[16..].copy_from_slice(&key.serial.to_be_bytes());
    bytes
}

/// The step in an entry. `None` if the entry is malformed.
pub(crate) fn step_of(key: &[u8], value: &[u8]) -> Option<DueStep> {
    let bytes: &[u8; 24] = key.try_into().ok()?;
    let due = u64::from_be_bytes(*bytes.first_chunk()?);
    let account = AccountId::new(number(&bytes[8..16])?);
    let serial = number(&bytes[16..])?;
    let key = StepKey { due, account, serial };
    let (about, step) = value.split_first_chunk::<8>()?;
    let step = String::from_utf8(step.to_vec()).ok()?;
    let about = i64::from_be_bytes(*about);
    Some(DueStep { key, about, step })
}

fn read(entry: StoreResult<Entry>) -> StoreResult<DueStep> {
    let (key, value) = entry?;
    step_of(&key, &value).ok_or_else(|| StoreError::damaged("a step that cannot be read"))
}

/// The first steps, as far as they are due.
pub(crate) fn due(trees: &Trees, at: u64, most: usize) -> StoreResult<DueSteps> {
    let mut found = DueSteps::default();
    for entry in trees.first_entries(tables::STEPS, 4) {
        let step = read(entry)?;
        if step.key.due > at || found.due.len() == most {
            found.next = Some(step.key.due);
            break;
        }
        found.due.push(step);
    }
    Ok(found)
}

/// All steps for an account.
pub(crate) fn of_account(trees: &Trees, account: AccountId) -> StoreResult<Vec<DueStep>> {
    let steps = trees.entries(tables::STEPS).map(read);
    let is_other = |step: &StoreResult<DueStep>| step.as_ref().is_ok_and(|step| step.key.account != account);
    steps.filter(|step| !is_other(step)).collect()
}

/// Removes steps and adds others.
pub(crate) fn replace(tx: &mut Tx<'_>, taken: &[StepKey], new: &[NewStep]) -> Result<(), TransactionError> {
    for key in taken {
        tx.write(tables::STEPS, &key_of(*key), None);
    }
    add(tx, new)
}

/// Adds steps.
pub(crate) fn add(tx: &mut Tx<'_>, new: &[NewStep]) -> Result<(), TransactionError> {
    for step in new {
        let key = StepKey {
            due: step.due,
            account: step.account,
            serial: tx.next(tables::STEPS)?,
        };
        let (about, step) = (step.about, step.step.clone());
        write(tx, &DueStep { key, about, step });
    }
    Ok(())
}

/// Writes a step that has its number.
fn write(tx: &mut Tx<'_>, step: &DueStep) {
    let value = [&step.about.to_be_bytes()[..], step.step.as_bytes()].concat();
    put(tx, step.key, value.into());
}

fn put(tx: &mut Tx<'_>, key: StepKey, value: Bytes) {
    tx.write(tables::STEPS, &key_of(key), Some(value));
    tx.change_view(Change::Steps);
}

/// Makes these steps due earlier, those that are still stored.
pub(crate) fn advance(tx: &mut Tx<'_>, steps: &[DueStep], millis: u64) -> Result<(), TransactionError> {
    for DueStep { key, .. } in steps {
        let Some(step) = tx.read(tables::STEPS, &key_of(*key))? else {
            continue;
        };
        let earlier = StepKey {
            due: key.due.saturating_sub(millis),
            ..*key
        };
        tx.write(tables::STEPS, &key_of(*key), None);
        put(tx, earlier, step);
    }
    Ok(())
}
