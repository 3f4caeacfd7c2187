//! Matches named elements of two contracts.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;

/// The elements that both contracts have, and those that only one of them has.
pub(crate) struct Matched<'m, T> {
    /// In both, in the order of the new contract: the old element and the new one.
    pub(crate) kept: Vec<(&'m T, &'m T)>,
    /// Only in the old contract.
    pub(crate) removed: Vec<&'m T>,
    /// Only in the new contract.
    pub(crate) added: Vec<&'m T>,
}

/// Matches things by their names.
pub(crate) fn match_by<'m, T, N: Eq + Hash>(old: &'m [T], new: &'m [T], name: impl Fn(&'m T) -> N) -> Matched<'m, T> {
    let olds: HashMap<N, &T> = old.iter().map(|thing| (name(thing), thing)).collect();
    let news: HashSet<N> = new.iter().map(&name).collect();
    let kept = new.iter().filter_map(|new| Some((*olds.get(&name(new))?, new)));
    Matched {
        kept: kept.collect(),
        removed: old.iter().filter(|thing| !news.contains(&name(thing))).collect(),
        added: new.iter().filter(|thing| !olds.contains_key(&name(thing))).collect(),
    }
}

impl<'m, T> Matched<'m, T> {
    /// Removes and returns, in order, the pairs of a removed and an added element with the same content. Content `None`
    /// matches nothing.
    pub(crate) fn take_renamed<C: Eq + Hash>(
        &mut self,
        old: impl Fn(&'m T) -> Option<C>,
        new: impl Fn(&'m T) -> Option<C>,
    ) -> Vec<(&'m T, &'m T)> {
        let mut come: HashMap<C, VecDeque<usize>> = HashMap::new();
        for (index, thing) in self.added.iter().enumerate() {
            if let Some(content) = new(thing) {
                come.entry(content).or_default().push_back(index);
            }
        }
        let mut taken = HashSet::new();
        let mut renamed = Vec::new();
        self.removed.retain(|thing| {
            let index = old(thing).and_then(|content| come.get_mut(&content)?.pop_front());
            if let Some(index) = index {
                taken.insert(index);
                renamed.push((*thing, self.added[index]));
            }
            index.is_none()
        });
        let mut index = 0..;
        self.added
            .retain(|_| !index.next().is_some_and(|index| taken.contains(&index)));
        renamed
    }
}
