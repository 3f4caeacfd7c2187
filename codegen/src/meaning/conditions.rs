//! Resolves the `when` of errors and the `where` of quotas.

use super::{Known, field, resource};
use crate::diagnostic::{Diagnostic, Rule, while_few};
use crate::model::{Condition, Field, FieldIs, Kind, Model, Resource, TypeRule};
use crate::step::Step;
use crate::syntax::{self, Spec, Word};

pub(super) fn declare(spec: &Spec, model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    let seen = model.clone();
    for ((_, quota), found) in spec.quotas.iter().zip(&mut model.quotas) {
        if let Some(Some(only)) = &quota.only {
            let of = found.records().map(|of| seen.resource(of));
            found.only = of.and_then(|of| field_is(&seen, of, only, diagnostics));
        }
    }
    for ((name, error), found) in spec.errors.iter().zip(&mut model.errors) {
        let Some(Some(when)) = &error.when else { continue };
        if found.step != Step::Rule {
            let message = format!(
                "`{}` is an error of the step `{}`, which decides itself",
                name.text,
                found.step.as_str()
            );
            let help = "only an error of the step `rule` has a `when`";
            diagnostics.push(Diagnostic::new(Rule::ConditionTarget, name.at, message).help(help));
        }
        found.when = condition(&seen, when, diagnostics);
    }
}

fn condition(model: &Model, when: &syntax::Condition, diagnostics: &mut Vec<Diagnostic>) -> Option<Condition> {
    match when {
        syntax::Condition::Field { resource: of, is } => {
            let found = resource(model, of, diagnostics)?;
            let is = field_is(model, found, is, diagnostics)?;
            let resource = of.text.clone();
            Some(Condition::Field { resource, is })
        }
        syntax::Condition::Exists {
            resource: of,
            none,
            within,
            of_caller,
            at,
        } => {
            let found = resource(model, of, diagnostics)?;
            let mut parts = Vec::new();
            if let Some(parent) = within {
                resource(model, parent, diagnostics)?;
                let via = super::link(found, &parent.text, parent.at, diagnostics)?;
                parts.push((Some(parent.text.clone()), via));
            }
            if *of_caller {
                parts.push((None, caller_field(model, found, *at, diagnostics)?));
            }
            Some(Condition::Exists {
                resource: of.text.clone(),
                none: *none,
                within: parts,
            })
        }
        syntax::Condition::Taken {
            resource: of,
            field: name,
        } => {
            let found = resource(model, of, diagnostics)?;
            let is_unique = can_be_unique(model, field(found, name, diagnostics)?);
            if !is_unique {
                let message = format!("`{}.{}` is no short text that requests give", of.text, name.text);
                let help = format!("only a text of at most {LONGEST} characters, without an origin, can be `taken`");
                diagnostics.push(Diagnostic::new(Rule::BadCondition, name.at, message).help(help));
            }
            is_unique.then(|| Condition::Taken {
                resource: of.text.clone(),
                field: name.text.clone(),
            })
        }
    }
}

/// The most characters of a text of which there is one only: a row of an index has it whole.
const LONGEST: u64 = 500;

/// Whether an index can have the values of a field, of which there is one only.
fn can_be_unique(model: &Model, field: &Field) -> bool {
    let Kind::Named(name) = &field.of.kind else {
        return false;
    };
    let is_short = matches!(model.named_type(name).rule, TypeRule::Text { max: Some(max), .. } if max <= LONGEST);
    is_short && !field.of.list && field.origin.is_none()
}

/// The field of a resource that holds the id of a caller: of the only kind of caller of which it has one.
pub(super) fn caller_field(
    model: &Model,
    of: &Resource,
    at: crate::model::Span,
    found: &mut Vec<Diagnostic>,
) -> Option<String> {
    let callers = model.credentials.iter().filter_map(|one| one.caller.as_ref());
    let mut names: Vec<&str> = callers.map(|caller| caller.resource.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let ids = of
        .fields
        .iter()
        .filter(|field| names.iter().any(|name| super::is_id(field, name)));
    match ids.collect::<Vec<_>>().as_slice() {
        [one] => Some(one.name.clone()),
        fields => {
            let message = match fields {
                [] => format!("no field of `{}` is the id of a caller", of.name),
                _ => format!("several fields of `{}` are ids of callers", of.name),
            };
            found.push(Diagnostic::new(Rule::OriginLink, at, message).help("let the handler decide"));
            None
        }
    }
}

/// A condition on a field of this resource.
pub(super) fn field_is(
    model: &Model,
    of: &Resource,
    is: &syntax::FieldIs,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<FieldIs> {
    let found = field(of, &is.field, diagnostics)?;
    let are_known = is.values.iter().all(|value| is_value(model, found, value, diagnostics));
    are_known.then(|| FieldIs {
        field: is.field.text.clone(),
        not: is.not,
        values: is.values.iter().map(|value| value.text.clone()).collect(),
    })
}

/// Whether a field can have this value: one of its enum, `true`, `false`, or `null` if it is optional.
fn is_value(model: &Model, field: &Field, value: &Word, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let of = &field.of;
    let known: Vec<&str> = match &of.kind {
        Kind::Enum(name) if !of.list => model.enumeration(name).values.iter().map(String::as_str).collect(),
        Kind::Boolean if !of.list => vec!["true", "false"],
        _ => Vec::new(),
    };
    let known: Vec<&str> = known.into_iter().chain(of.optional.then_some("null")).collect();
    let is_known = known.contains(&value.text.as_str());
    if !is_known {
        let message = format!("`{}` cannot be `{}`", field.name, value.text);
        let diagnostic = Diagnostic::new(Rule::BadValue, value.at, message);
        diagnostics.push(match known.is_empty() {
            true => diagnostic.help("a condition compares a field with values of its enum, `true`, `false` or `null`"),
            false => diagnostic.propose(&value.text, while_few(diagnostics, known)),
        });
    }
    is_known
}

/// Checks that each operation with a rule knows the records that the rule looks at.
pub(super) fn check_targets(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    for (surface, operation) in model.operations() {
        let known = Known::for_operation(model, surface, operation);
        for name in &operation.rules {
            let missing = match &model.error(name).when {
                Some(Condition::Field { resource, .. }) => {
                    known.target(resource).is_none().then_some(resource.as_str())
                }
                Some(Condition::Exists { within, .. }) => {
                    let mut parents = within.iter();
                    parents.find_map(|(parent, _)| match parent {
                        Some(parent) => known.target(parent).is_none().then_some(parent.as_str()),
                        None => known.caller.is_none().then_some("caller"),
                    })
                }
                Some(Condition::Taken { .. }) | None => None,
            };
            if let Some(resource) = missing {
                let message = format!("`{}` finds no `{resource}` for the rule `{name}`", operation.name);
                let help = known.help_to_find(resource);
                let help = format!("{help}, or leave the rule to the handler, without `when`");
                diagnostics.push(Diagnostic::new(Rule::ConditionTarget, operation.at, message).help(help));
            }
        }
    }
}

/// Checks that the operations with a rule about a unique text are those that give the text to a record.
pub(super) fn check_texts(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    for error in &model.errors {
        let Some(Condition::Taken { resource, field }) = &error.when else {
            continue;
        };
        for (_, operation) in model.operations() {
            let (called, name) = (&operation.name, &error.name);
            let rule = operation.rules.iter().find(|rule| rule.text == *name);
            let (at, message, help) = match (model.given(operation, resource, field), rule) {
                (None, Some(rule)) => (
                    rule.at,
                    format!("`{called}` gives no text to `{resource}.{field}`"),
                    format!("leave out `{name}`, or let it make or change a `{resource}` with the member `{field}`"),
                ),
                (Some(_), None) => (
                    operation.at,
                    format!("`{called}` gives a text to `{resource}.{field}`, which may be taken"),
                    format!("add `{name}` to its `errors`"),
                ),
                _ => continue,
            };
            diagnostics.push(Diagnostic::new(Rule::ConditionTarget, at, message).help(help));
        }
    }
}
