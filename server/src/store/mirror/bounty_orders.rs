//! The bounties of a list in the orders that a worker can choose, besides that of their ids.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use contract::{BountyId, BountyOrder, Date, Number};

/// What the contract's orders compare of a bounty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OrderKey {
    pub(super) id: BountyId,
    pub(super) budget: Number,
    pub(super) deadline: Option<Date>,
}

/// A set for each order but that of the ids.
#[derive(Default)]
pub(super) struct BountyOrders {
    by_pay: BTreeSet<PayKey>,
    by_deadline: BTreeSet<DeadlineKey>,
}

/// The highest budget first, then the newest.
type PayKey = Reverse<(Number, BountyId)>;

/// The earliest deadline first, those without one last, then the newest.
type DeadlineKey = (bool, Option<Date>, Reverse<BountyId>);

impl OrderKey {
    fn pay(&self) -> PayKey {
        Reverse((self.budget, self.id))
    }

    fn deadline(&self) -> DeadlineKey {
        (self.deadline.is_none(), self.deadline, Reverse(self.id))
    }

    /// The bounties at these positions of this order.
    pub(super) fn page<T>(
        order: BountyOrder,
        bounties: Vec<T>,
        positions: Range<usize>,
        key: impl Fn(&T) -> OrderKey,
    ) -> Vec<T> {
        match order {
            BountyOrder::Newest => page(bounties, positions, |one| Reverse(key(one).id)),
            BountyOrder::Pay => page(bounties, positions, |one| key(one).pay()),
            BountyOrder::Deadline => page(bounties, positions, |one| key(one).deadline()),
        }
    }
}

/// Sorts only what is at these positions.
fn page<T, K: Ord>(mut all: Vec<T>, positions: Range<usize>, key: impl Fn(&T) -> K) -> Vec<T> {
    if positions.start >= all.len() {
        return Vec::new();
    }
    if positions.end < all.len() {
        all.select_nth_unstable_by_key(positions.end, &key);
        all.truncate(positions.end);
    }
    all.select_nth_unstable_by_key(positions.start, &key);
    let mut page = all.split_off(positions.start);
    page.sort_unstable_by_key(key);
    page
}

impl BountyOrders {
    pub(super) fn insert(&mut self, key: &OrderKey) {
        self.by_pay.insert(key.pay());
        self.by_deadline.insert(key.deadline());
    }

    pub(super) fn remove(&mut self, key: &OrderKey) {
        self.by_pay.remove(&key.pay());
        self.by_deadline.remove(&key.deadline());
    }

    /// The bounties in this order. `None`: that of their ids.
    pub(super) fn ids(&self, order: BountyOrder) -> Option<Box<dyn Iterator<Item = BountyId> + '_>> {
        match order {
            BountyOrder::Newest => None,
            BountyOrder::Pay => Some(Box::new(self.by_pay.iter().map(|Reverse((_, id))| *id))),
            BountyOrder::Deadline => Some(Box::new(self.by_deadline.iter().map(|(_, _, Reverse(id))| *id))),
        }
    }
}
