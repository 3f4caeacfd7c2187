//! Compares `limits` and `limit_headers`: the rate limits, and how answers report them.
//!
//! The single limit of failed credentials is identified by its purpose, every other limit by its name. A limit that
//! counts only added or removed operations is part of those changes.

use super::headers;
use crate::diff::matching::identity::{methods, name_of_limit};
use crate::diff::matching::operations;
use crate::diff::output::{Comparison, PathPair, Rule};
use crate::model::{Counts, Limit, Operation, Per, Surface};
use std::collections::BTreeSet;

pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    let (old, new) = (comparison.old, comparison.new);
    let limits = &comparison.paired.limits;
    for (old, new) in &limits.kept {
        compare_limit(comparison, old, new);
    }
    compare_methods(comparison, &limits.kept);
    for limit in &limits.removed {
        let operations = comparison.paired.still(old, counted_by(limit));
        if !operations.is_empty() && name_of_limit(limit).is_some() {
            let message = format!("the limit `{}` is removed, was {}", limit.name, rate(limit));
            comparison.removed(
                Rule::LimitRemoved,
                &format!("limits.{}", limit.name),
                operations,
                message,
            );
        }
    }
    for limit in &limits.added {
        let operations = comparison.paired.already(new, counted_by(limit));
        if !operations.is_empty() && name_of_limit(limit).is_some() {
            let message = format!("the limit `{}` is added: {}, {}", limit.name, rate(limit), per(limit));
            comparison.added(Rule::LimitAdded, &format!("limits.{}", limit.name), operations, message);
        }
    }
    let limited = operations(new, |_, operation| operation.limit.is_some());
    let place = PathPair::same("limit_headers");
    headers::compare(comparison, &place, (&old.limit_headers, &new.limit_headers), &limited);
}

fn by_nature(limit: &Limit, failed: Rule, other: Rule) -> Rule {
    match limit.counts {
        Counts::FailedCredentials => failed,
        Counts::Methods { .. } => other,
    }
}

fn compare_limit(comparison: &mut Comparison<'_>, old: &Limit, new: &Limit) {
    let Limit {
        name,
        counts,
        max,
        owner_max: _,
        window_seconds,
        at: _,
    } = new;
    let place = PathPair::same("limits").under(&old.name, name);
    let operations = operations(comparison.new, counted_by(new));
    if *name != old.name {
        let rule = if is_named_to_clients(comparison) {
            Rule::LimitCodeRenamed
        } else {
            Rule::LimitRenamed
        };
        let message = format!("the limit `{}` is renamed to `{name}`", old.name);
        let tellers = if rule == Rule::LimitRenamed {
            BTreeSet::new()
        } else {
            operations.clone()
        };
        comparison.between(rule, &place, tellers, message);
    }
    if (*max, *window_seconds) != (old.max, old.window_seconds) {
        let rule = match allows_less(old, new) {
            true => by_nature(new, Rule::GuessLimitLowered, Rule::LimitLowered),
            false => by_nature(new, Rule::GuessLimitRaised, Rule::LimitRaised),
        };
        let message = format!("`{name}` allows {}, was {}", rate(new), rate(old));
        comparison.between(rule, &place.join("rate"), operations.clone(), message);
    }
    compare_owner_rate(comparison, &place, (old, new));
    let (Counts::Methods { per: was, .. }, Counts::Methods { per: is, .. }) = (&old.counts, counts) else {
        return;
    };
    if is != was {
        let message = format!("`{name}` counts requests {}, was {}", per(new), per(old));
        comparison.between(Rule::LimitScopeChanged, &place.join("per"), operations, message);
    }
}

/// Compares the rate that all credentials of a caller share. Its window is that of the limit's own rate.
fn compare_owner_rate(comparison: &mut Comparison<'_>, limit: &PathPair, (old, new): (&Limit, &Limit)) {
    let of_owner = |limit: &Limit| {
        let max = limit.owner_max?;
        Some(Limit { max, ..limit.clone() })
    };
    let of_caller = "for all credentials of a caller together";
    let (rule, message) = match (of_owner(old), of_owner(new)) {
        (Some(was), Some(is)) if (was.max, was.window_seconds) != (is.max, is.window_seconds) => {
            let rule = match allows_less(&was, &is) {
                true => Rule::OwnerLimitLowered,
                false => Rule::OwnerLimitRaised,
            };
            (rule, format!("allows {} {of_caller}, was {}", rate(&is), rate(&was)))
        }
        (Some(was), None) => (
            Rule::OwnerLimitRemoved,
            format!("no longer has a rate {of_caller}, was {}", rate(&was)),
        ),
        (None, Some(is)) => (Rule::OwnerLimitAdded, format!("allows {} {of_caller}", rate(&is))),
        _ => return,
    };
    let (model, counts) = (comparison.new, counted_by(new));
    let operations = operations(model, |surface, operation| {
        let credential = model.credential_of(surface);
        counts(surface, operation) && credential.is_some_and(|one| model.has_other_credentials(one))
    });
    let message = format!("`{}` {message}", new.name);
    comparison.between(rule, &limit.join("owner_rate"), operations, message);
}

/// A limit that is in both contracts, with a method that it counts in only one of them.
struct Counted<'m> {
    old: &'m Limit,
    new: &'m Limit,
    method: &'m str,
}

impl Counted<'_> {
    fn place(&self) -> PathPair {
        let limit = PathPair::same("limits").under(&self.old.name, &self.new.name);
        limit.join("methods").join(self.method)
    }
}

/// A method that moves from one limit to another is reported once.
fn compare_methods(comparison: &mut Comparison<'_>, limits: &[(&Limit, &Limit)]) {
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    for (old, new) in limits {
        let (was, is) = (methods(old).0, methods(new).0);
        let counted = |method| Counted { old, new, method };
        gone.extend(
            was.iter()
                .filter(|method| !is.contains(method))
                .map(|method| counted(method)),
        );
        come.extend(
            is.iter()
                .filter(|method| !was.contains(method))
                .map(|method| counted(method)),
        );
    }
    for now in come {
        let counted = comparison.paired.already(comparison.new, requests(now.new, now.method));
        // Operations that had another method and were counted by the same limit are not affected.
        let same = comparison.paired.still(comparison.old, counted_by(now.old));
        let operations: BTreeSet<String> = counted.difference(&same).cloned().collect();
        let before = gone.iter().position(|before| before.method == now.method);
        let before = before
            .filter(|_| !operations.is_empty())
            .map(|index| gone.remove(index));
        let (name, method) = (&now.new.name, now.method);
        let message = format!("`{name}` counts `{method}` and allows {}", rate(now.new));
        if let Some(before) = before {
            let place = PathPair {
                old: before.place().old,
                new: now.place().new,
            };
            let message = format!("{message}, was `{}` with {}", before.new.name, rate(before.old));
            comparison.between(Rule::LimitMethodMoved, &place, operations, message);
        } else if operations.is_empty() {
            comparison.added(Rule::LimitMethodAdded, &now.place().new, operations, message);
        } else {
            comparison.added(Rule::LimitMethodMoved, &now.place().new, operations, message);
        }
    }
    for before in gone {
        let operations = comparison
            .paired
            .still(comparison.old, requests(before.old, before.method));
        let message = format!("`{}` no longer counts `{}`", before.new.name, before.method);
        comparison.removed(Rule::LimitMethodRemoved, &before.place().old, operations, message);
    }
}

/// Whether the headers that report limits contain their names.
fn is_named_to_clients(comparison: &Comparison<'_>) -> bool {
    let mut headers = comparison.new.limit_headers.iter();
    headers.any(|(_, template)| template.placeholders().contains(&"limit"))
}

fn allows_less(old: &Limit, new: &Limit) -> bool {
    is_lower((old.max, old.window_seconds), (new.max, new.window_seconds))
}

/// Whether the new maximum in a window of seconds rejects some rate that the old one allowed: less in a burst, or less on
/// average.
pub(super) fn is_lower(old: (u32, u32), new: (u32, u32)) -> bool {
    let pace = |(max, _): (u32, u32), (_, window_seconds): (u32, u32)| u64::from(max) * u64::from(window_seconds);
    new.0 < old.0 || pace(new, old) < pace(old, new)
}

/// The rate of a limit, in words.
pub(crate) fn rate(limit: &Limit) -> String {
    let counted = match limit.counts {
        Counts::FailedCredentials => " failed credentials",
        Counts::Methods { .. } => "",
    };
    format!("{}{counted} {}", limit.max, per_window(limit.window_seconds))
}

/// `per minute`
pub(super) fn per_window(seconds: u32) -> String {
    match seconds {
        1 => "per second".to_owned(),
        60 => "per minute".to_owned(),
        3_600 => "per hour".to_owned(),
        86_400 => "per day".to_owned(),
        other => format!("per {other} s"),
    }
}

fn per(limit: &Limit) -> &'static str {
    match limit.counts {
        Counts::Methods { per: Per::Caller, .. } => "for each caller",
        Counts::Methods { per: Per::Address, .. } | Counts::FailedCredentials => "for each address",
    }
}

/// Whether a limit counts an operation. The limit of failed credentials counts operations that require a credential.
fn counted_by(limit: &Limit) -> impl Fn(&Surface, &Operation) -> bool + use<> {
    let name = name_of_limit(limit).map(str::to_owned);
    move |surface, operation| match &name {
        Some(name) => operation.limit.as_ref() == Some(name),
        None => surface.credential.is_some(),
    }
}

/// Whether an operation of this method is on a surface that lists the limit.
fn requests(limit: &Limit, method: &str) -> impl Fn(&Surface, &Operation) -> bool + use<> {
    let (name, method) = (limit.name.clone(), method.to_owned());
    move |surface, operation| operation.method == method && surface.limits.contains(&name)
}
