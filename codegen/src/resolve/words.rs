//! Converts words, numbers and tables of the specification to those of the model.

use crate::syntax::{Num, Table, Word};

pub(super) fn text(word: &Word) -> String {
    word.text.clone()
}

pub(super) fn texts(words: &[Word]) -> Vec<String> {
    words.iter().map(text).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "checked: whole")]
pub(super) fn signed(num: Num) -> i64 {
    num.value as i64
}

pub(super) fn status(num: Num) -> u16 {
    u16::try_from(num.whole()).unwrap_or(u16::MAX)
}

pub(super) fn lookup<'s, T>(table: &'s Table<T>, name: &str) -> Option<&'s T> {
    table.get(name)
}

pub(super) fn known<'s, T>(table: &'s Table<T>, name: &str) -> &'s T {
    lookup(table, name).expect("checked: the name is known")
}

/// Converts each entry of a table.
pub(super) fn each<T, M>(table: &Table<T>, make: impl Fn(&Word, &T) -> M) -> Vec<M> {
    table.iter().map(|(name, entry)| make(name, entry)).collect()
}
