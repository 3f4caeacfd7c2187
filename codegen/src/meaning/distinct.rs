//! Resolves `distinct`: resources whose records are the distinct items of a list that another resource stores.

use super::{field, resource};
use crate::diagnostic::{Diagnostic, Rule};
use crate::model::{Distinct, Field, Kind, Model, TypeRule};
use crate::syntax::{Origin, Spec, TypeUse, Word};

/// The list of each such resource. Runs before the sources of fields are resolved, which count by it.
pub(super) fn declare(spec: &Spec, model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    for (place, (name, declared)) in spec.resources.iter().enumerate() {
        let Some(list) = &declared.distinct else { continue };
        let Some((distinct, object)) = resolved(spec, model, list, diagnostics) else {
            continue;
        };
        for (field, (_, used)) in model.resources[place].fields.iter().zip(&declared.fields) {
            if field.name != "id" && !is_filled(model, (&object, &distinct), field, used) {
                let message = format!("nothing fills `{}` of `{}`", field.name, name.text);
                let help = format!(
                    "the fields are `id`, `count {}`, and texts of the items, with their types",
                    distinct.resource
                );
                let diagnostic = Diagnostic::new(Rule::Distinct, field.at, message).help(help);
                diagnostics.push(diagnostic.related(list.at, "the records are the items of this list"));
            }
        }
        model.resources[place].distinct = Some(distinct);
    }
}

/// The list, and the name of the objects in it.
fn resolved(spec: &Spec, model: &Model, place: &Word, diagnostics: &mut Vec<Diagnostic>) -> Option<(Distinct, String)> {
    let (of, list) = place.text.split_once('.')?;
    let of = resource(model, &place.part(of), diagnostics)?;
    let list = field(of, &place.part(list), diagnostics)?;
    let object = model.item_kind(&list.of).and_then(|_| model.items(&list.of));
    let number = object.and_then(|object| {
        let mut members = spec.objects.get(&object.name)?.iter();
        members.find(|(_, used)| matches!(used.origin.as_deref(), Some(Origin::NumberOf(_))))
    });
    let (Some(object), Some((number, _))) = (object, number) else {
        let message = format!(
            "`{}` is not a list of objects with a member that is `number of` others",
            place.text
        );
        diagnostics.push(Diagnostic::new(Rule::Distinct, place.at, message).related(list.at, "its type"));
        return None;
    };
    let distinct = Distinct {
        resource: of.name.clone(),
        list: list.name.clone(),
        number: number.text.clone(),
        at: place.at,
    };
    Some((distinct, object.name.clone()))
}

/// Whether the item, or a count of the records that have it, fills the field.
fn is_filled(model: &Model, (object, distinct): (&str, &Distinct), field: &Field, used: &TypeUse) -> bool {
    match used.origin.as_deref() {
        Some(Origin::Count(counted, None)) => counted.text == distinct.resource,
        Some(_) => false,
        None => {
            let is_text = matches!(&field.of.kind, Kind::Named(name)
                if matches!(model.named_type(name).rule, TypeRule::Text { .. }));
            let mut members = model.object(object).members.iter();
            let is_same = |member: &Field| member.of.kind == field.of.kind && !member.of.list && !member.of.optional;
            let is_member = members.any(|member| member.name == field.name && is_same(member));
            is_text && is_member && !field.of.list && !field.of.optional
        }
    }
}
