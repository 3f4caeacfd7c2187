//! `ids`: resources whose ids must have another form.

use super::lookup::find;
use crate::diagnostic::{Diagnostic, Rule};
use crate::model::Ids;
use crate::syntax::{Origin, Spec, Word};

/// `ids`: the records of a resource with UUIDs are items of a list, the latest record of a resource with random ids is shown, or one
/// owner of quotas has UUIDs and another one numbers.
pub(super) fn ids(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, resource) in &spec.resources {
        if let (Some((ids, _)), Some(list)) = (uuids(spec, &name.text), &resource.distinct) {
            let message = format!(
                "the ids of `{}` cannot be UUIDs: they are the numbers of items of `{}`",
                name.text, list.text
            );
            diagnostics.push(Diagnostic::new(Rule::Ids, ids.at, message).help("remove `ids`"));
        }
    }
    let resources = spec.resources.iter().map(|(_, resource)| resource);
    for (_, used) in resources.flat_map(|resource| resource.fields.iter().chain(&resource.joined)) {
        let Some(Origin::Latest { resource, .. }) = used.origin.as_deref() else {
            continue;
        };
        if let Some((ids, Ids::UuidV4)) = uuids(spec, &resource.text) {
            let message = format!("the ids of `{}` are random, so no record is the latest", resource.text);
            let diagnostic = Diagnostic::new(Rule::Ids, resource.at, message).related(ids.at, "declared here");
            diagnostics.push(diagnostic.help("declare `ids: uuid_v7`: its later ids are greater"));
        }
    }
    let owners = || spec.quotas.iter().map(|(_, quota)| &quota.per);
    let numbered = owners().find(|per| find(&spec.resources, &per.text).is_some() && uuids(spec, &per.text).is_none());
    let others = owners().find_map(|per| Some((per, uuids(spec, &per.text)?.0)));
    if let (Some(one), Some((other, ids))) = (numbered, others) {
        let message = format!(
            "quotas are counted for a `{}`, whose ids are `{}`, and for a `{}`, whose ids are numbers",
            other.text, ids.text, one.text
        );
        let diagnostic = Diagnostic::new(Rule::Ids, ids.at, message).related(one.at, "counted for this one, too");
        diagnostics.push(diagnostic.help("give both ids of one form"));
    }
}

/// What the ids of a resource are, with the word that says so. `None`: they are numbers.
pub(super) fn uuids<'s>(spec: &'s Spec, resource: &str) -> Option<(&'s Word, Ids)> {
    let word = find(&spec.resources, resource)?.ids.as_ref()?;
    Some((word, Ids::from_name(&word.text))).filter(|(_, ids)| ids.is_uuid())
}
