//! Compares the requirements of an operation: guards, a quota, state transitions, business rules.

use crate::diff::matching::{MemberKind, Renames};
use crate::diff::output::words::listed;
use crate::diff::output::{Comparison, OperationPair, Rule};
use crate::model::{Exists, GuardKind, Model, Operation, Quota, Surface};
use crate::step::Step;

pub(crate) fn compare(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    guards(comparison, both);
    order(comparison, both);
    open(comparison, both);
    quotas(comparison, both);
    transitions(comparison, both);
    rules(comparison, both);
}

/// Compares the guards. Two guards of one kind and resource are the same guard.
fn guards(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    let (names, line) = (comparison.names, both.line());
    let is_same = |was: &GuardKind, is: &GuardKind| {
        was.step() == is.step() && was.resource().map(|old| names.resource(old)) == is.resource()
    };
    for was in both.old.guard_kinds() {
        let Some(is) = both.new.guard_kinds().find(|is| is_same(was, is)) else {
            let (rule, message) = removed(was, &line);
            both.removed(comparison, rule, &format!("guards.{was}"), message);
            continue;
        };
        if let Some((rule, message)) = changed(comparison, both, was, is) {
            let place = both.place.join("guards").under(&was.to_string(), &is.to_string());
            comparison.between(rule, &place, both.concerned(), message);
        }
    }
    for is in both.new.guard_kinds() {
        let is_new = !both.old.guard_kinds().any(|was| is_same(was, is));
        if is_new && !is_of_new_member(comparison, both, is) {
            let (rule, message) = added(is, &line);
            both.added(comparison, rule, &format!("guards.{is}"), message);
        }
    }
}

/// Whether a guard is of an optional id that no former request has.
fn is_of_new_member(comparison: &Comparison<'_>, both: &OperationPair<'_>, is: &GuardKind) -> bool {
    let mut guards = both.new.exists();
    let guard = guards.find(|one| Some(one.resource.as_str()) == is.resource() && one.is_optional);
    let was_body = comparison.old.body(both.old);
    guard.is_some_and(|guard| {
        let mut members = was_body.into_iter().flat_map(|body| &body.members);
        !members.any(|member| member.field.name == guard.id.name())
    })
}

fn removed(was: &GuardKind, line: &str) -> (Rule, String) {
    match was {
        GuardKind::Plan(plan) => (
            Rule::GuardPlanRemoved,
            format!("`{line}` requires no plan, was `{plan}`"),
        ),
        GuardKind::Exists(Exists { resource, .. }) => (
            Rule::GuardExistsRemoved,
            format!("the request no longer requires that the `{resource}` exists"),
        ),
        GuardKind::Owner(resource) => (
            Rule::GuardOwnerRemoved,
            format!("every caller can use `{line}`, was only the owner of the `{resource}`"),
        ),
    }
}

fn added(is: &GuardKind, line: &str) -> (Rule, String) {
    match is {
        GuardKind::Plan(plan) => (
            Rule::GuardPlanAdded,
            format!("`{line}` requires the plan `{plan}`, was none"),
        ),
        GuardKind::Exists(Exists { resource, .. }) => (
            Rule::GuardExistsAdded,
            format!("the request now requires that the `{resource}` exists"),
        ),
        GuardKind::Owner(resource) => (
            Rule::GuardOwnerAdded,
            format!("only the owner of the `{resource}` can use `{line}`, was every caller"),
        ),
    }
}

/// The change of a guard that is in both contracts.
fn changed(
    comparison: &Comparison<'_>,
    both: &OperationPair<'_>,
    was: &GuardKind,
    is: &GuardKind,
) -> Option<(Rule, String)> {
    match (was, is) {
        (GuardKind::Plan(was), GuardKind::Plan(is)) => {
            let plans = plans(comparison.old, both.surface.old).unwrap_or_default();
            let message = format!("`{}` requires the plan `{is}`, was `{was}`", both.line());
            let is_other = comparison.names.inside(MemberKind::Value, plans, was) != is;
            is_other.then_some((Rule::GuardPlanChanged, message))
        }
        (GuardKind::Exists(was), GuardKind::Exists(is)) => parent_changed(comparison.names, was, is),
        // Both are of one kind.
        (GuardKind::Plan(_) | GuardKind::Exists(_) | GuardKind::Owner(_), _) => None,
    }
}

/// The enumeration of the plans of a surface's callers.
fn plans<'m>(model: &'m Model, surface: &Surface) -> Option<&'m str> {
    let caller = model.credential(surface.credential.as_ref()?).caller.as_ref()?;
    caller.plan.as_ref().map(|(_, of)| of.as_str())
}

fn parent_changed(names: &Renames<'_>, was: &Exists, is: &Exists) -> Option<(Rule, String)> {
    let Exists {
        resource,
        // Derived from the parameters and members.
        id: _,
        is_optional: _,
        parent,
    } = was;
    // The field with the parent's id follows from the parent's type.
    let parent = parent.as_ref().map(|(parent, _)| names.resource(parent));
    let now = is.parent.as_ref().map(|(parent, _)| parent.as_str());
    let (rule, message) = match (parent, now) {
        (was, is) if was == is => return None,
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
    Some((rule, message))
}

/// Compares the order of the guards of one kind, which decides which error response comes first.
fn order(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    let names = comparison.names;
    let reordered = both.new.guard_kinds().map(GuardKind::step).find_map(|step| {
        let (was, is) = (checked_at(step, both.old), checked_at(step, both.new));
        let was: Vec<&str> = was.into_iter().map(|name| names.resource(name)).collect();
        let kept = was.iter().filter(|name| is.contains(name));
        (!kept.eq(is.iter().filter(|name| was.contains(name)))).then(|| [listed(is), listed(was)])
    });
    if let Some([is, was]) = reordered {
        let message = format!("resources are checked in the order {is}, was {was}");
        both.changed(comparison, Rule::GuardsReordered, "guards", message);
    }
}

fn checked_at(step: Step, operation: &Operation) -> Vec<&str> {
    let guards = operation.guard_kinds().filter(|guard| guard.step() == step);
    guards.filter_map(GuardKind::resource).collect()
}

/// The text of a decision is compared in `decisions`.
fn open(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    let noun = |model: &Model, name: &String| {
        let decision = model.decisions.get(name)?;
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
fn quotas(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    let kept = &comparison.paired.quotas.kept;
    let was = |(old, _): &&(&Quota, &Quota)| both.old.counts_towards(&old.name);
    let is = |(_, new): &&(&Quota, &Quota)| both.new.counts_towards(&new.name);
    let names = |(_, new): &(&Quota, &Quota)| format!("`{}`", new.name);
    let removed: Vec<String> = kept.iter().filter(|one| was(one) && !is(one)).map(names).collect();
    let added: Vec<String> = kept.iter().filter(|one| is(one) && !was(one)).map(names).collect();
    let (line, removed, added) = (both.line(), removed.join(" and "), added.join(" and "));
    match (removed.as_str(), added.as_str()) {
        ("", "") => {}
        ("", is) => {
            let before = if both.old.quotas.is_empty() {
                ", was none"
            } else {
                ", too"
            };
            let message = format!("`{line}` counts towards the quota {is}{before}");
            both.added(comparison, Rule::OperationQuotaAdded, "quota", message);
        }
        (was, "") => {
            let message = format!("`{line}` no longer counts towards the quota {was}");
            both.removed(comparison, Rule::OperationQuotaRemoved, "quota", message);
        }
        (was, is) => {
            let message = format!("`{line}` counts towards the quota {is}, was {was}");
            both.changed(comparison, Rule::OperationQuotaChanged, "quota", message);
        }
    }
}

fn transitions(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    let names = comparison.names;
    let was = both
        .old
        .transitions
        .as_ref()
        .map(|moved| (names.resource(&moved.resource), names.enumeration(&moved.states)));
    let is = both
        .new
        .transitions
        .as_ref()
        .map(|moved| (moved.resource.as_str(), moved.states.as_str()));
    let place = |model: &Model, operation: &Operation| {
        let moved = operation.transitions.as_ref()?;
        let (resource, field) = &model.enumeration(&moved.states).states.as_ref()?.of;
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
        let (had, has) = (both.old.has_rule(&was.name), both.new.has_rule(&is.name));
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
