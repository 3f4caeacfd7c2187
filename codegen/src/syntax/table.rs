//! A list of named entries in the order of the file, with look-up by name.

use crate::span::Word;
use std::ops::Deref;
use std::slice::Iter;

/// Named entries in the order of the file. Names are unique. It dereferences to a slice of the entries.
#[derive(Clone, Debug)]
pub struct Table<T> {
    entries: Vec<(Word, T)>,
    /// The indexes of the entries, sorted by name: long or invalid contracts need many look-ups.
    by_name: Vec<usize>,
}

impl<T> Table<T> {
    /// The entry with this name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.entry(name).map(|(_, entry)| entry)
    }

    /// The entry with this name, and the name where it is declared.
    pub fn entry(&self, name: &str) -> Option<&(Word, T)> {
        let name_of = |place: &usize| self.entries[*place].0.text.as_str();
        let found = self.by_name.binary_search_by(|place| name_of(place).cmp(name));
        found.ok().map(|found| &self.entries[self.by_name[found]])
    }

    /// The entries, with mutable values.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&Word, &mut T)> {
        self.entries.iter_mut().map(|(name, entry)| (&*name, entry))
    }

    /// Keeps the entries for which `keep` returns true.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&(Word, T)) -> bool) {
        let mut entries = std::mem::take(&mut self.entries);
        entries.retain(keep);
        *self = entries.into_iter().collect();
    }
}

impl<T> FromIterator<(Word, T)> for Table<T> {
    fn from_iter<I: IntoIterator<Item = (Word, T)>>(entries: I) -> Self {
        let entries: Vec<_> = entries.into_iter().collect();
        let mut by_name: Vec<usize> = (0..entries.len()).collect();
        by_name.sort_by_key(|place| entries[*place].0.text.as_str());
        Self { entries, by_name }
    }
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            by_name: Vec::new(),
        }
    }
}

impl<T> Deref for Table<T> {
    type Target = [(Word, T)];

    fn deref(&self) -> &Self::Target {
        &self.entries
    }
}

impl<'t, T> IntoIterator for &'t Table<T> {
    type Item = &'t (Word, T);
    type IntoIter = Iter<'t, (Word, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Table;
    use crate::span::Word;

    #[test]
    fn entries_are_found_by_name_and_stand_in_the_order_of_the_file() {
        let word = |text: &str| Word {
            text: text.to_owned(),
            ..Word::default()
        };
        let mut table: Table<u32> = [(word("pear"), 1), (word("apple"), 2), (word("fig"), 3)]
            .into_iter()
            .collect();
        assert_eq!(table.get("apple"), Some(&2));
        assert_eq!(table.get("plum"), None);
        table.retain(|(name, _)| name.text != "pear");
        let left: Vec<&str> = table.iter().map(|(name, _)| name.text.as_str()).collect();
        assert_eq!(left, ["apple", "fig"]);
        assert_eq!((table.get("pear"), table.get("fig")), (None, Some(&3)));
    }
}
