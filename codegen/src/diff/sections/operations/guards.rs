//! Compares the requirements of an operation: guards, a quota, state transitions, business rules.

use crate::diff::matching::MemberKind;
use crate::diff::output::words::listed;
use crate::diff::output::{Comparison, OperationPair, Rule};
use crate::model::{Exists, Model, Operation, Surface};

pub(crate) fn compare(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    plan(comparison, both);
    exists(comparison, both);
    owned(comparison, both);
    order(comparison, both);
    open(comparison, both);
    quota(comparison, both);
    transitions(comparison, both);
    rules(comparison, both);
}

fn plan(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    let names = comparison.names;
    let of = plans(comparison.old, both.surface.old);
    let new_name = |plan: &String| names.inside(MemberKind::Value, of.unwrap_or_default(), plan).to_owned();
    match (&both.old.plan, &both.new.plan) {
        (None, Some(is)) => {
            let message = format!("`{}` requires the plan `{is}`, was none", both.line());
            both.added(comparison, Rule::GuardPlanAdded, &format!("guards.plan {is}"), message);
        }
        (Some(was), None) => {
            let message = format!("`{}` requires no plan, was `{was}`", both.line());
            both.removed(
                comparison,
                Rule::GuardPlanRemoved,
                &format!("guards.plan {was}"),
                message,
            );
        }
        (Some(was), Some(is)) if new_name(was) != *is => {
            let message = format!("`{}` requires the plan `{is}`, was `{was}`", both.line());
            let place = both
                .place
                .join("guards")
                .under(&format!("plan {was}"), &format!("plan {is}"));
            comparison.between(Rule::GuardPlanChanged, &place, both.concerned(), message);
        }
        _ => {}
    }
}

/// The enumeration of the plans of a surface's callers.
fn plans<'m>(model: &'m Model, surface: &Surface) -> Option<&'m str> {
    let caller = model.credential(surface.credential.as_ref()?).caller.as_ref()?;
    caller.plan.as_ref().map(|(_, of)| of.as_str())
}

fn exists(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    let names = comparison.names;
    let (old, new) = (&both.old.exists, &both.new.exists);
    for was in old {
        let Exists {
            resource,
            // Derived from the parameters and members.
            id: _,
            parent,
        } = was;
        let Some(is) = new.iter().find(|is| is.resource == names.resource(resource)) else {
            let message = format!("the request no longer requires that the `{resource}` exists");
            both.removed(comparison, Rule::GuardExistsRemoved, &render(was), message);
            continue;
        };
        // The field with the parent's id follows from the parent's type.
        let parent = parent.as_ref().map(|(parent, _)| names.resource(parent));
        let now = is.parent.as_ref().map(|(parent, _)| parent.as_str());
        let place = both.place.under(&render(was), &render(is));
        let (rule, message) = match (parent, now) {
            (was, is) if was == is => continue,
            (None, Some(is)) => (
                Rule::GuardParentAdded,
                format!("the `{resource}` must belong to the `{is}`, was any `{resource}`"),
            ),
            (Some(was), None) => (
                Rule::GuardParentRemoved,
                format!("the `{resource}` no longer has to belong to the `{was}`"),
            ),
            (was, is) => {
                let [is, was] = [is, was].map(Option::unwrap_or_default);
                (
                    Rule::GuardParentAdded,
                    format!("the `{resource}` must belong to the `{is}`, was to the `{was}`"),
                )
            }
        };
        comparison.between(rule, &place, both.concerned(), message);
    }
    let was: Vec<&str> = old.iter().map(|was| names.resource(&was.resource)).collect();
    for is in new.iter().filter(|is| !was.contains(&is.resource.as_str())) {
        let message = format!("the request now requires that the `{}` exists", is.resource);
        both.added(comparison, Rule::GuardExistsAdded, &render(is), message);
    }
}

fn render(exists: &Exists) -> String {
    match &exists.parent {
        Some((parent, _)) => format!("guards.exists {} in {parent}", exists.resource),
        None => format!("guards.exists {}", exists.resource),
    }
}

fn owned(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    let names = comparison.names;
    let was: Vec<&str> = both.old.owned.iter().map(|name| names.resource(name)).collect();
    for (old, now) in both.old.owned.iter().zip(&was) {
        if !both.new.owned.iter().any(|is| is == now) {
            let message = format!(
                "every caller can use `{}`, was only the owner of the `{old}`",
                both.line()
            );
            both.removed(
                comparison,
                Rule::GuardOwnerRemoved,
                &format!("guards.owner {old}"),
                message,
            );
        }
    }
    for is in both.new.owned.iter().filter(|is| !was.contains(&is.as_str())) {
        let message = format!(
            "only the owner of the `{is}` can use `{}`, was every caller",
            both.line()
        );
        both.added(
            comparison,
            Rule::GuardOwnerAdded,
            &format!("guards.owner {is}"),
            message,
        );
    }
}

/// Compares the order of look-ups and of ownership checks, which decides which error response comes first.
fn order(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    let names = comparison.names;
    let looked_up = |operation: &Operation| -> Vec<String> {
        let exists = operation.exists.iter();
        exists.map(|one| one.resource.clone()).collect()
    };
    let new_names =
        |list: Vec<String>| -> Vec<String> { list.iter().map(|name| names.resource(name).to_owned()).collect() };
    let lists = [
        (new_names(looked_up(both.old)), looked_up(both.new)),
        (new_names(both.old.owned.clone()), both.new.owned.clone()),
    ];
    let is_other = |(was, is): &(Vec<String>, Vec<String>)| {
        let was = was.iter().filter(|name| is.contains(name));
        let was: Vec<_> = was.collect();
        let is: Vec<_> = is.iter().filter(|name| was.contains(name)).collect();
        was != is
    };
    if let Some((was, is)) = lists.iter().find(|lists| is_other(lists)) {
        let [is, was] = [is, was].map(|names| listed(names.iter().map(String::as_str)));
        let message = format!("resources are checked in the order {is}, was {was}");
        both.changed(comparison, Rule::GuardsReordered, "guards", message);
    }
}

/// The text of a decision is compared in `decisions`.
fn open(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    let noun = |model: &Model, name: &String| {
        let decision = model.decisions.iter().find(|decision| decision.name == *name)?;
        Some((decision.gap.clone(), decision.choice.clone()))
    };
    let line = both.line();
    match (&both.old.open, &both.new.open) {
        (None, Some(is)) => {
            let message = format!(
                "`{line}` is open by the decision `{is}`: it can name or show records that are not proven to be the caller's"
            );
            both.added(comparison, Rule::OperationOpened, "open", message);
        }
        (Some(was), None) => {
            let message = format!(
                "`{line}` names and shows only records that are proven to be the caller's, was open by the decision `{was}`"
            );
            both.removed(comparison, Rule::OperationClosed, "open", message);
        }
        (Some(was), Some(is)) if was != is && noun(comparison.old, was) != noun(comparison.new, is) => {
            let message = format!("`{line}` is open by the decision `{is}`, was by `{was}`");
            both.changed(comparison, Rule::OperationOpenChanged, "open", message);
        }
        _ => {}
    }
}

/// Compares quotas that are in both contracts. Added and removed quotas are reported at their declaration.
fn quota(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    let kept = &comparison.paired.quotas.kept;
    let new_name = |old: &String| kept.iter().find(|(one, _)| one.name == *old).map(|(_, new)| &new.name);
    let is_old = |new: &String| kept.iter().any(|(_, one)| one.name == *new);
    let (was, is) = (both.old.quota.as_ref(), both.new.quota.as_ref());
    match (was, was.and_then(new_name), is) {
        (_, now, is) if now == is => {}
        (None, _, Some(is)) if is_old(is) => {
            let message = format!("`{}` counts towards the quota `{is}`, was none", both.line());
            both.added(comparison, Rule::OperationQuotaAdded, "quota", message);
        }
        (Some(was), Some(_), None) => {
            let message = format!("`{}` no longer counts towards the quota `{was}`", both.line());
            both.removed(comparison, Rule::OperationQuotaRemoved, "quota", message);
        }
        (Some(was), Some(_), Some(is)) if is_old(is) => {
            let message = format!("`{}` counts towards the quota `{is}`, was `{was}`", both.line());
            both.changed(comparison, Rule::OperationQuotaChanged, "quota", message);
        }
        _ => {}
    }
}

fn transitions(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    let names = comparison.names;
    let was = both
        .old
        .transitions
        .as_ref()
        .map(|(resource, moved)| (names.resource(resource), names.enumeration(moved)));
    let is = both
        .new
        .transitions
        .as_ref()
        .map(|(resource, moved)| (resource.as_str(), moved.as_str()));
    let place = |model: &Model, operation: &Operation| {
        let (_, moved) = operation.transitions.as_ref()?;
        let (resource, field) = &model.enumeration(moved).states.as_ref()?.of;
        Some(format!("{resource}.{field}"))
    };
    let (old, new) = (place(comparison.old, both.old), place(comparison.new, both.new));
    let key = "transitions";
    match (old, new) {
        _ if was == is => {}
        (None, Some(new)) => {
            let message = format!("`{}` now changes `{new}` only by allowed transitions", both.line());
            both.added(comparison, Rule::OperationTransitionsAdded, key, message);
        }
        (Some(old), None) => {
            let message = format!("`{}` no longer checks the transitions of `{old}`", both.line());
            both.removed(comparison, Rule::OperationTransitionsRemoved, key, message);
        }
        (old, new) => {
            let [new, old] = [new, old].map(Option::unwrap_or_default);
            let message = format!("`{}` changes `{new}`, was `{old}`", both.line());
            both.changed(comparison, Rule::OperationTransitionsAdded, key, message);
        }
    }
}

/// Compares errors that are in both contracts. Added and removed errors are reported at their declaration.
fn rules(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    for (was, is) in &comparison.paired.errors.kept {
        let (had, has) = (both.old.rules.contains(&was.name), both.new.rules.contains(&is.name));
        if had && !has {
            let message = format!(
                "`{}` is no longer rejected with `{}` ({})",
                both.line(),
                was.name,
                was.status
            );
            both.removed(
                comparison,
                Rule::OperationErrorRemoved,
                &format!("errors.{}", was.name),
                message,
            );
        }
        if has && !had {
            let (line, text) = (both.line(), &is.text);
            let message = format!(
                "`{line}` can now be rejected with `{}`, status {}: `{text}`",
                is.name, is.status
            );
            both.added(
                comparison,
                Rule::OperationErrorAdded,
                &format!("errors.{}", is.name),
                message,
            );
        }
    }
}
