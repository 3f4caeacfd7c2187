//! The names of trees.

use std::cmp::Ordering;

/// A tree: the records of a table, the rows of an index, or numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tree {
    place: u8,
    name: &'static str,
    is_in_checksum: bool,
}

impl Tree {
    /// Numbers and facts of the store as a whole, by name. An engine keeps its own here, too.
    pub const META: Self = Self::at(0, "meta");
    /// The pieces of long values, which only the engine uses.
    pub(crate) const PIECES: Self = Self::at(1, "pieces");
    /// The first place that [`Self::at`] may take.
    pub const FIRST: u8 = 2;

    /// The tree with this name at this place among those of a [`Schema`](crate::Schema).
    #[must_use]
    pub const fn at(place: u8, name: &'static str) -> Self {
        let is_in_checksum = true;
        Self {
            place,
            name,
            is_in_checksum,
        }
    }

    /// The same tree, but the checksum of the store leaves it out. A program that does not know the tree can then read the
    /// store; and what this tree loses is not noticed.
    #[must_use]
    pub const fn without_checksum(self) -> Self {
        let is_in_checksum = false;
        Self { is_in_checksum, ..self }
    }

    /// Its name on disk.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    pub(crate) fn place(self) -> usize {
        self.place.into()
    }

    pub(crate) fn is_in_checksum(self) -> bool {
        self.is_in_checksum
    }
}

impl Ord for Tree {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place.cmp(&other.place)
    }
}

impl PartialOrd for Tree {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
