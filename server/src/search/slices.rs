//! A column of unsigned integers as bit slices.

use super::group::{Group, RowNumber, place};

/// A code for each row. Slice `n` has bit `n` of all codes; there are as many slices as the largest code ever had bits.
#[derive(Default)]
pub(super) struct Slices {
    slices: Vec<Vec<Group>>,
    groups: usize,
}

impl Slices {
    /// The number of slices.
    pub(super) fn width(&self) -> usize {
        self.slices.len()
    }

    /// The largest code that the slices can hold.
    pub(super) fn largest(&self) -> u64 {
        u64::MAX.checked_shr(u64::BITS - self.width() as u32).unwrap_or(0)
    }

    /// Whether there is a slice for each bit of the code. If not, no row has it.
    pub(super) fn is_wide_enough(&self, code: u64) -> bool {
        code <= self.largest()
    }

    /// A slice, with a group of bits for each group of rows.
    pub(super) fn slice(&self, number: usize) -> &[Group] {
        &self.slices[number]
    }

    /// The code of a row.
    pub(super) fn get(&self, row: RowNumber) -> u64 {
        let (group, bit) = place(row);
        let slices = self.slices.iter().enumerate();
        slices.fold(0, |code, (n, slice)| code | u64::from(slice[group].contains(bit)) << n)
    }

    /// Sets the code of a row. New rows have code 0.
    pub(super) fn set(&mut self, row: RowNumber, code: u64) {
        let (group, bit) = place(row);
        self.groups = self.groups.max(group + 1);
        let width = (u64::BITS - code.leading_zeros()) as usize;
        self.slices.resize_with(width.max(self.width()), Vec::new);
        for (n, slice) in self.slices.iter_mut().enumerate() {
            if slice.len() < self.groups {
                slice.resize(self.groups, Group::NONE);
            }
            slice[group].set(bit, code >> n & 1 == 1);
        }
    }

    /// Keeps the rows of a group whose code is `code`, for which it must be wide enough.
    #[inline(always)]
    pub(super) fn retain_equal(&self, group: usize, code: u64, rows: &mut Group) {
        for (n, slice) in self.slices.iter().enumerate() {
            let differs = if code >> n & 1 == 1 { 0 } else { u64::MAX };
            *rows = rows.combine(&slice[group], |row, bit| row & (bit ^ differs));
        }
    }

    /// Keeps the rows of a group whose code is from `min` to `max`, for which it must be wide enough.
    ///
    /// Both comparisons begin with the least significant bit, where the bounds do not yet decide, and each higher bit
    /// overrules the lower ones.
    #[inline(always)]
    pub(super) fn retain_range(&self, group: usize, (min, max): (u64, u64), rows: &mut Group) {
        let mut is_below = Group::NONE;
        for (n, slice) in self.slices.iter().enumerate().skip(min.trailing_zeros() as usize) {
            let bits = &slice[group];
            is_below = match min >> n & 1 {
                1 => is_below.combine(bits, |below, bit| below | !bit),
                _ => is_below.combine(bits, |below, bit| below & !bit),
            };
        }
        *rows &= !is_below;
        let mut is_up_to = Group::ALL;
        for (n, slice) in self.slices.iter().enumerate().skip(max.trailing_ones() as usize) {
            let bits = &slice[group];
            is_up_to = match max >> n & 1 {
                1 => is_up_to.combine(bits, |up_to, bit| up_to | !bit),
                _ => is_up_to.combine(bits, |up_to, bit| up_to & !bit),
            };
        }
        *rows &= is_up_to;
    }

    /// The bytes of memory that it takes.
    pub(super) fn memory_bytes(&self) -> usize {
        self.slices
            .iter()
            .map(|slice| slice.capacity() * size_of::<Group>())
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::group::ROWS;

    /// Three groups of codes, with the largest code last.
    fn codes() -> Vec<u64> {
        (0..ROWS as u64 * 2 + 7).map(|row| row * 7 % 48).chain([63]).collect()
    }

    #[track_caller]
    fn check(retain: impl Fn(&Slices, usize, &mut Group), is_kept: impl Fn(u64) -> bool) {
        let (codes, mut slices) = (codes(), Slices::default());
        for (row, code) in codes.iter().enumerate() {
            slices.set(row as u32, *code);
        }
        assert_eq!(
            (0..codes.len() as u32).map(|row| slices.get(row)).collect::<Vec<_>>(),
            codes
        );
        for (group, codes) in codes.chunks(ROWS).enumerate() {
            let mut rows = Group::first(codes.len());
            retain(&slices, group, &mut rows);
            let expected: Vec<_> = (0..codes.len()).filter(|row| is_kept(codes[*row])).collect();
            assert_eq!(rows.bits().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn rows_with_a_code_or_a_range_of_codes_are_kept() {
        for (min, max) in [(0, 63), (0, 0), (1, 1), (8, 31), (7, 32), (47, 62), (63, 63), (9, 8)] {
            check(
                |slices, group, rows| slices.retain_range(group, (min, max), rows),
                |code| (min..=max).contains(&code),
            );
            check(
                |slices, group, rows| slices.retain_equal(group, max, rows),
                |code| code == max,
            );
        }
    }
}
