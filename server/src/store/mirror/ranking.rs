//! Rows sorted in the order of a list.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A row, which is sorted by its record.
pub(super) trait Ranked {
    /// The type of the record.
    type Record;

    /// The record of the row.
    fn record(&self) -> &Arc<Self::Record>;
    /// The order of the list. Only equal if both are the same record.
    fn order(a: &Self::Record, b: &Self::Record) -> Ordering;
}

/// Rows in list order.
pub(super) struct Ranking<R: Ranked>(BTreeMap<RankingKey<R>, R>);

/// The sort key of a row: its record.
struct RankingKey<R: Ranked>(Arc<R::Record>);

impl<R: Ranked> Ord for RankingKey<R> {
    fn cmp(&self, other: &Self) -> Ordering {
        R::order(&self.0, &other.0)
    }
}

impl<R: Ranked> PartialOrd for RankingKey<R> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<R: Ranked> PartialEq for RankingKey<R> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<R: Ranked> Eq for RankingKey<R> {}

impl<R: Ranked> Default for Ranking<R> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<R: Ranked> Ranking<R> {
    /// The rows in list order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &R> {
        self.0.values()
    }

    /// The rows, mutable. Changes must not affect the order.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut R> {
        self.0.values_mut()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Removes the rows of these records, each in the state in which it was inserted, and then inserts rows.
    pub(super) fn replace(&mut self, leaving: Vec<Arc<R::Record>>, coming: Vec<R>) {
        for record in leaving {
            self.0
                .remove(&RankingKey(record))
                .expect("each record has a row at its place");
        }
        self.0.extend(
            coming
                .into_iter()
                .map(|row| (RankingKey(Arc::clone(row.record())), row)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Plain(Arc<i64>);

    impl Ranked for Plain {
        type Record = i64;

        fn record(&self) -> &Arc<i64> {
            &self.0
        }
        fn order(a: &i64, b: &i64) -> Ordering {
            b.cmp(a)
        }
    }

    #[track_caller]
    fn check(leaving: std::ops::Range<i64>, coming: std::ops::Range<i64>) {
        let mut ranking = Ranking::default();
        ranking.replace(Vec::new(), (0..100).map(Arc::new).map(Plain).collect());
        ranking.replace(
            leaving.clone().map(Arc::new).collect(),
            coming.clone().map(Arc::new).map(Plain).collect(),
        );
        let mut expected: Vec<_> = (0..100).filter(|row| !leaving.contains(row)).chain(coming).collect();
        expected.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(ranking.iter().map(|row| *row.0).collect::<Vec<_>>(), expected);
        assert_eq!(ranking.len(), expected.len());
    }

    #[test]
    fn rows_stay_in_order_whether_few_or_many_move() {
        check(40..42, 200..203);
        check(0..50, 100..150);
        check(0..16, 100..100);
        check(0..17, 100..100);
    }
}
