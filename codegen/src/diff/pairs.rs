//! Things with names, brought together over two contracts.

/// What stands under the same names in two contracts, and what only one of them has.
pub(super) struct Pairs<'m, T> {
    /// In both, in the order of the new one: the old, the new.
    pub(super) kept: Vec<(&'m T, &'m T)>,
    /// Only in the old one.
    pub(super) removed: Vec<&'m T>,
    /// Only in the new one.
    pub(super) added: Vec<&'m T>,
}

/// Pairs things by their names.
pub(super) fn pairs<'m, T>(old: &'m [T], new: &'m [T], name: impl Fn(&T) -> &str) -> Pairs<'m, T> {
    let among = |things: &'m [T], wanted: &T| things.iter().find(|thing| name(thing) == name(wanted));
    let kept = new.iter().filter_map(|new| Some((among(old, new)?, new)));
    Pairs {
        kept: kept.collect(),
        removed: old.iter().filter(|thing| among(new, thing).is_none()).collect(),
        added: new.iter().filter(|thing| among(old, thing).is_none()).collect(),
    }
}
