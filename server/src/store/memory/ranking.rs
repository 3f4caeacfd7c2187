//! Rows kept in the order in which a list shows them.

use std::cmp::Ordering;
use std::sync::Arc;

/// Up to so many rows each is put into its place; above it all are sorted once.
const MAX_MOVES: usize = 16;

/// A row, which has its place by its record.
pub(super) trait Row {
    /// What the row shows.
    type Record;

    /// The record as the row shows it.
    fn record(&self) -> &Self::Record;
    /// The order of the list; only a record and itself are equal.
    fn order(a: &Self::Record, b: &Self::Record) -> Ordering;
}

/// Rows in their order.
pub(super) struct Ranking<R>(Vec<R>);

impl<R> Default for Ranking<R> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<R: Row> Ranking<R> {
    /// The rows, the first one first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &R> {
        self.0.iter()
    }

    /// The rows, each to be changed in a way that does not change its place.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut R> {
        self.0.iter_mut()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Takes the rows of these records out, each as it was put in, and then puts rows in.
    pub(super) fn replace(&mut self, mut leaving: Vec<Arc<R::Record>>, coming: Vec<R>) {
        if leaving.len() + coming.len() <= MAX_MOVES {
            for record in leaving {
                let place = self.place(&record).expect("each record has a row at its place");
                self.0.remove(place);
            }
            for row in coming {
                let place = self.place(row.record()).expect_err("no two rows show one record");
                self.0.insert(place, row);
            }
        } else {
            leaving.sort_by(|a, b| R::order(a, b));
            let leaves = |row: &R| leaving.binary_search_by(|gone| R::order(gone, row.record())).is_ok();
            self.0.retain(|row| !leaves(row));
            self.0.extend(coming);
            self.0.sort_by(|a, b| R::order(a.record(), b.record()));
        }
    }

    fn place(&self, record: &R::Record) -> Result<usize, usize> {
        self.0.binary_search_by(|row| R::order(row.record(), record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Plain(i64);

    impl Row for Plain {
        type Record = i64;

        fn record(&self) -> &i64 {
            &self.0
        }
        fn order(a: &i64, b: &i64) -> Ordering {
            b.cmp(a)
        }
    }

    #[track_caller]
    fn check(leaving: std::ops::Range<i64>, coming: std::ops::Range<i64>) {
        let mut ranking = Ranking::default();
        ranking.replace(Vec::new(), (0..100).map(Plain).collect());
        ranking.replace(
            leaving.clone().map(Arc::new).collect(),
            coming.clone().map(Plain).collect(),
        );
        let mut expected: Vec<_> = (0..100).filter(|row| !leaving.contains(row)).chain(coming).collect();
        expected.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(ranking.iter().map(|row| row.0).collect::<Vec<_>>(), expected);
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
