//! Lists of records, for the handlers that are emitted from a contract.

use codegen_support::Key;

use crate::engine::{prefixed, scan};
use crate::error::{StoreError, StoreResult};
use crate::record::Record;
use crate::service::Service;
use crate::tree::Tree;
use crate::trees::Trees;

/// Records that are read at once while a list is searched.
const AT_ONCE: usize = 256;

/// A page of a list.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'p> {
    /// The index in the order of the list. `None`: the records are in that order.
    pub index: Option<Tree>,
    /// Whether the rows come in the opposite order.
    pub descends: bool,
    /// What the rows of the list begin with.
    pub prefix: &'p [u8],
    /// The rows before the page.
    pub offset: usize,
    /// Maximum number of rows.
    pub limit: usize,
    /// Whether all rows are counted.
    pub has_total: bool,
}

impl<'p> Listing<'p> {
    /// The page with at most `limit` rows after the first `offset`. Negative numbers count as zero.
    #[must_use]
    pub fn new(
        (index, descends): (Option<Tree>, bool),
        prefix: &'p [u8],
        (offset, limit): (i64, i64),
        has_total: bool,
    ) -> Self {
        let clamp = |number: i64| usize::try_from(number.max(0)).unwrap_or(usize::MAX);
        let (offset, limit) = (clamp(offset), clamp(limit));
        Self {
            index,
            descends,
            prefix,
            offset,
            limit,
            has_total,
        }
    }

    /// The keys of all records of the list, in its order.
    fn keys<S: Service, R: Record<S>>(&self, trees: &Trees<S>) -> StoreResult<Vec<R::Key>> {
        self.first_keys::<S, R>(trees, usize::MAX)
    }

    /// At most so many of the first ones, or more.
    fn first_keys<S: Service, R: Record<S>>(&self, trees: &Trees<S>, most: usize) -> StoreResult<Vec<R::Key>> {
        let most = if self.descends { usize::MAX } else { most };
        let mut keys = self.ascending::<S, R>(trees, most)?;
        if self.descends {
            keys.reverse();
        }
        Ok(keys)
    }

    fn ascending<S: Service, R: Record<S>>(&self, trees: &Trees<S>, most: usize) -> StoreResult<Vec<R::Key>> {
        // A record that moves to the front while the index is read would be missed.
        let _still = trees.engine().still();
        let Some(index) = self.index else {
            let (from, to) = prefixed(self.prefix);
            let keys = trees
                .engine()
                .keys(R::TREE, (from, to.as_ref().map(Vec::as_slice)), most)?;
            let keys = keys.iter().map(|key| R::Key::read(key));
            return keys
                .collect::<Option<_>>()
                .ok_or_else(|| StoreError::damaged("a key is malformed"));
        };
        trees.listed::<R>(index, self.prefix, most)
    }

    /// All records of the list, in its order.
    fn records<'t, S: Service, R: Record<S>>(
        &self,
        trees: &'t Trees<S>,
    ) -> StoreResult<Box<dyn Iterator<Item = StoreResult<R>> + 't>> {
        if self.index.is_none() && !self.descends {
            let (from, to) = prefixed(self.prefix);
            let entries = scan(trees.engine(), R::TREE, (from.map(<[u8]>::to_vec), to), AT_ONCE);
            return Ok(Box::new(
                entries.map(|entry| R::decode(&entry?.1).map_err(StoreError::damaged)),
            ));
        }
        let keys = self.keys::<S, R>(trees)?.into_iter();
        Ok(Box::new(keys.filter_map(|key| trees.get::<R>(key).transpose())))
    }

    /// All rows of the page, and the number of all rows if they are counted. Each row is as it is when it is read; what is deleted
    /// meanwhile is left out.
    ///
    /// # Errors
    /// If the trees cannot be read.
    pub fn read<S: Service, R: Record<S>, V>(
        &self,
        trees: &Trees<S>,
        mut row: impl FnMut(&R) -> StoreResult<V>,
    ) -> StoreResult<(Vec<V>, i64)> {
        let needed = match self.has_total {
            true => usize::MAX,
            false => self.offset.saturating_add(self.limit),
        };
        let keys = self.first_keys::<S, R>(trees, needed)?;
        let total = i64::try_from(keys.len()).unwrap_or(i64::MAX);
        let mut rows = Vec::new();
        for key in keys.into_iter().skip(self.offset).take(self.limit) {
            if let Some(record) = trees.get::<R>(key)? {
                rows.push(row(&record)?);
            }
        }
        Ok((rows, total))
    }

    /// The same of the records that `is_listed` chooses.
    ///
    /// # Errors
    /// If the trees cannot be read.
    pub fn filter<S: Service, R: Record<S>, V>(
        &self,
        trees: &Trees<S>,
        mut is_listed: impl FnMut(&R) -> StoreResult<bool>,
        mut row: impl FnMut(&R) -> StoreResult<V>,
    ) -> StoreResult<(Vec<V>, i64)> {
        let (mut rows, mut total) = (Vec::new(), 0);
        for record in self.records::<S, R>(trees)? {
            let record = record?;
            if !is_listed(&record)? {
                continue;
            }
            if total >= self.offset && rows.len() < self.limit {
                rows.push(row(&record)?);
            } else if rows.len() == self.limit && !self.has_total {
                break;
            }
            total += 1;
        }
        Ok((rows, i64::try_from(total).unwrap_or(i64::MAX)))
    }
}
