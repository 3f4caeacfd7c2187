//! Takes in what a log of commits has beyond the trees.

use std::fmt;
use std::sync::Arc;

use codegen_store::Tree;
use contract::{Account, ApiKey, Application, Bounty, Conversation, Human, Message, Webhook, WebhookId};
use serde_json::value::RawValue;

use super::backup::restore::{self, Failed};
use super::index::Indexed;
use super::keys::{self, Id};
use super::record::{Record, decode};
use super::transaction::{TransactionError, Tx, last_id_name};
use super::{answers, webhooks};
use crate::store::mirror::Change;
use crate::store::tables;
use codegen_store::commit_log::LogChange;

/// Makes a change that was committed elsewhere.
pub(super) fn replay(tx: &mut Tx<'_>, change: &LogChange) -> Result<(), TransactionError> {
    match change {
        LogChange::LastId(kind, last) => {
            let name = tables::named(kind)
                .map(last_id_name)
                .ok_or_else(|| broken(kind, "is unknown"))?;
            tx.write(Tree::META, name.as_bytes(), Some(last.to_be_bytes()[..].into()));
            Ok(())
        }
        LogChange::Entry { kind, key, document } => match document {
            Some(document) => write(tx, *kind, key, document),
            None => remove(tx, *kind, key),
        },
    }
}

fn write(tx: &mut Tx<'_>, kind: Tree, key: &[u8], document: &str) -> Result<(), TransactionError> {
    let json: Box<RawValue> = RawValue::from_string(document.to_owned()).map_err(|error| broken(kind.name(), error))?;
    match kind {
        tables::ACCOUNTS => record::<Account>(tx, document),
        tables::KEYS => record::<ApiKey>(tx, document),
        tables::HUMANS => record::<Human>(tx, document),
        tables::MESSAGES => record::<Message>(tx, document),
        tables::BOUNTIES => indexed::<Bounty>(tx, document),
        tables::APPLICATIONS => indexed::<Application>(tx, document),
        tables::CONVERSATIONS => indexed::<Conversation>(tx, document),
        tables::WEBHOOKS => record::<Webhook>(tx, document),
        tables::DELIVERIES => {
            restore::deliveries(tx, &json, 0)?;
            tell_of_webhook(tx, id_of(kind, key)?)
        }
        tables::FEEDS => {
            let of = keys::recipient_of(key).ok_or_else(|| broken(kind.name(), "has no recipient"))?;
            tx.woken(of);
            Ok(restore::feed(tx, &json, 0)?)
        }
        tables::EVENTS => Ok(restore::event(tx, &json, (0, tx.commit()))?),
        tables::ANSWERS => Ok(restore::answer(tx, &json)?),
        tables::STEPS => Ok(restore::step(tx, &json)?),
        tables::QUOTA_USAGE => Ok(restore::quota_usage(tx, &json)?),
        tables::SKILLS => Ok(restore::skill(tx, &json)?),
        _ => Err(broken(kind.name(), "is no kind of the log")),
    }
}

/// Writes a record as it is in the log.
fn record<R: Record>(tx: &mut Tx<'_>, document: &str) -> Result<(), TransactionError> {
    let record: R = decode(document.as_bytes()).map_err(|misread| broken(R::TREE.name(), misread))?;
    tx.replay(&record, document.as_bytes())
}

/// The same, with the index rows.
fn indexed<R: Indexed>(tx: &mut Tx<'_>, document: &str) -> Result<(), TransactionError> {
    let new: R = decode(document.as_bytes()).map_err(|misread| broken(R::TREE.name(), misread))?;
    if let Some(former) = tx.get::<R>(new.id())? {
        tx.set_rows(&former, false);
    }
    tx.set_rows(&new, true);
    tx.replay(&new, document.as_bytes())
}

/// A webhook and the state of its deliveries are written together, the state last.
fn tell_of_webhook(tx: &mut Tx<'_>, id: WebhookId) -> Result<(), TransactionError> {
    let webhook: Webhook = tx
        .get(id)?
        .ok_or_else(|| broken("webhooks", "lack one that has deliveries"))?;
    let state = webhooks::read_state(tx, id)?;
    tx.change_memory(Change::Webhook(Arc::new(webhook), Arc::new(state)));
    Ok(())
}

fn remove(tx: &mut Tx<'_>, kind: Tree, key: &[u8]) -> Result<(), TransactionError> {
    match kind {
        tables::KEYS => {
            let id = id_of(kind, key)?;
            tx.delete::<ApiKey>(id, Change::KeyRevoked(id))
        }
        tables::WEBHOOKS => {
            let id = id_of(kind, key)?;
            tx.delete::<Webhook>(id, Change::WebhookDeleted(id))
        }
        tables::ANSWERS => answers::remove_by_id(tx, key),
        tables::DELIVERIES | tables::EVENTS | tables::STEPS | tables::SKILLS => {
            tx.write(kind, key, None);
            Ok(())
        }
        _ => Err(broken(kind.name(), "has an entry that never goes")),
    }
}

fn id_of<I: Id>(kind: Tree, key: &[u8]) -> Result<I, TransactionError> {
    keys::last(key).ok_or_else(|| broken(kind.name(), "has an entry without an id"))
}

fn broken(kind: &str, cause: impl fmt::Display) -> TransactionError {
    TransactionError::Broken(format!("the log of commits: {kind}: {cause}"))
}

impl From<Failed> for TransactionError {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Unfit(cause) => Self::Broken(format!("the log of commits: {cause}")),
            Failed::Transaction(error) => error,
        }
    }
}
