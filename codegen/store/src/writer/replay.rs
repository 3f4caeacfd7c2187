//! Takes in what a log of commits has beyond the trees.

use std::fmt;

use serde_json::value::RawValue;

use crate::commit_log::LogChange;
use crate::hooks::{Hooks, kind_at, kind_named};
use crate::kind::{Entered, Failed};
use crate::transaction::{TransactionError, Tx, last_id_name};
use crate::tree::Tree;

/// Makes a change that was committed elsewhere.
pub(crate) fn replay<S: Hooks>(tx: &mut Tx<'_, S>, change: &LogChange) -> Result<(), TransactionError> {
    match change {
        LogChange::LastId(name, last) => {
            let known = kind_named::<S>(name).ok_or_else(|| broken(name, "is unknown"))?;
            let name = last_id_name(known.tree);
            tx.write(Tree::META, name.as_bytes(), Some(last.to_be_bytes()[..].into()));
            Ok(())
        }
        LogChange::Entry { kind, key, document } => {
            let name = kind.name();
            let kind = kind_at::<S>(*kind).ok_or_else(|| broken(name, "is no kind of the log"))?;
            let Some(document) = document else {
                let remove = kind
                    .remove
                    .ok_or_else(|| broken(name, "has an entry that never goes"))?;
                return remove(tx, kind.tree, key);
            };
            let json = RawValue::from_string(document.to_owned()).map_err(|error| broken(name, error))?;
            (kind.enter)(tx, kind.tree, &json, Entered::Log).map_err(|failed| match failed {
                Failed::Unfit(cause) => broken(name, cause),
                Failed::Transaction(error) => error,
            })
        }
    }
}

fn broken(kind: &str, cause: impl fmt::Display) -> TransactionError {
    TransactionError::Broken(format!("the log of commits: {kind}: {cause}"))
}
