//! Compares character classes as sets, independent of their notation.

use super::relation::Relation;
use crate::model::Class;

/// The relation of two classes. No class allows all characters.
pub(crate) fn relation(old: Option<&str>, new: Option<&str>) -> Relation {
    let (old, new) = (ranges(old), ranges(new));
    let narrower = Relation::NARROWER.only_if(!covers(&new, &old));
    narrower | Relation::WIDER.only_if(!covers(&old, &new))
}

/// The relation of texts that may contain bidirectional controls, or may not.
pub(crate) fn of_bidi_controls(old: bool, new: bool) -> Relation {
    Relation::NARROWER.only_if(old && !new) | Relation::WIDER.only_if(new && !old)
}

/// The ranges of a class such as `a-z0-9_-`, in order and without overlaps.
fn ranges(class: Option<&str>) -> Vec<(u32, u32)> {
    let Some(class) = class else {
        return vec![(0, u32::MAX)];
    };
    let class = Class::parse(class);
    let numbers = |(first, last): &(char, char)| (u32::from(*first), u32::from(*last));
    let mut ranges: Vec<(u32, u32)> = class.ranges().iter().map(numbers).collect();
    ranges.sort_unstable();
    ranges.into_iter().fold(Vec::new(), |mut joined, (first, last)| {
        match joined.last_mut() {
            Some((_, end)) if first <= u32::saturating_add(*end, 1) => *end = last.max(*end),
            _ => joined.push((first, last)),
        }
        joined
    })
}

/// Whether `whole` contains every character of `part`.
fn covers(whole: &[(u32, u32)], part: &[(u32, u32)]) -> bool {
    let is_in = |(first, last): &(u32, u32)| {
        let next = whole.partition_point(|(start, _)| start <= first);
        next.checked_sub(1).is_some_and(|range| whole[range].1 >= *last)
    };
    part.iter().all(is_in)
}
