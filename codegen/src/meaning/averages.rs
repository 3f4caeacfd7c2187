//! Resolves `average`: fields that show a mean.

use super::{conditions, field, link, resource};
use crate::diagnostic::{Diagnostic, Rule};
use crate::model::{Average, Field, Kind, Model, Resource, TypeRule};
use crate::syntax::{self, Spec, Word};

pub(super) fn declare(spec: &Spec, model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    let seen = model.clone();
    for (place, (_, declared)) in spec.resources.iter().enumerate() {
        if let Some(average) = &declared.average {
            model.resources[place].average = resolved(&seen, &seen.resources[place], average, diagnostics);
        }
    }
}

fn resolved(
    model: &Model,
    here: &Resource,
    average: &syntax::Average,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Average> {
    let mean = field(here, &average.field, diagnostics)?;
    let count = field(here, &average.count, diagnostics)?;
    let (of, value) = average.of.text.split_once('.')?;
    let from = resource(model, &average.of.part(of), diagnostics)?;
    let source = field(from, &average.of.part(value), diagnostics)?;
    let via = link(from, &here.name, average.of.at, diagnostics)?;
    let only = match average.only.as_ref().and_then(Option::as_ref) {
        Some(only) => Some(conditions::field_is(model, from, only, diagnostics)?),
        None => None,
    };
    let mut expect = |name: &Word, found: Option<u32>, wanted: &str| {
        if found.is_none() {
            let message = format!("`{}` is no {wanted}", name.text);
            diagnostics.push(Diagnostic::new(Rule::OriginType, name.at, message));
        }
        found
    };
    let is_integer = |of: &Field| integer(model, of).then_some(0);
    let found = expect(&average.field, decimals(model, mean), "number with decimals");
    let counted = expect(&average.count, is_integer(count), "integer");
    let summed = decimals(model, source).or_else(|| is_integer(source));
    let summed = expect(&average.of, summed, "number with decimals, and no integer");
    let (decimals, _, of_values) = (found?, counted?, summed?);
    if of_values > decimals {
        let message = format!("`{}` has more decimals than the mean", average.of.text);
        diagnostics.push(Diagnostic::new(Rule::OriginType, average.of.at, message).related(mean.at, "its type"));
        return None;
    }
    Some(Average {
        field: mean.name.clone(),
        count: count.name.clone(),
        resource: from.name.clone(),
        value: source.name.clone(),
        via,
        only,
        decimals,
        at: average.at,
    })
}

/// The decimals of a number that all records have.
fn decimals(model: &Model, of: &Field) -> Option<u32> {
    match rule(model, of)? {
        TypeRule::Number { decimals, .. } => *decimals,
        _ => None,
    }
}

fn integer(model: &Model, of: &Field) -> bool {
    matches!(rule(model, of), Some(TypeRule::Integer { .. }))
}

fn rule<'m>(model: &'m Model, of: &Field) -> Option<&'m TypeRule> {
    match &of.of.kind {
        Kind::Named(name) if !of.of.list && !of.of.optional && of.origin.is_none() => {
            Some(&model.named_type(name).rule)
        }
        _ => None,
    }
}
