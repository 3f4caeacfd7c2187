//! Selects a page of rows by their codes, without sorting the rows.

use std::ops::Range;

use super::group::RowNumber;
use super::matches::Matches;
use super::slices::Slices;

/// The rows at these positions in the order of codes, descending, and then of row numbers.
pub(super) fn select(rows: Matches, codes: &Slices, positions: Range<usize>) -> Vec<RowNumber> {
    let mut selection = Selection {
        codes,
        page: Vec::new(),
    };
    selection.add(rows, codes.width(), positions);
    selection.page
}

/// A page while it is selected.
struct Selection<'i> {
    codes: &'i Slices,
    page: Vec<RowNumber>,
}

impl Selection<'_> {
    /// Adds the rows at these positions of `rows`, whose codes differ only in the lowest `undecided` bits.
    ///
    /// This is a radix selection: rows with the highest undecided bit come before those without, so the number of
    /// the former tells on which side the positions are. The selection is split only if positions are on both sides.
    fn add(&mut self, mut rows: Matches, undecided: usize, mut positions: Range<usize>) {
        positions.end = positions.end.min(rows.count());
        if positions.is_empty() {
            return;
        }
        let mut ones = None;
        for slice in (0..undecided).rev() {
            let count = ones.unwrap_or_else(|| rows.count_ones(self.codes, slice));
            if positions.start < count && count < positions.end {
                let mut upper = rows.clone();
                upper.retain_ones(self.codes, slice, count);
                self.add(upper, slice, positions.start..count);
                positions.start = count;
            }
            ones = Some(if positions.start < count {
                rows.retain_ones(self.codes, slice, count)
            } else {
                positions = positions.start - count..positions.end - count;
                let zeros = rows.count() - count;
                rows.retain_zeros(self.codes, slice, zeros)
            });
        }
        let page = rows.rows().skip(positions.start).take(positions.len());
        self.page.extend(page);
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;
    use crate::search::group::ROWS;

    /// Selects pages of all rows with these codes and compares them with pages of the sorted rows.
    #[track_caller]
    fn check(count: usize, code: impl Fn(usize) -> u64) {
        let mut codes = Slices::default();
        let mut sorted: Vec<_> = (0..count).map(|row| (Reverse(code(row)), row as RowNumber)).collect();
        sorted.iter().for_each(|(Reverse(code), row)| codes.set(*row, *code));
        sorted.sort_unstable();
        let rows = Matches::all(count);
        for start in [0, 1, count / 100, count / 2, count - 1, count, count + 1] {
            for len in [0, 1, 20, count / 3, count + 1] {
                let page = sorted.iter().skip(start).take(len).map(|(_, row)| *row);
                let selected = select(rows.clone(), &codes, start..start + len);
                assert!(selected.into_iter().eq(page), "{len} of {count} from {start}");
            }
        }
    }

    #[test]
    fn pages_are_those_of_the_sorted_rows() {
        for count in [1, ROWS, 3 * ROWS + 7, 8 * ROWS] {
            check(count, |_| 0);
            check(count, |row| row as u64);
            check(count, |row| (row * 7919 % 501) as u64);
            check(count, |row| [0, 0, 0, 500, 1 << 40][row * 31 % 5]);
        }
    }
}
