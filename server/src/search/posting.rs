//! The rows that have one skill.

use super::group::{Group, RowNumber, place};

/// A set of rows: a sorted list while it is small in relation to all rows, and bits while it is large.
pub(super) enum Posting {
    /// Ascending.
    Sparse(Vec<RowNumber>),
    /// A group of bits for each group of rows, up to the last row that was ever in the set; and how many bits are set.
    Dense(Vec<Group>, usize),
}

/// A list becomes bits when it has more than this share of all rows. Then the bits take less memory.
const PROMOTE: usize = 24;
/// Bits become a list when they have less than this share of all rows. The distance between the two keeps a set whose
/// size goes up and down from changing often.
const DEMOTE: usize = 64;

impl Default for Posting {
    fn default() -> Self {
        Self::Sparse(Vec::new())
    }
}

impl Posting {
    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Sparse(rows) => rows.len(),
            Self::Dense(_, len) => *len,
        }
    }

    /// The rows by group, without empty groups.
    pub(super) fn groups(&self) -> Vec<(usize, Group)> {
        match self {
            Self::Sparse(rows) => {
                let mut groups: Vec<(usize, Group)> = Vec::new();
                for (number, bit) in rows.iter().copied().map(place) {
                    match groups.last_mut() {
                        Some((last, group)) if *last == number => group.set(bit, true),
                        _ => {
                            let mut group = Group::NONE;
                            group.set(bit, true);
                            groups.push((number, group));
                        }
                    }
                }
                groups
            }
            Self::Dense(groups, _) => {
                let groups = groups.iter().copied().enumerate();
                groups.filter(|(_, rows)| !rows.is_empty()).collect()
            }
        }
    }

    /// Adds a row. `all` is the number of rows of the index.
    pub(super) fn insert(&mut self, row: RowNumber, all: usize) {
        match self {
            // New rows come last.
            Self::Sparse(rows) if rows.last().is_none_or(|last| *last < row) => rows.push(row),
            Self::Sparse(rows) => match rows.binary_search(&row) {
                Ok(_) => return,
                Err(place) => rows.insert(place, row),
            },
            Self::Dense(groups, len) => {
                let (group, bit) = place(row);
                groups.resize(groups.len().max(group + 1), Group::NONE);
                *len += usize::from(!groups[group].contains(bit));
                groups[group].set(bit, true);
            }
        }
        self.adapt(all);
    }

    /// Removes a row. `all` is the number of rows of the index.
    pub(super) fn remove(&mut self, row: RowNumber, all: usize) {
        match self {
            Self::Sparse(rows) => match rows.binary_search(&row) {
                Ok(place) => drop(rows.remove(place)),
                Err(_) => return,
            },
            Self::Dense(groups, len) => {
                let (group, bit) = place(row);
                let Some(group) = groups.get_mut(group).filter(|group| group.contains(bit)) else {
                    return;
                };
                group.set(bit, false);
                *len -= 1;
            }
        }
        self.adapt(all);
    }

    /// The bytes of memory that it takes.
    pub(super) fn memory_bytes(&self) -> usize {
        let inner = match self {
            Self::Sparse(rows) => rows.capacity() * size_of::<RowNumber>(),
            Self::Dense(groups, _) => groups.capacity() * size_of::<Group>(),
        };
        inner + size_of::<Self>()
    }

    fn adapt(&mut self, all: usize) {
        match self {
            Self::Sparse(rows) if rows.len() * PROMOTE > all => {
                let mut groups = vec![Group::NONE; rows.last().map_or(0, |last| place(*last).0 + 1)];
                for (group, bit) in rows.iter().copied().map(place) {
                    groups[group].set(bit, true);
                }
                *self = Self::Dense(groups, rows.len());
            }
            Self::Dense(groups, len) if *len * DEMOTE < all => {
                let groups = groups.iter().enumerate();
                *self = Self::Sparse(groups.flat_map(|(group, rows)| rows.rows(group)).collect());
            }
            _ => {}
        }
    }
}

impl Posting {
    /// Whether the row is in the set.
    pub(super) fn contains(&self, row: RowNumber) -> bool {
        match self {
            Self::Sparse(rows) => rows.binary_search(&row).is_ok(),
            Self::Dense(groups, _) => {
                let (group, bit) = place(row);
                groups.get(group).is_some_and(|group| group.contains(bit))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(posting: &Posting, is_dense: bool, rows: impl Iterator<Item = RowNumber>) {
        let rows: Vec<_> = rows.collect();
        assert_eq!(
            (matches!(posting, Posting::Dense(..)), posting.len()),
            (is_dense, rows.len())
        );
        assert!(rows.iter().all(|row| posting.contains(*row)));
    }

    #[test]
    fn a_set_becomes_bits_above_a_24th_and_a_list_below_a_64th() {
        let (all, mut posting) = (24 * 64, Posting::default());
        let rows = |count| (0..count).map(|row| row * 23);
        rows(64).rev().chain([0]).for_each(|row| posting.insert(row, all));
        check(&posting, false, rows(64));
        posting.insert(64 * 23, all);
        check(&posting, true, rows(65));
        rows(65).skip(24).for_each(|row| posting.remove(row, all));
        posting.remove(1, all);
        check(&posting, true, rows(24));
        posting.remove(23 * 23, all);
        check(&posting, false, rows(23));
        posting.insert(23 * 23, all);
        check(&posting, false, rows(24));
    }
}
