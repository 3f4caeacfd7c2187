//! Assigns a number to each distinct text, so that rows are compared by number.

use std::collections::HashMap;

/// A text's number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct TextId(u32);

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
    pub(super) fn intern(&mut self, text: String) -> TextId {
        let next = TextId(u32::try_from(self.numbers.len()).expect("fewer than 2^32 distinct words"));
        *self.numbers.entry(text.into()).or_insert(next)
    }
}
