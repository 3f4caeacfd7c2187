//! Resolves `hidden`: which records of a resource do not exist for callers who do not own them.

use super::{conditions, link, resource};
use crate::diagnostic::{Diagnostic, Rule};
use crate::model::{Data, FilterBy, Hidden, HiddenExcept, Kind, Model, Operation, Resource, Source, Word};
use crate::syntax::Spec;

pub(super) fn declare(spec: &Spec, model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    let seen = model.clone();
    for (place, (_, declared)) in spec.resources.iter().enumerate() {
        let Some(hidden) = &declared.hidden else { continue };
        let of = &seen.resources[place];
        let when = hidden.when.as_ref();
        let when = when.and_then(|when| conditions::field_is(&seen, of, when, diagnostics));
        let except = hidden.except.iter();
        let except = except
            .filter_map(|name| exception(&seen, of, name, diagnostics))
            .collect();
        let at = hidden.at;
        model.resources[place].hidden = when.map(|when| Hidden { when, except, at });
    }
}

fn exception(model: &Model, of: &Resource, name: &Word, diagnostics: &mut Vec<Diagnostic>) -> Option<HiddenExcept> {
    let found = resource(model, name, diagnostics)?;
    let via = link(found, &of.name, name.at, diagnostics)?;
    let field = conditions::caller_field(model, found, name.at, diagnostics)?;
    let Kind::Id(caller) = &found.field(&field).of.kind else {
        return None;
    };
    Some(HiddenExcept {
        resource: found.name.clone(),
        via,
        caller: caller.clone(),
        field,
    })
}

/// `hidden-listed`: a list shows hidden records to callers who cannot read them.
pub(super) fn check_lists(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    for (surface, operation) in model.operations() {
        let Some(Data::Many { resource, .. }) = &operation.data else {
            continue;
        };
        let Some(hidden) = model.hidden_from(surface, resource) else {
            continue;
        };
        if !leaves_out(operation, hidden) {
            let message = format!("`{}` lists each `{resource}` whose `{}`", operation.name, hidden.when);
            let help = format!(
                "add a filter on `{}`, or `$caller = …` for a list of the caller's own",
                hidden.when.field
            );
            let diagnostic = Diagnostic::new(Rule::HiddenListed, operation.at, message).help(help);
            diagnostics.push(diagnostic.related(hidden.at, "such records are hidden"));
        }
    }
}

/// Whether a list has no hidden records, or only those of its caller, or of a record that a guard has found.
fn leaves_out(operation: &Operation, hidden: &Hidden) -> bool {
    operation
        .filters
        .iter()
        .any(|filter| match (&filter.by, &filter.field) {
            (FilterBy::Caller | FilterBy::Path(_), _) => true,
            (FilterBy::Value(value), Source::Stored(field)) => {
                filter.through.is_none() && *field == hidden.when.field && !hidden.when.holds(value)
            }
            _ => false,
        })
}
