//! Open bounties and their rows in lists: read from the trees, and kept in a cache with a bound, since they are read again and
//! again.

use std::sync::{Arc, RwLock};

use codegen_store::{ReadRows, Record, StoreError, StoreResult, of_each, torn};
use contract::support::Batch;
use contract::{Account, Bounty, BountyId, BountyList, BountyOffer, Encoded};
use quick_cache::sync::Cache;
use quick_cache::{OptionsBuilder, Weighter};

use super::filter::{BountyFilter, PageRequest};
use super::market::{Market, Trees, shown_bounty};
use super::mirror::{BountyPage, BountyVersion, Mirror};

/// How many bytes the cache may have if nothing else is wanted.
pub(crate) const CACHED_BYTES: usize = 64 << 20;

/// What an entry takes beside its text: the key, the counter of its references, its place in the map and in the queue.
const ENTRY_BYTES: u64 = 128;

/// The bytes of a usual entry. The cache also holds the versions of half as many rows that it had before.
const USUAL_ENTRY: usize = 1 << 10;

/// How often a page is chosen anew because a bounty of it has changed, before changes have to wait.
const ATTEMPTS: usize = 3;

/// The bounties and rows that were read last, each as it was at one time.
pub(crate) struct BountyRows(Cache<(BountyVersion, Shape), Row, RowBytes>);

/// In which view a row is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// The whole record.
    Record,
    /// For agents.
    List,
    /// For workers.
    Offer,
}

/// A row in its view.
#[derive(Clone)]
pub(crate) enum Row {
    /// With its bytes on disk.
    Record(Arc<Bounty>, usize),
    List(Encoded<BountyList>),
    Offer(Encoded<BountyOffer>),
}

/// A view of the bounties in a list.
pub(crate) trait BountyView: Sized + 'static {
    /// Which one it is.
    const SHAPE: Shape;
    /// Shows a bounty of this account.
    fn show(bounty: &Bounty, poster: &Account) -> Encoded<Self>;
    /// As the cache keeps it.
    fn kept(row: Encoded<Self>) -> Row;
    /// A row that the cache has kept in this shape.
    fn taken(row: Row) -> Option<Encoded<Self>>;
}

macro_rules! view {
    ($view:ident, $shape:ident, $show:ident) => {
        impl BountyView for $view {
            const SHAPE: Shape = Shape::$shape;
            fn show(bounty: &Bounty, poster: &Account) -> Encoded<Self> {
                bounty.$show(poster)
            }
            fn kept(row: Encoded<Self>) -> Row {
                Row::$shape(row)
            }
            fn taken(row: Row) -> Option<Encoded<Self>> {
                match row {
                    Row::$shape(row) => Some(row),
                    _ => None,
                }
            }
        }
    };
}

view!(BountyList, List, list);
view!(BountyOffer, Offer, offer);

#[derive(Clone)]
struct RowBytes;

impl Weighter<(BountyVersion, Shape), Row> for RowBytes {
    fn weight(&self, _: &(BountyVersion, Shape), row: &Row) -> u64 {
        let bytes = match row {
            Row::Record(_, bytes) => size_of::<Bounty>() + bytes,
            Row::List(row) => row.as_str().len(),
            Row::Offer(row) => row.as_str().len(),
        };
        bytes as u64 + ENTRY_BYTES
    }
}

impl Default for BountyRows {
    /// With a bound of [`CACHED_BYTES`].
    fn default() -> Self {
        let options = OptionsBuilder::new()
            .weight_capacity(CACHED_BYTES as u64)
            .estimated_items_capacity(CACHED_BYTES / USUAL_ENTRY)
            .build()
            .expect("both capacities are set");
        Self(Cache::with_options(
            options,
            RowBytes,
            Default::default(),
            Default::default(),
        ))
    }
}

impl BountyRows {
    /// Sets the maximum bytes. Rows that are too many are dropped.
    pub(crate) fn limit(&self, bytes: usize) {
        self.0.set_capacity(bytes as u64);
    }

    /// The bytes of the rows that are kept.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> u64 {
        self.0.weight()
    }

    /// The rows of a page, if all are kept.
    pub(crate) fn page<V: BountyView>(&self, rows: &[BountyVersion]) -> Option<Vec<Encoded<V>>> {
        // A collected `Option<Vec>` would grow step by step.
        let mut kept = Vec::with_capacity(rows.len());
        for row in rows {
            kept.push(self.kept(*row)?);
        }
        Some(kept)
    }

    /// A row, if it is kept in this view.
    fn kept<V: BountyView>(&self, row: BountyVersion) -> Option<Encoded<V>> {
        V::taken(self.0.get(&(row, V::SHAPE))?)
    }

    /// A bounty at this version, if it is kept.
    pub(crate) fn record(&self, row: BountyVersion) -> Option<Arc<Bounty>> {
        match self.0.get(&(row, Shape::Record))? {
            Row::Record(bounty, _) => Some(bounty),
            _ => None,
        }
    }

    /// Reads a bounty, and keeps it if lists show it.
    pub(crate) fn find(
        &self,
        trees: &Trees,
        mirror: &RwLock<Mirror>,
        id: BountyId,
    ) -> StoreResult<Option<Arc<Bounty>>> {
        let listed = || Ok::<_, StoreError>(mirror.read().map_err(torn)?.listed_bounty(id));
        let before = listed()?;
        let bounty = shown_bounty(trees, id)?.map(Arc::new);
        // If memory has shown one version all the while, it is the one that was read.
        if let (Some(row), Some(bounty)) = (before, &bounty)
            && listed()? == before
        {
            let bytes = bounty.encode().len();
            self.0
                .insert((row, Shape::Record), Row::Record(Arc::clone(bounty), bytes));
        }
        Ok(bounty)
    }

    /// A row. `None` if it is not kept, and lists do not show it any more as it was.
    fn read<V: BountyView>(
        &self,
        trees: &Trees,
        mirror: &RwLock<Mirror>,
        row: BountyVersion,
    ) -> StoreResult<Option<Encoded<V>>> {
        if let Some(kept) = self.kept(row) {
            return Ok(Some(kept));
        }
        let bounty = shown_bounty(trees, row.id)?;
        // After the bounty was read: if memory shows the row now, it did so then.
        let Some(poster) = mirror.read().map_err(torn)?.poster(row).cloned() else {
            return Ok(None);
        };
        let bounty = bounty.ok_or_else(|| StoreError::damaged("a list names a bounty that is not there"))?;
        let read = V::show(&bounty, &poster);
        self.0.insert((row, V::SHAPE), V::kept(read.clone()));
        Ok(Some(read))
    }

    /// Reads the rows of a page into the cache, and returns those of its first batch. `None` if a bounty has changed.
    fn read_page<V: BountyView>(
        &self,
        trees: &Trees,
        mirror: &RwLock<Mirror>,
        rows: &[BountyVersion],
    ) -> StoreResult<Option<Vec<Encoded<V>>>> {
        let (mut first, mut bytes) = (Vec::new(), 0);
        for row in rows {
            let Some(read) = self.read(trees, mirror, *row)? else {
                return Ok(None);
            };
            if bytes < Batch::<V>::FULL {
                bytes += read.as_str().len();
                first.push(read);
            }
        }
        Ok(Some(first))
    }

    /// A page as it is at one time, and the rows of its first batch. `page` was chosen before.
    pub(crate) fn choose<V: BountyView>(
        &self,
        trees: &Trees,
        mirror: &RwLock<Mirror>,
        filter: &BountyFilter,
        window: PageRequest,
        mut page: BountyPage,
    ) -> StoreResult<(BountyPage, Vec<Encoded<V>>)> {
        let (mut attempt, mut _still) = (1, None);
        loop {
            if let Some(first) = self.read_page(trees, mirror, &page.rows)? {
                return Ok((page, first));
            }
            if attempt == ATTEMPTS {
                // From then on, memory takes in at most the commit that the trees already have.
                _still = Some(trees.engine().still());
            }
            attempt += 1;
            let mirror = mirror.read().map_err(torn)?;
            page = mirror.bounties.of(filter.sandbox).find(filter, window);
        }
    }

    /// A page whose first rows have been read. The other ones are read while the answer is sent: they are in the cache as they
    /// were when the page was chosen, or are read again. If one has changed and is in the cache no more, the answer is aborted.
    pub(crate) fn rest<V: BountyView>(
        self: &Arc<Self>,
        rows: Vec<BountyVersion>,
        first: Vec<Encoded<V>>,
    ) -> impl ReadRows<Market, V> + use<V> {
        let (cache, mut first, mut rows) = (Arc::clone(self), Some(first), rows.into_iter());
        move |trees: &Trees, mirror: &RwLock<Mirror>, batch: &mut Batch<V>| {
            for row in first.take().into_iter().flatten() {
                if batch.is_full() {
                    break;
                }
                batch.push(row);
                rows.next();
            }
            while !batch.is_full()
                && let Some(row) = rows.next()
            {
                let read = cache.read(trees, mirror, row)?;
                batch.push(read.ok_or_else(|| StoreError::unavailable("a bounty changed while a list was sent"))?);
            }
            Ok(())
        }
    }

    /// Bounties of an account, in any status.
    pub(crate) fn own(self: &Arc<Self>, ids: Vec<BountyId>) -> impl ReadRows<Market, BountyList> + use<> {
        let cache = Arc::clone(self);
        of_each::<Market, _, _>(ids, move |trees, mirror, id| {
            let listed = mirror.read().map_err(torn)?.listed_bounty(*id);
            if let Some(row) = listed.and_then(|row| cache.kept(row)) {
                return Ok(row);
            }
            let bounty = shown_bounty(trees, *id)?;
            let bounty = bounty.ok_or_else(|| StoreError::damaged("an account owns a bounty that is not there"))?;
            let poster = mirror.read().map_err(torn)?.account(bounty.account_id).cloned();
            let poster = poster.ok_or_else(|| StoreError::damaged("a bounty without its account"))?;
            Ok(bounty.list(&poster))
        })
    }
}
