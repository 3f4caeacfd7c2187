//! Rules about ambiguous declarations: a name, route or key that can be read in two ways.

use super::lookup::{LocatedOperation, body_members, find, operations};
use super::unguarded::{is_meant, node, of_member};
use crate::diagnostic::{Diagnostic, Rule, places};
use crate::syntax::Spec;

/// `parameter-twice`: a path parameter has the same name as a query parameter or a member of the body.
pub(super) fn parameter_twice(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let path = &operation.endpoint.path;
        let query = operation.endpoint.query.iter().map(|(name, _)| name);
        // A field that a body takes from its resource is not a parameter, so it may share the name.
        let members = operation.body().map(|body| body.members.iter().map(|(name, _)| name));
        for name in query
            .chain(members.into_iter().flatten())
            .filter(|name| find(path, &name.text).is_some())
        {
            let message = format!(
                "the path of `{}` already has a parameter `{}`",
                operation.name.text, name.text
            );
            diagnostics
                .push(Diagnostic::new(Rule::ParameterTwice, name.at, message).help("give one of them another name"));
        }
    }
}

/// `patch-overwrites`: an optional field of a PATCH body. If it is absent, its default or null overwrites the stored
/// value.
pub(super) fn patch_overwrites(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec).filter(|operation| operation.endpoint.method.text == "PATCH") {
        let Some(body) = operation
            .body()
            .filter(|body| body.resource.is_some() && body.any.is_empty())
        else {
            continue;
        };
        let known = body_members(spec, body);
        let endpoint = node(operation);
        for name in body
            .optional
            .iter()
            .filter(|name| known.iter().any(|(known, _)| known.text == name.text))
        {
            let nodes = of_member(&format!("{endpoint}.body"), name);
            if is_meant(spec, &[nodes, vec![endpoint.clone()]].concat()) {
                continue;
            }
            let message = format!(
                "an absent `{}` would be overwritten by its default or by null",
                name.text
            );
            let help = format!(
                "to keep the stored value of an absent field, name it in `at_least_one_of`; if it is intended, say so \
                 in `decisions`: `at: {endpoint}`"
            );
            diagnostics.push(Diagnostic::new(Rule::PatchOverwrites, name.at, message).help(help));
        }
    }
}

/// `bad-route`: the route repeats the base of its surface.
pub(super) fn base_repeated(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for LocatedOperation { surface, endpoint, .. } in operations(spec) {
        let (base, route) = (surface.base.text.as_str(), endpoint.route.text.as_str());
        let rest = route.strip_prefix(base).filter(|_| base.len() > 1);
        if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
            let message = format!("this is `{base}{route}`: every route already begins with the base `{base}`");
            diagnostics.push(Diagnostic::new(Rule::BadRoute, endpoint.route.at, message));
        }
    }
}

/// `guard-order`: the guards are not written in the order of their errors in the error table, in which they are
/// checked.
pub(super) fn guard_order(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    use crate::syntax::Guard;
    if diagnostics
        .iter()
        .any(|diagnostic| diagnostic.rule == Rule::ImpossibleOrder)
    {
        return;
    }
    let reported = places(diagnostics);
    let place = |step: &str| spec.errors.iter().position(|(_, row)| row.step.text == step);
    for operation in operations(spec) {
        let mut latest = None;
        for guard in &operation.endpoint.guards {
            let (step, name) = match guard {
                Guard::Plan(plan) => ("plan", plan),
                Guard::Exists { resource, .. } => ("exists", resource),
                Guard::Owner(resource) => ("owner", resource),
            };
            // A private resource is rejected as if it did not exist, so its ownership may have no error of its own.
            let Some(place) = place(step) else { continue };
            if Some(place) < latest && !reported.contains(&name.at) {
                let message = format!("`{step} {}` is checked before the guard in front of it", name.text);
                let help = "guards are checked in the order of their errors in `errors`: write them in that order";
                diagnostics.push(Diagnostic::new(Rule::GuardOrder, name.at, message).help(help));
            }
            latest = latest.max(Some(place));
        }
    }
}
