//! Compares the uses of types by a member or parameter: its type, whether it is required, and its default.

use crate::diff::matching::{Declared, MemberKind};
use crate::diff::output::differences::Difference;
use crate::diff::output::{ChangeSubject, Comparison, Findings, PathPair, Rule};
use crate::diff::relations::{Audience, is_required};
use crate::model::{Kind, Type, TypeRule};

/// The compared member or parameter: its name and its types.
#[derive(Clone, Copy)]
pub(crate) struct TypeChange<'m> {
    pub(crate) name: &'m str,
    pub(crate) old: &'m Type,
    pub(crate) new: &'m Type,
}

/// Compares two uses of types at one place.
pub(crate) fn compare(comparison: &mut Comparison<'_>, place: &PathPair, audience: &Audience, typed: TypeChange<'_>) {
    let mut findings = Findings::default();
    kind(comparison, &mut findings, audience, typed);
    presence(comparison, &mut findings, audience, typed);
    findings.report(comparison, place, audience);
}

/// Compares the types of values. A type with the same name is compared at its declaration.
pub(crate) fn kind(comparison: &Comparison<'_>, findings: &mut Findings, audience: &Audience, typed: TypeChange<'_>) {
    let TypeChange { name, old, new } = typed;
    kind_of(comparison, findings, audience, &ChangeSubject::named(name), (old, new));
}

/// The same for all members and parameters with this type.
pub(crate) fn kind_of(
    comparison: &Comparison<'_>,
    findings: &mut Findings,
    audience: &Audience,
    subject: &ChangeSubject,
    (old, new): (&Type, &Type),
) {
    let relation = comparison.relations.of(old, new);
    if relation.is_equal() || (old.list == new.list && comparison.names.are_same(&old.kind, &new.kind)) {
        return;
    }
    let differences = comparison.differences(old, new).into_iter();
    let texts = differences.map(|Difference { path, was, is }| {
        let part = subject.part(&path);
        format!("{} {} {is}, was {was}", part.phrase(), part.is_each())
    });
    findings.relate(audience, relation, &texts.collect::<Vec<_>>().join("; "));
}

/// Compares whether values are required, may be null, and their defaults.
pub(crate) fn presence(
    comparison: &Comparison<'_>,
    findings: &mut Findings,
    audience: &Audience,
    typed: TypeChange<'_>,
) {
    let TypeChange { name, old, new } = typed;
    if audience.is_taken() {
        requiredness(comparison, findings, typed, (is_required(old), is_required(new)));
    }
    match (old.optional, new.optional) {
        (false, true) if audience.is_shown() => {
            findings.add(Rule::AnswerNullable, format!("`{name}` can be null in responses"))
        }
        (true, false) if audience.is_shown() => {
            findings.add(
                Rule::AnswerNeverNull,
                format!("`{name}` can no longer be null in responses"),
            );
        }
        _ => {}
    }
    if audience.stored {
        stored(comparison, findings, typed, when_absent);
    }
}

/// Compares whether a request must give a value, and its default.
pub(crate) fn requiredness(
    comparison: &Comparison<'_>,
    findings: &mut Findings,
    TypeChange { name, old, new }: TypeChange<'_>,
    is_required: (bool, bool),
) {
    match is_required {
        (true, false) => {
            let text = format!("`{name}` is now optional, and is {} if omitted", when_absent(new));
            findings.add(Rule::RequestMemberOptional, text);
        }
        (false, true) => {
            let text = format!("`{name}` is now required, was {} if omitted", when_absent(old));
            findings.add(Rule::RequestMemberRequired, text);
        }
        (false, false) if !is_same_default(comparison, old, new) => {
            let (now, was) = (when_absent(new), when_absent(old));
            findings.add(Rule::DefaultChanged, format!("`{name}` is {now} if omitted, was {was}"));
        }
        _ => {}
    }
}

/// In a partial body null sets a value that may be null, and an absent member changes nothing.
pub(crate) fn null(findings: &mut Findings, TypeChange { name, old, new }: TypeChange<'_>) {
    match (old.optional, new.optional) {
        (false, true) => findings.add(Rule::RequestMemberOptional, format!("`{name}` can be set to null")),
        (true, false) => {
            let text = format!("`{name}` can no longer be set to null");
            findings.add(Rule::RequestMemberRequired, text);
        }
        _ => {}
    }
}

/// Compares the value for stored records that have none, or null.
pub(crate) fn stored(
    comparison: &Comparison<'_>,
    findings: &mut Findings,
    typed: TypeChange<'_>,
    absent: impl Fn(&Type) -> String,
) {
    let TypeChange { name, old, new } = typed;
    match (old.optional, new.optional) {
        (false, true) => findings.add(Rule::FieldOptional, format!("`{name}` can be stored as null")),
        (true, false) => {
            let text = format!("`{name}` can no longer be stored as null, and records with null cannot be read");
            findings.add(Rule::FieldRequired, text);
        }
        _ => {}
    }
    let (now, was) = (absent(new), absent(old));
    if !is_same_default(comparison, old, new) && now != was {
        findings.add(
            Rule::FieldDefaultChanged,
            format!("the stored default of `{name}` is {now}, was {was}"),
        );
    }
}

/// Whether the default is the same, except for spelling and renames.
fn is_same_default(comparison: &Comparison<'_>, old: &Type, new: &Type) -> bool {
    let (Some(was), Some(is)) = (&old.default, &new.default) else {
        return old.default == new.default;
    };
    if let (Kind::Enum(one), Kind::Enum(other)) = (&old.kind, &new.kind)
        && comparison.names.enumeration(one) == other
    {
        return comparison.names.inside(MemberKind::Value, one, was) == is;
    }
    let number = |declared: &Declared<'_>, of: &Type, text: &str| match declared.rule(&of.kind) {
        Some(TypeRule::Number { .. } | TypeRule::Integer { .. }) => text.parse::<f64>().ok(),
        _ => None,
    };
    let numbers = number(comparison.was, old, was).zip(number(comparison.now, new, is));
    was == is || numbers.is_some_and(|(was, is)| was == is)
}

/// The value of an absent member, in words.
fn when_absent(of: &Type) -> String {
    match &of.default {
        Some(default) => format!("`{default}`"),
        None if of.optional => "null".to_owned(),
        None => "none".to_owned(),
    }
}
