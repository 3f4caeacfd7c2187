//! Bits of successive rows.

use std::ops::{BitAndAssign, Not};

/// The place of a worker in the index, from 0 in the order of insertion.
pub type RowNumber = u32;

/// The rows of a group: the bits of a cache line.
pub(super) const ROWS: usize = 512;

const WORDS: usize = ROWS / 64;

/// A bit for each row of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Group([u64; WORDS]);

/// The group of a row, and the row's bit in it.
#[inline]
pub(super) fn place(row: RowNumber) -> (usize, usize) {
    let row = row as usize;
    (row / ROWS, row % ROWS)
}

impl Group {
    /// No row.
    pub(super) const NONE: Self = Self([0; WORDS]);
    /// Every row.
    pub(super) const ALL: Self = Self([u64::MAX; WORDS]);

    /// The first rows of the group, or all if there are not as many.
    #[inline(always)]
    pub(super) fn first(count: usize) -> Self {
        if count >= ROWS {
            return Self::ALL;
        }
        let mut word = 0;
        Self([(); WORDS].map(|()| {
            let ones = count.saturating_sub(word * 64).min(64);
            word += 1;
            u64::MAX.checked_shr(64 - ones as u32).unwrap_or(0)
        }))
    }

    /// Whether it has the row.
    #[inline]
    pub(super) fn contains(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Adds or removes the row.
    #[inline]
    pub(super) fn set(&mut self, bit: usize, is_in: bool) {
        let (word, mask) = (&mut self.0[bit / 64], 1 << (bit % 64));
        if is_in {
            *word |= mask;
        } else {
            *word &= !mask;
        }
    }

    /// How many rows it has. Only fast where the caller is compiled for POPCNT.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether it has no row.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The numbers of its rows, ascending, if it is the group with this number.
    pub(super) fn rows(self, group: usize) -> impl Iterator<Item = RowNumber> {
        self.bits().map(move |bit| (group * ROWS + bit) as RowNumber)
    }

    /// The places of its rows in the group, ascending.
    pub(super) fn bits(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(place, mut word)| {
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                word &= word.wrapping_sub(1);
                (bit < 64).then_some(place * 64 + bit)
            })
        })
    }

    /// Combines both groups word by word.
    #[inline(always)]
    pub(super) fn combine(&self, other: &Self, operation: impl Fn(u64, u64) -> u64) -> Self {
        let mut combined = *self;
        for (word, other) in combined.0.iter_mut().zip(&other.0) {
            *word = operation(*word, *other);
        }
        combined
    }
}

impl BitAndAssign for Group {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        *self = self.combine(&other, |word, other| word & other);
    }
}

impl Not for Group {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rows_are_as_many_as_there_are() {
        for count in [0, 1, 63, 64, 65, 511, 512, 513] {
            let rows: Vec<_> = Group::first(count).bits().collect();
            assert_eq!(rows, (0..count.min(ROWS)).collect::<Vec<_>>());
        }
    }
}
