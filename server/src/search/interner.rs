//! Assigns a number to each distinct text that is in use.

use std::collections::HashMap;
use std::num::NonZeroU32;

/// A text's number, plus one, so that an optional one takes four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TextId(NonZeroU32);

impl TextId {
    /// The number at this place.
    pub(crate) fn at(index: usize) -> Self {
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

/// The texts in use. The number of a text that is released as often as it was interned is free for another one.
#[derive(Default)]
pub(crate) struct Interner {
    /// Each text with its number, and how often it is in use.
    numbers: HashMap<Box<str>, (TextId, u32)>,
    free: Vec<TextId>,
}

impl Interner {
    /// The number of a text that is in use.
    pub(crate) fn find(&self, text: &str) -> Option<TextId> {
        self.numbers.get(text).map(|(id, _)| *id)
    }

    /// The number of a text, which is in use once more.
    pub(crate) fn intern(&mut self, text: &str) -> TextId {
        if let Some((id, uses)) = self.numbers.get_mut(text) {
            *uses = uses.saturating_add(1);
            return *id;
        }
        let next = self.free.pop().unwrap_or_else(|| TextId::at(self.numbers.len()));
        self.numbers.insert(text.into(), (next, 1));
        next
    }

    /// The text is in use once less. Its number, if that was the last use.
    pub(super) fn release(&mut self, text: &str) -> Option<TextId> {
        let (id, uses) = self.numbers.get_mut(text)?;
        *uses -= 1;
        let id = (*uses == 0).then_some(*id)?;
        self.numbers.remove(text);
        self.free.push(id);
        Some(id)
    }

    /// How many texts are in use.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_free_after_the_last_use_of_its_text() {
        let mut texts = Interner::default();
        let [a, b, again] = ["a", "b", "a"].map(|text| texts.intern(text));
        assert_eq!((a.index(), b.index(), again), (0, 1, a));
        assert_eq!((texts.release("a"), texts.find("a")), (None, Some(a)));
        assert_eq!((texts.release("a"), texts.find("a")), (Some(a), None));
        assert_eq!(texts.release("a"), None);
        let numbers = ["c", "d", "b"].map(|text| texts.intern(text));
        assert_eq!(numbers.map(TextId::index), [0, 2, 1]);
    }
}
