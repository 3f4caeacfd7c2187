//! `limits`: how often one may call.

use super::Comparison;
use super::pairs::pairs;
use crate::model::{Limit, Model};
use std::collections::BTreeSet;

pub(super) fn compare(comparison: &mut Comparison<'_>) {
    let limits = pairs(&comparison.old.limits, &comparison.new.limits, |limit| &limit.name);
    for (old, new) in limits.kept {
        compare_limit(comparison, old, new);
    }
}

fn compare_limit(comparison: &mut Comparison<'_>, old: &Limit, new: &Limit) {
    let Limit {
        name,
        counts: _,
        max,
        window_seconds,
        at: _,
    } = new;
    if (*max, *window_seconds) != (old.max, old.window_seconds) {
        let path = format!("limits.{name}.rate");
        let rule = if allows_less(old, new) {
            "limit-lowered"
        } else {
            "limit-raised"
        };
        let message = format!("`{name}` lets {} through, was {}", rate(new), rate(old));
        comparison.changed(rule, &path, counted(comparison.new, name), message);
    }
}

/// Whether some pace that the old limit let through is too fast for the new one: fewer at once, or fewer on the whole.
fn allows_less(old: &Limit, new: &Limit) -> bool {
    let pace = |limit: &Limit, other: &Limit| u64::from(limit.max) * u64::from(other.window_seconds);
    new.max < old.max || pace(new, old) < pace(old, new)
}

fn rate(limit: &Limit) -> String {
    format!("{} in {} s", limit.max, limit.window_seconds)
}

/// The operations that a limit counts.
fn counted(model: &Model, limit: &str) -> BTreeSet<String> {
    let of_surfaces = model.surfaces.iter().flat_map(|surface| {
        let operations = surface.operations.iter();
        let counted = operations.filter(|operation| operation.limit.as_deref() == Some(limit));
        counted.map(|operation| format!("{}.{}", surface.name, operation.name))
    });
    of_surfaces.collect()
}
