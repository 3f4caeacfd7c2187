//! The workers of each skill.

use super::group::RowNumber;
use super::interner::Interner;
use super::posting::Posting;

/// A posting for each name of a skill that a worker has.
#[derive(Default)]
pub(super) struct Skills {
    names: Interner,
    postings: Vec<Posting>,
}

impl Skills {
    /// The rows that have the skill, or `None` if no row has it.
    pub(super) fn posting(&self, name: &str) -> Option<&Posting> {
        self.names.find(name).map(|id| &self.postings[id.index()])
    }

    /// Adds skills to a row. `all` is the number of rows of the index.
    pub(super) fn insert(&mut self, row: RowNumber, names: &[String], all: usize) {
        for name in names {
            let id = self.names.intern(name).index();
            self.postings
                .resize_with(self.postings.len().max(id + 1), Posting::default);
            self.postings[id].insert(row, all);
        }
    }

    /// Removes skills from a row. `all` is the number of rows of the index.
    pub(super) fn remove(&mut self, row: RowNumber, names: &[String], all: usize) {
        for name in names {
            let Some(id) = self.names.find(name) else { continue };
            self.postings[id.index()].remove(row, all);
            if self.names.release(name).is_some() {
                self.postings[id.index()] = Posting::default();
            }
        }
    }

    /// How many names there are.
    #[cfg(test)]
    pub(super) fn names(&self) -> usize {
        self.names.len()
    }

    /// How many skills the rows have together.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.postings.iter().map(Posting::len).sum()
    }

    /// The bytes of memory that the postings take.
    pub(super) fn memory_bytes(&self) -> usize {
        self.postings.iter().map(Posting::memory_bytes).sum()
    }
}
