//! Assigns a number to each distinct text.

use std::collections::HashMap;
use std::num::NonZeroU32;

/// A text's number, plus one, so that an optional one takes four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TextId(NonZeroU32);

impl TextId {
    fn at(index: usize) -> Self {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        Self(number.expect("fewer than 2^32 distinct texts"))
    }

    /// The number, from 0 in the order in which texts came.
    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The number as the code of a column.
    pub(super) fn code(self) -> u64 {
        self.index() as u64
    }
}

/// All texts that were ever numbered. The index keeps them when no row uses them any more: there are few, since they are
/// names of skills and states.
#[derive(Default)]
pub(crate) struct Interner {
    numbers: HashMap<Box<str>, TextId>,
}

impl Interner {
    /// The number of a text that some row has or had.
    pub(crate) fn find(&self, text: &str) -> Option<TextId> {
        self.numbers.get(text).copied()
    }

    /// The number of a text. A new text gets a new number.
    pub(crate) fn intern(&mut self, text: &str) -> TextId {
        self.find(text).unwrap_or_else(|| {
            let next = TextId::at(self.numbers.len());
            self.numbers.insert(text.into(), next);
            next
        })
    }
}
