//! Assigns a number to each distinct text.

use std::collections::HashMap;

/// A text's number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct TextId(u32);

impl TextId {
    /// The number, from 0 in the order in which texts came.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// The number as the code of a column.
    pub(super) fn code(self) -> u64 {
        self.0.into()
    }
}

/// All texts that were ever numbered. A text keeps its number when no row uses it any more: there are few, since they
/// are names of skills and states.
#[derive(Default)]
pub(super) struct Interner {
    numbers: HashMap<Box<str>, TextId>,
}

impl Interner {
    /// The number of a text that some row has or had.
    pub(super) fn find(&self, text: &str) -> Option<TextId> {
        self.numbers.get(text).copied()
    }

    /// The number of a text. A new text gets a new number.
    pub(super) fn intern(&mut self, text: &str) -> TextId {
        self.find(text).unwrap_or_else(|| {
            let next = TextId(u32::try_from(self.numbers.len()).expect("fewer than 2^32 distinct words"));
            self.numbers.insert(text.into(), next);
            next
        })
    }
}
