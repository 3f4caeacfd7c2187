//! Compares `quotas`: how many resources an owner may have. A quota that applies only to added or removed operations is
//! part of those changes.

use super::errors;
use crate::diff::matching::operations;
use crate::diff::output::{Comparison, PathPair, Rule};
use crate::model::{Operation, Quota, Surface, period_in_words};
use crate::step::Step;
use std::collections::BTreeSet;

pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    let (old, new) = (comparison.old, comparison.new);
    let quotas = &comparison.paired.quotas;
    for (old, new) in &quotas.kept {
        compare_quota(comparison, old, new);
    }
    for quota in &quotas.removed {
        let operations = comparison.paired.still(old, holds_for(quota));
        if !operations.is_empty() {
            let (per, of, max) = (&quota.per, noun(quota), quota.max);
            let message = format!("each `{per}` can have any number of {of}, was at most {max}");
            comparison.removed(
                Rule::QuotaRemoved,
                &format!("quotas.{}", quota.name),
                operations,
                message,
            );
        }
    }
    for quota in &quotas.added {
        let operations = comparison.paired.already(new, holds_for(quota));
        if !operations.is_empty() {
            let (max, of, per) = (quota.max, noun(quota), &quota.per);
            let message = format!("each `{per}` can have at most {max} {of}, was any number");
            comparison.added(Rule::QuotaAdded, &format!("quotas.{}", quota.name), operations, message);
        }
    }
}

fn compare_quota(comparison: &mut Comparison<'_>, old: &Quota, new: &Quota) {
    let Quota {
        name,
        max,
        of,
        per,
        noun: called,
        only: _,
        window_seconds,
        at: _,
    } = new;
    let names = comparison.names;
    let place = PathPair::same("quotas").under(&old.name, name);
    let operations = operations(comparison.new, holds_for(new));
    if *name != old.name {
        let message = format!("the quota `{}` is renamed to `{name}`", old.name);
        comparison.between(Rule::QuotaRenamed, &place, BTreeSet::new(), message);
    }
    if *max != old.max {
        let rule = if *max < old.max {
            Rule::QuotaLowered
        } else {
            Rule::QuotaRaised
        };
        let message = format!("each `{per}` can have at most {max} {}, was {}", noun(new), old.max);
        comparison.between(rule, &place.join("max"), operations.clone(), message);
    }
    let (was_of, of) = (old.of.to_string(), of.to_string());
    let scopes = [
        ("of", names.resource(&was_of) != of, format!("`{was_of}`")),
        ("per", names.resource(&old.per) != per, format!("each `{}`", old.per)),
    ];
    for (key, _, before) in scopes.into_iter().filter(|(_, changes, _)| *changes) {
        let message = format!("each `{per}` can have at most {max} `{of}`, was {before}");
        comparison.between(Rule::QuotaScopeChanged, &place.join(key), operations.clone(), message);
    }
    if *window_seconds != old.window_seconds {
        let message = format!(
            "each `{per}` can have at most {max} {} {}, was {}",
            noun(new),
            period(*window_seconds),
            period(old.window_seconds)
        );
        comparison.between(
            Rule::QuotaScopeChanged,
            &place.join("within"),
            operations.clone(),
            message,
        );
    }
    if *called != old.noun {
        let rule = if is_told(comparison) {
            errors::worded(comparison)
        } else {
            Rule::ErrorWordingChanged
        };
        let message = format!("the noun in errors is `{called}`, was `{}`", old.noun);
        comparison.between(rule, &place.join("noun"), operations, message);
    }
}

/// Whether the error response names what there are too many of.
fn is_told(comparison: &Comparison<'_>) -> bool {
    let row = comparison.new.error_at(Step::Quota);
    row.is_some_and(|row| row.placeholders().contains(&"noun"))
}

fn holds_for(quota: &Quota) -> impl Fn(&Surface, &Operation) -> bool {
    let name = quota.name.clone();
    move |_, operation| operation.counts_towards(&name)
}

fn period(seconds: Option<u32>) -> String {
    seconds.map_or_else(
        || "at a time".to_owned(),
        |seconds| format!("within {}", period_in_words(seconds)),
    )
}

fn noun(quota: &Quota) -> String {
    format!("`{}`", quota.noun)
}
