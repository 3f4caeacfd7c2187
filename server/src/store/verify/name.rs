//! The names of records in findings.

use std::fmt;

use codegen_store::{Hex, Tree};
use contract::support::AnswerId;

use crate::store::keys::{self, Id};
use crate::store::record::Record;
use crate::store::{kinds, tables};

/// The name of a record, which may not exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Name {
    /// Its tree.
    pub(super) tree: Tree,
    /// The last id in its key.
    pub(super) id: i64,
    /// The id before that one, if the key has two ids.
    pub(super) under: Option<i64>,
}

impl Name {
    /// The record of this kind with this id.
    pub(super) fn of<R: Record<Id: Id>>(id: R::Id) -> Self {
        Self {
            tree: R::TREE,
            id: id.number(),
            under: None,
        }
    }

    /// The stored answer under this key, by the first bytes of the key. `None` if the key is malformed.
    pub(super) fn of_answer(key: &[u8]) -> Option<Self> {
        let (first, _) = key
            .split_first_chunk::<8>()
            .filter(|_| key.len() == size_of::<AnswerId>())?;
        let (tree, id) = (tables::ANSWERS, i64::from_be_bytes(*first));
        Some(Self { tree, id, under: None })
    }

    /// The text for the entry under this key.
    pub(super) fn text_at(tree: Tree, key: &[u8]) -> String {
        let name = match tree {
            tables::ANSWERS => Self::of_answer(key),
            _ => Self::at(tree, key),
        };
        name.map_or_else(|| format!("{} {}", noun(tree), Hex(key)), |name| name.to_string())
    }

    /// The record under this key. `None` if the key is malformed for the tree.
    pub(super) fn at(tree: Tree, key: &[u8]) -> Option<Self> {
        let (under, id) = match tree {
            tables::MESSAGES => key.split_first_chunk::<8>().map(|(under, id)| (Some(under), id))?,
            _ => (None, key),
        };
        let under = under.map(|under| i64::from_be_bytes(*under));
        let id = keys::number(id)?;
        let all_are_ids = id > 0 && under.is_none_or(|under| under > 0);
        all_are_ids.then_some(Self { tree, id, under })
    }
}

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", noun(self.tree), self.id)?;
        match self.under {
            Some(conversation) => write!(out, " of {} {conversation}", noun(tables::CONVERSATIONS)),
            None => Ok(()),
        }
    }
}

/// The noun for one entry of a tree.
pub(super) fn noun(tree: Tree) -> &'static str {
    match kinds::of(tree) {
        Some(kind) => kind.noun,
        None if tree == Tree::META => "number",
        None => "row",
    }
}
