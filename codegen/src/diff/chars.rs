//! Classes of characters, compared as sets, however they are written.

use super::relation::Relation;
use crate::model::Class;

/// How two classes relate; all characters are allowed where there is none.
pub(super) fn relation(old: Option<&str>, new: Option<&str>) -> Relation {
    let (old, new) = (ranges(old), ranges(new));
    let narrower = Relation::NARROWER.only_if(!covers(&new, &old));
    narrower | Relation::WIDER.only_if(!covers(&old, &new))
}

/// How texts relate that may have bidirectional controls, or not.
pub(super) fn of_bidi_controls(old: bool, new: bool) -> Relation {
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

/// Whether every character of the one is among those of the other.
fn covers(whole: &[(u32, u32)], part: &[(u32, u32)]) -> bool {
    let is_in = |(first, last): &(u32, u32)| {
        let next = whole.partition_point(|(start, _)| start <= first);
        next.checked_sub(1).is_some_and(|range| whole[range].1 >= *last)
    };
    part.iter().all(is_in)
}
