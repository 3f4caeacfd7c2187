//! Rows in groups, and what searches do with them: conditions, counts and parts.

use multiversion::multiversion;

use super::group::{Group, ROWS, RowNumber};
use super::posting::Posting;
use super::slices::Slices;

/// Matching rows, by group. Groups without one are left out.
#[derive(Clone)]
pub(super) struct Matches {
    groups: Vec<(usize, Group)>,
    count: usize,
}

/// Conditions on the columns.
#[derive(Default)]
pub(super) struct Filter<'i> {
    /// Columns that must have a certain code.
    pub(super) equal: Vec<(&'i Slices, u64)>,
    /// A column that must have a code in a range, inclusive.
    pub(super) range: Option<(&'i Slices, (u64, u64))>,
}

impl Matches {
    /// The rows from 0 up to this number.
    pub(super) fn all(count: usize) -> Self {
        let rows_from = |group| Group::first(count - group * ROWS);
        let groups = (0..count.div_ceil(ROWS)).map(|group| (group, rows_from(group)));
        Self {
            groups: groups.collect(),
            count,
        }
    }

    /// The rows of a skill.
    pub(super) fn from_posting(posting: &Posting) -> Self {
        Self {
            groups: posting.groups(),
            count: posting.len(),
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The rows in ascending order.
    pub(super) fn rows(&self) -> impl Iterator<Item = RowNumber> {
        self.groups.iter().flat_map(|(group, rows)| rows.rows(*group))
    }

    /// Keeps the rows that meet the conditions.
    pub(super) fn filter(&mut self, filter: &Filter<'_>) {
        self.count = retain_matching(&mut self.groups, &filter.equal, filter.range);
    }

    /// How many rows have a one in this slice of the codes.
    pub(super) fn count_ones(&self, codes: &Slices, slice: usize) -> usize {
        count_ones(&self.groups, codes, slice)
    }

    /// Keeps the rows that have a one in the slice; `count` is their number. Returns how many of them have a one in
    /// the slice below.
    pub(super) fn retain_ones(&mut self, codes: &Slices, slice: usize, count: usize) -> usize {
        self.retain(codes, slice, 0, count)
    }

    /// The same with a zero in the slice.
    pub(super) fn retain_zeros(&mut self, codes: &Slices, slice: usize, count: usize) -> usize {
        self.retain(codes, slice, u64::MAX, count)
    }

    fn retain(&mut self, codes: &Slices, slice: usize, flip: u64, count: usize) -> usize {
        if count == self.count {
            return self.count_ones(codes, slice.saturating_sub(1));
        }
        self.count = count;
        retain(&mut self.groups, codes, slice, flip)
    }
}

// These loops call no closure from the standard library, since that one would not be compiled for the processor's
// instructions.

/// Keeps the rows that meet the conditions; returns their number.
#[multiversion(targets("x86_64+avx2+popcnt", "x86_64+popcnt"))]
fn retain_matching(
    rows: &mut Vec<(usize, Group)>,
    equal: &[(&Slices, u64)],
    range: Option<(&Slices, (u64, u64))>,
) -> usize {
    let (mut kept, mut count) = (0, 0);
    for place in 0..rows.len() {
        let (group, mut rest) = rows[place];
        for (column, code) in equal {
            column.retain_equal(group, *code, &mut rest);
        }
        if let Some((column, range)) = range
            && !rest.is_empty()
        {
            column.retain_range(group, range, &mut rest);
        }
        rows[kept] = (group, rest);
        kept += usize::from(!rest.is_empty());
        count += rest.count();
    }
    rows.truncate(kept);
    count
}

/// How many of the rows have a one in the slice.
#[multiversion(targets("x86_64+avx2+popcnt", "x86_64+popcnt"))]
fn count_ones(rows: &[(usize, Group)], codes: &Slices, slice: usize) -> usize {
    let (mut ones, slice) = (0, codes.slice(slice));
    for (group, rows) in rows {
        ones += rows.combine(&slice[*group], |row, bit| row & bit).count();
    }
    ones
}

/// Keeps the rows with a one in the slice, of which the bits in `flip` are inverted. Returns how many of them have a
/// one in the slice below. Both in one pass, since reading memory is what takes the time.
#[multiversion(targets("x86_64+avx2+popcnt", "x86_64+popcnt"))]
fn retain(rows: &mut Vec<(usize, Group)>, codes: &Slices, slice: usize, flip: u64) -> usize {
    let (slice, below) = (codes.slice(slice), codes.slice(slice.saturating_sub(1)));
    let (mut kept, mut ones) = (0, 0);
    for place in 0..rows.len() {
        let (group, rest) = rows[place];
        let rest = rest.combine(&slice[group], |row, bit| row & (bit ^ flip));
        rows[kept] = (group, rest);
        kept += usize::from(!rest.is_empty());
        ones += rest.combine(&below[group], |row, bit| row & bit).count();
    }
    rows.truncate(kept);
    ones
}
