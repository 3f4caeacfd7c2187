//! Resolves `nearest`: query parameters with names, of which the nearest known ones are proposed.

use crate::diagnostic::{Diagnostic, Rule};
use crate::matching::Matching;
use crate::model::{Data, Filter, FilterBy, KnownNames, Model, Nearest, Operation, Source};
use crate::syntax::{Spec, Word};

/// Runs after synonyms and distinct items are resolved.
pub(super) fn declare(spec: &Spec, model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    for (surface, (_, declared)) in spec.surfaces.iter().enumerate() {
        for (place, (_, endpoint)) in declared.endpoints.iter().enumerate() {
            let operation = &model.surfaces[surface].operations[place];
            let resolved = endpoint.nearest.iter().filter_map(|(parameter, header)| {
                let resolved = resolved(model, operation, parameter, header);
                resolved.map_err(|diagnostic| diagnostics.push(*diagnostic)).ok()
            });
            let resolved = resolved.collect();
            model.surfaces[surface].operations[place].nearest = resolved;
        }
    }
}

fn resolved(model: &Model, operation: &Operation, parameter: &Word, header: &Word) -> Result<Nearest, Box<Diagnostic>> {
    let is_it =
        |filter: &&Filter| matches!(&filter.by, FilterBy::Query(name, Matching::Equal) if *name == parameter.text);
    let Some(filter) = operation.filters.iter().find(is_it) else {
        let message = format!("no filter compares a field with `{}`", parameter.text);
        let help = format!("add one: `filters: [{} = field]`", parameter.text);
        return Err(Box::new(
            Diagnostic::new(Rule::Nearest, parameter.at, message).help(help),
        ));
    };
    let Some(names) = names(model, operation, filter) else {
        let message = format!("it is not known which names `{}` can have", filter.field);
        let help = "declare `synonyms` of the field, or a resource with the `distinct` items of the list";
        let diagnostic = Diagnostic::new(Rule::Nearest, parameter.at, message).help(help);
        return Err(Box::new(diagnostic.related(filter.at, "the field is compared here")));
    };
    Ok(Nearest {
        parameter: parameter.text.clone(),
        header: header.text.clone(),
        names,
        alike: model.alike(&filter.of.kind),
    })
}

fn names(model: &Model, operation: &Operation, filter: &Filter) -> Option<KnownNames> {
    let Some(Data::Many { resource: listed, .. }) = &operation.data else {
        return None;
    };
    match &filter.field {
        Source::Stored(_) => {
            let synonyms = model.synonyms_of(listed, filter)?;
            Some(KnownNames::Synonyms(synonyms.groups.clone()))
        }
        Source::Each(list, member) => {
            let mut resources = model.resources.iter();
            let items = resources.find(|one| {
                let of_list = |of: &crate::model::Distinct| of.resource == *listed && of.list == *list;
                one.distinct.as_ref().is_some_and(of_list) && one.item_members().any(|field| field.name == *member)
            });
            items.map(|items| KnownNames::Items {
                resource: items.name.clone(),
                field: member.clone(),
            })
        }
        Source::Joined(_) => None,
    }
}
