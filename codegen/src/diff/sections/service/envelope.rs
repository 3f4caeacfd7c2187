//! Compares `envelope`: the members of every body.

use crate::diff::matching::{Matched, match_by, operations};
use crate::diff::output::{Comparison, PathPair, Rule};
use crate::model::{EnvelopeValue, Model, Operation, SuccessBody, Word};
use std::collections::BTreeSet;

type EnvelopeMember = (Word, EnvelopeValue);

pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    let (old, new) = (comparison.old, comparison.new);
    let both = [
        (EnvelopeKind::Success, &old.success, &new.success),
        (EnvelopeKind::Error, &old.error, &new.error),
        (EnvelopeKind::Fault, &old.fault, &new.fault),
    ];
    for (kind, old, new) in both {
        let (old, new) = (flat(old), flat(new));
        members(comparison, kind, match_by(&old, &new, |(name, _)| name.as_str()));
    }
    media_type(comparison);
}

/// The members by the names that lead to them: `error.code` for a member of an object.
fn flat(members: &[EnvelopeMember]) -> Vec<(String, EnvelopeValue)> {
    let member = |(name, value): &EnvelopeMember| match value {
        EnvelopeValue::Object(members) => {
            let members = members.iter();
            members
                .map(|(inner, value)| (format!("{name}.{inner}"), value.clone()))
                .collect()
        }
        _ => vec![(name.to_string(), value.clone())],
    };
    members.iter().flat_map(member).collect()
}

fn media_type(comparison: &mut Comparison<'_>) {
    let [was, is] = [comparison.old, comparison.new].map(|model| model.error_media_type.as_deref());
    if was == is {
        return;
    }
    let [was, is] = [was, is].map(|one| one.unwrap_or("application/json"));
    let message = format!("the media type of error responses is `{is}`, was `{was}`");
    let operations = operations(comparison.new, |_, _| true);
    let place = PathPair::same("envelope");
    comparison.between(Rule::ErrorMediaTypeChanged, &place, operations, message);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EnvelopeKind {
    Success,
    Error,
    Fault,
}

impl EnvelopeKind {
    fn place(self) -> PathPair {
        PathPair::same(match self {
            EnvelopeKind::Success => "envelope.success",
            EnvelopeKind::Error => "envelope.error",
            EnvelopeKind::Fault => "envelope.fault",
        })
    }

    fn phrase(self) -> &'static str {
        match self {
            EnvelopeKind::Success => "success responses",
            EnvelopeKind::Error => "error responses",
            EnvelopeKind::Fault => "the faults in error responses",
        }
    }

    /// The operations whose answers have a member. Those of an error are compared for all.
    fn operations(self, model: &Model, value: &EnvelopeValue) -> BTreeSet<String> {
        operations(model, |_, operation| self.is_shown(operation, value))
    }

    fn is_shown(self, operation: &Operation, value: &EnvelopeValue) -> bool {
        self != EnvelopeKind::Success || is_in_success(operation, value)
    }
}

fn is_in_success(operation: &Operation, value: &EnvelopeValue) -> bool {
    if operation.success_body() != SuccessBody::Envelope {
        return false;
    }
    match value {
        EnvelopeValue::Placeholder { name, optional } => match name.as_str() {
            "siblings" => !operation.siblings.is_empty(),
            "data" => !optional || operation.data.is_some(),
            "message" => !optional || operation.message.is_some(),
            _ => true,
        },
        EnvelopeValue::Literal(_) | EnvelopeValue::Object(_) => true,
    }
}

fn members(comparison: &mut Comparison<'_>, kind: EnvelopeKind, mut members: Matched<'_, (String, EnvelopeValue)>) {
    let place = kind.place();
    let renamed = members.take_renamed(|(_, value)| Some(describe(value)), |(_, value)| Some(describe(value)));
    for ((name, was), (_, is)) in members.kept {
        member(comparison, kind, name, (was, is));
    }
    for ((old, _), (new, value)) in renamed {
        let message = format!("the member `{old}` of {} is renamed to `{new}`", kind.phrase());
        let operations = kind.operations(comparison.new, value);
        comparison.between(Rule::EnvelopeMemberRenamed, &place.under(old, new), operations, message);
    }
    for (name, value) in members.removed {
        let message = format!(
            "the member `{name}` is removed from {}, was {}",
            kind.phrase(),
            describe(value)
        );
        let operations = comparison
            .paired
            .still(comparison.old, |_, operation| kind.is_shown(operation, value));
        comparison.removed(Rule::EnvelopeMemberRemoved, &place.join(name).old, operations, message);
    }
    for (name, value) in members.added {
        let message = format!("the member `{name}` is added to {}: {}", kind.phrase(), describe(value));
        let operations = kind.operations(comparison.new, value);
        comparison.added(Rule::EnvelopeMemberAdded, &place.join(name).new, operations, message);
    }
}

fn member(
    comparison: &mut Comparison<'_>,
    kind: EnvelopeKind,
    name: &str,
    (was, is): (&EnvelopeValue, &EnvelopeValue),
) {
    let path = kind.place().join(name).new;
    if meaning(was) != meaning(is) {
        let message = format!(
            "the member `{name}` of {} is {}, was {}",
            kind.phrase(),
            describe(is),
            describe(was)
        );
        let operations = kind.operations(comparison.new, is);
        comparison.changed(Rule::EnvelopeMemberChanged, &path, operations, message);
    } else if is_optional(was) != is_optional(is) {
        let (rule, says) = if is_optional(is) {
            (
                Rule::EnvelopeMemberOptional,
                "is omitted if there is no value, was always present",
            )
        } else {
            (
                Rule::EnvelopeMemberAlways,
                "is always present, was omitted if there is no value",
            )
        };
        let nothing_to_say = |_: &_, operation: &Operation| {
            kind != EnvelopeKind::Success || is_in_success(operation, was) != is_in_success(operation, is)
        };
        let operations = operations(comparison.new, nothing_to_say);
        let message = format!("the member `{name}` of {} {says}", kind.phrase());
        comparison.changed(rule, &path, operations, message);
    }
}

fn meaning(value: &EnvelopeValue) -> (bool, &str) {
    match value {
        EnvelopeValue::Literal(json) => (true, json),
        EnvelopeValue::Placeholder { name, .. } => (false, name),
        EnvelopeValue::Object(_) => (false, "an object"),
    }
}

/// Whether a member may be absent. The `siblings` are no member of their own.
fn is_optional(value: &EnvelopeValue) -> bool {
    matches!(value, EnvelopeValue::Placeholder { name, optional: true } if name != "siblings")
}

fn describe(value: &EnvelopeValue) -> String {
    match value {
        EnvelopeValue::Literal(json) => format!("`{json}`"),
        EnvelopeValue::Placeholder { name, .. } => format!("`${name}`"),
        EnvelopeValue::Object(_) => "an object".to_owned(),
    }
}
