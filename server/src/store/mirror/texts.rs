//! Distinct texts with their numbers, and the search for a part of them.

use memchr::memmem::Finder;

use contract::support::text::Part;

use crate::search::{Interner, TextId};

/// All texts that were added.
#[derive(Default)]
pub(super) struct Texts {
    /// `None` if each text that is added gets a number of its own.
    numbers: Option<Interner>,
    /// The texts one after the other, each followed by [`END`]: one pass finds a part in all of them.
    bytes: Vec<u8>,
    /// The end of each text in `bytes`.
    ends: Vec<usize>,
}

/// A byte that no text contains.
const END: u8 = 0xff;

/// Some of the texts.
pub(super) struct TextSet(Vec<bool>);

impl TextSet {
    /// Whether the set has the text.
    pub(super) fn contains(&self, text: TextId) -> bool {
        self.0[text.index()]
    }
}

impl Texts {
    /// How many texts there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// All texts, in the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|end| end + 1));
        let texts = starts.zip(&self.ends).map(|(start, end)| &self.bytes[start..*end]);
        texts.map(|text| str::from_utf8(text).expect("only texts are added"))
    }

    /// Texts of which many are the same: each takes memory once.
    pub(super) fn shared() -> Self {
        Self {
            numbers: Some(Interner::default()),
            ..Self::default()
        }
    }

    /// The number of a text. A new text gets the next number.
    pub(super) fn add(&mut self, text: &str) -> TextId {
        let next = self.ends.len();
        let id = match &mut self.numbers {
            Some(numbers) => numbers.intern(text),
            None => TextId::at(next),
        };
        if id.index() == self.ends.len() {
            self.bytes.extend_from_slice(text.as_bytes());
            self.ends.push(self.bytes.len());
            self.bytes.push(END);
        }
        id
    }

    /// The number of a text, if it was added.
    pub(super) fn find(&self, text: &str) -> Option<TextId> {
        self.numbers.as_ref()?.find(text)
    }

    /// The texts that contain `part`.
    pub(super) fn containing(&self, part: &str) -> TextSet {
        let mut set = vec![false; self.ends.len()];
        self.mark(part, &mut set);
        TextSet(set)
    }

    /// The texts that have the part.
    pub(super) fn having(&self, part: &Part) -> TextSet {
        let mut set = vec![false; self.ends.len()];
        for text in part.texts() {
            self.mark(text, &mut set);
        }
        if !part.is_any() {
            let marked = set.iter_mut().zip(self.iter()).filter(|(is_marked, _)| **is_marked);
            marked.for_each(|(is_marked, text)| *is_marked = part.is_in(text));
        }
        TextSet(set)
    }

    /// Marks the texts that contain `part`.
    fn mark(&self, part: &str, set: &mut [bool]) {
        let (finder, mut from, mut text) = (Finder::new(part), 0, 0);
        while let Some(found) = finder.find(&self.bytes[from..]) {
            let place = from + found;
            while self.ends.get(text).is_some_and(|end| *end <= place) {
                text += 1;
            }
            let Some(end) = self.ends.get(text) else { break };
            set[text] = true;
            from = *end;
        }
    }

    /// Keeps only the texts that are in `used`, whose numbers change.
    pub(super) fn retain<'u>(&mut self, used: impl Iterator<Item = &'u mut Option<TextId>>) {
        let numbers = self.numbers.as_ref().map(|_| Interner::default());
        let new = Self {
            numbers,
            ..Self::default()
        };
        let former = std::mem::replace(self, new);
        let text = |id: TextId| {
            let start = id.index().checked_sub(1).map_or(0, |before| former.ends[before] + 1);
            let bytes = &former.bytes[start..former.ends[id.index()]];
            std::str::from_utf8(bytes).expect("a whole text")
        };
        for id in used.flatten() {
            *id = self.add(text(*id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_found_within_a_text_only() {
        let mut texts = Texts::shared();
        let ids = ["osaka", "kobe", "", "東京都港区", "osaka kita"].map(|text| texts.add(text));
        assert_eq!(texts.add("kobe"), ids[1]);
        let found = |part: &str| {
            let set = texts.containing(part);
            ids.map(|id| set.contains(id))
        };
        assert_eq!(found("osaka"), [true, false, false, false, true]);
        assert_eq!(found("ak"), [true, false, false, false, true]);
        assert_eq!(found("akob"), [false; 5]);
        assert_eq!(found("京"), [false, false, false, true, false]);
        assert_eq!(found(""), [true; 5]);
        let mut kept = [Some(ids[3]), None, Some(ids[2])];
        texts.retain(kept.iter_mut());
        assert_eq!((texts.len(), kept[0]), (2, texts.find("東京都港区")));
        assert_eq!(kept[2], texts.find(""));
    }
}
