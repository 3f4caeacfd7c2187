//! Takes in what a log of commits has beyond the trees.

use std::fmt;

use codegen_store::Tree;
use codegen_store::commit_log::LogChange;
use serde_json::value::RawValue;

use super::kind::{Entered, Failed};
use super::kinds;
use super::transaction::{TransactionError, Tx, last_id_name};

/// Makes a change that was committed elsewhere.
pub(crate) fn replay(tx: &mut Tx<'_>, change: &LogChange) -> Result<(), TransactionError> {
    match change {
        LogChange::LastId(kind, last) => {
            let known = kinds::named(kind).ok_or_else(|| broken(kind, "is unknown"))?;
            let name = last_id_name(known.tree);
            tx.write(Tree::META, name.as_bytes(), Some(last.to_be_bytes()[..].into()));
            Ok(())
        }
        LogChange::Entry { kind, key, document } => {
            let name = kind.name();
            let kind = kinds::of(*kind).ok_or_else(|| broken(name, "is no kind of the log"))?;
            let Some(document) = document else {
                let remove = kind
                    .remove
                    .ok_or_else(|| broken(name, "has an entry that never goes"))?;
                return remove(tx, kind.tree, key);
            };
            let json = RawValue::from_string(document.to_owned()).map_err(|error| broken(name, error))?;
            (kind.enter)(tx, &json, Entered::Log).map_err(|failed| match failed {
                Failed::Unfit(cause) => broken(name, cause),
                Failed::Transaction(error) => error,
            })
        }
    }
}

fn broken(kind: &str, cause: impl fmt::Display) -> TransactionError {
    TransactionError::Broken(format!("the log of commits: {kind}: {cause}"))
}
