//! Compares what operations do to the stored records.

use super::declared::Declared;
use super::words::Words;
use crate::diff::matching::name_of;
use crate::diff::output::{Comparison, PathPair};
use crate::model::{Effect, Fill, Operation};
use std::collections::BTreeSet;

pub(super) fn compare(comparison: &mut Comparison<'_>) {
    let [before, now] = Words::from_comparison(comparison);
    let mut all = Vec::new();
    let surfaces = &comparison.paired.surfaces;
    for surface in surfaces {
        let place = PathPair::same("surfaces").under(&surface.old.name, &surface.new.name);
        for (old, new) in &surface.operations {
            let place = place.join("endpoints").under(&old.name, &new.name);
            let name = name_of(surface.new, new);
            for key in ["makes", "puts", "changes", "ends", "renews", "revokes"] {
                let (mut was, mut is) = (effects(&before, old, key), effects(&now, new, key));
                leave_out_what_is_reported_elsewhere(&mut was, &mut is);
                all.push(Declared {
                    place: place.join(key),
                    of: format!("what `{}` {key}", new.name),
                    was: text(&was),
                    is: text(&is),
                    operations: BTreeSet::from([name.clone()]),
                });
            }
            let renamed = |name: &str| {
                let mut pairs = surface.operations.iter();
                let is = pairs.find(|(old, _)| old.name == name).map(|(_, new)| &new.name);
                is.map_or_else(|| name.to_owned(), String::clone)
            };
            // Another field is reported as another member of the data.
            let counted = |operation: &Operation, name: &dyn Fn(&str) -> String| {
                let counts = operation.counts()?;
                Some(format!("{}, at most {} values", name(&counts.list.text), counts.max))
            };
            all.push(Declared {
                place: place.join("counts"),
                of: format!("what `{}` counts", new.name),
                was: counted(old, &renamed),
                is: counted(new, &|name| name.to_owned()),
                operations: BTreeSet::from([name.clone()]),
            });
            let tried = |operation: &Operation| operation.dry_run.as_ref().map(|tried| tried.text.clone());
            all.push(Declared {
                place: place.join("dry_run"),
                of: format!("what `{}` tries", new.name),
                was: tried(old).map(|name| renamed(&name)),
                is: tried(new),
                operations: BTreeSet::from([name.clone()]),
            });
            all.push(Declared {
                place: place.join("undeclared"),
                of: format!("why `{}` does more than the contract says", new.name),
                was: old.undeclared.clone(),
                is: new.undeclared.clone(),
                operations: BTreeSet::from([name]),
            });
        }
    }
    all.into_iter().for_each(|one| one.report(comparison));
}

/// The effects that one key of an operation declares.
fn effects(words: &Words<'_>, operation: &Operation, key: &str) -> Vec<Effect> {
    let effects = operation.effects.iter().filter(|effect| effect.key() == key);
    effects.map(|effect| words.effect(effect)).collect()
}

/// Leaves out the fields of a made record that are filled alike, and those whose difference is reported elsewhere: at the
/// field if only one contract has it, at the member of the body if only one contract has that.
fn leave_out_what_is_reported_elsewhere(was: &mut [Effect], is: &mut [Effect]) {
    for old in was {
        let Effect::Make { resource, fills, .. } = old else {
            continue;
        };
        let same = is.iter_mut().find_map(|new| match new {
            Effect::Make {
                resource: other, fills, ..
            } if other == resource => Some(fills),
            _ => None,
        });
        let Some(others) = same else { continue };
        let before = fills.clone();
        fills.retain(|fill| differs(fill, others));
        others.retain(|fill| differs(fill, &before));
    }
}

/// Whether both contracts have the field, and fill it differently by more than a member of the body that one of them lacks.
fn differs((name, fill): &(String, Fill), others: &[(String, Fill)]) -> bool {
    let other = others.iter().find(|(field, _)| field == name);
    let is_own = |fill: &Fill| matches!(fill, Fill::Member(member) if member == name);
    other.is_some_and(|(_, other)| {
        let is_of_member = (is_own(fill) && is_implied(other)) || (is_implied(fill) && is_own(other));
        fill != other && !is_of_member
    })
}

/// Whether a field gets such a value if neither a member nor `makes` gives one.
fn is_implied(fill: &Fill) -> bool {
    matches!(fill, Fill::Initial | Fill::Default | Fill::Nothing | Fill::Undeclared)
}

/// In no order: the order of effects means nothing.
fn text(effects: &[Effect]) -> Option<String> {
    let effects: BTreeSet<String> = effects.iter().map(Effect::to_string).collect();
    (!effects.is_empty()).then(|| effects.into_iter().collect::<Vec<_>>().join("; "))
}
