//! Filling the memory from the trees at start.

use std::sync::Arc;

use contract::{Account, ApiKey, Bounty, Human};

use super::keys;
use super::record::Record;
use super::transaction::count_name;
use super::trees::{Tree, Trees};
use crate::store::memory::{Change, Memory, Update};
use crate::store::{Kept, StoreError};

/// The memory as the trees have it.
pub(super) fn load(trees: &Trees) -> Kept<Memory> {
    let mut changes = Vec::new();
    collect::<Account>(trees, Change::Account, &mut changes)?;
    collect::<ApiKey>(trees, Change::Key, &mut changes)?;
    collect::<Human>(trees, Change::Human, &mut changes)?;
    for key in trees.index(Tree::OpenBounties, &[]) {
        let bounty = match keys::last(&key?) {
            Some(id) => trees.get::<Bounty>(id)?,
            None => None,
        };
        let bounty = bounty.ok_or_else(|| StoreError::broken("an open bounty is not there"))?;
        changes.push(Change::Bounty(Arc::new(bounty)));
    }
    let mut memory = Memory::default();
    memory.apply(Update::of(changes));
    Ok(memory)
}

/// All records of a tree, which must be as many as were counted when they were written.
fn collect<R: Record>(trees: &Trees, change: fn(Arc<R>) -> Change, changes: &mut Vec<Change>) -> Kept<()> {
    let before = changes.len();
    for record in trees.scan::<R>() {
        changes.push(change(Arc::new(record?)));
    }
    let found = i64::try_from(changes.len() - before).expect("ids are below 2^53");
    let counted = trees.meta(&count_name(R::TREE))?;
    if found == counted {
        Ok(())
    } else {
        Err(StoreError::broken(format!(
            "{} of {counted} {} are there",
            found,
            R::TREE.name()
        )))
    }
}
