//! `distinct`: whatever would store, change or find a record that follows from a list.

use super::bodies;
use super::lookup::{LocatedOperation, find, operations};
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Guard, Spec, Word};

/// `distinct`: uses of a resource that only stored records can have.
pub(super) fn not_stored(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for word in uses(spec) {
        let resource = find(&spec.resources, &word.text);
        if let Some(list) = resource.and_then(|resource| resource.distinct.as_ref()) {
            let message = format!(
                "the records of `{}` are items of `{}`: nothing stores them",
                word.text, list.text
            );
            let diagnostic = Diagnostic::new(Rule::Distinct, word.at, message).related(list.at, "declared here");
            diagnostics.push(diagnostic.help("they can only be listed"));
        }
    }
}

fn uses(spec: &Spec) -> Vec<&Word> {
    let mut uses: Vec<&Word> = bodies::all(spec).filter_map(|body| body.resource.as_ref()).collect();
    let owned = spec
        .resources
        .iter()
        .filter(|(_, one)| one.private || !one.owner.is_empty());
    uses.extend(owned.map(|(name, _)| name));
    for (_, credential) in &spec.credentials {
        uses.extend(credential.caller.iter().chain(&credential.limited_by));
    }
    let at_a_time = spec.quotas.iter().filter(|(_, quota)| quota.window.is_none());
    uses.extend(at_a_time.filter_map(|(_, quota)| quota.of.records()));
    for LocatedOperation { endpoint, .. } in operations(spec) {
        let makes = endpoint
            .makes
            .iter()
            .flat_map(|makes| makes.iter().map(|(name, _)| name));
        let found = endpoint.guards.iter().filter_map(|guard| match guard {
            Guard::Exists { resource, .. } => Some(resource),
            _ => None,
        });
        uses.extend(makes.chain(&endpoint.changes).chain(&endpoint.ends).chain(found));
    }
    uses
}
