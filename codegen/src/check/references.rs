//! Rules about references to names that are not declared.

use super::lookup::{LocatedOperation, TypeTarget, entry, find, names, operations, resource_field, type_target};
use super::uses::uses;
use crate::aliases;
use crate::diagnostic::{Diagnostic, Rule, while_few};
use crate::syntax::{BUILT_IN, BodyUse, Guard, Spec, Word};

/// `unknown-type`: a type that is not declared.
pub(super) fn unknown_type(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for used in uses(spec).iter().filter(|used| !used.name.text.contains('.')) {
        if let TypeTarget::Unknown = type_target(spec, &used.name.text) {
            let known = BUILT_IN
                .into_iter()
                .chain(names(&spec.types))
                .chain(names(&spec.enums))
                .chain(names(&spec.objects))
                .chain(names(&spec.inputs));
            let diagnostic = unknown(Rule::UnknownType, "type", used.name, while_few(diagnostics, known));
            diagnostics.push(match aliases::type_name(&used.name.text) {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            });
        }
    }
}

/// `unknown-resource`: a resource that is not declared.
pub(super) fn unknown_resource(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let mut check = |word: &Word| {
        if find(&spec.resources, &word.text).is_none() {
            let known = while_few(diagnostics, names(&spec.resources));
            diagnostics.push(unknown(Rule::UnknownResource, "resource", word, known));
        }
    };
    for used in uses(spec) {
        before_dot(used.name).as_ref().map(&mut check);
    }
    for (_, quota) in &spec.quotas {
        check(&quota.of);
        check(&quota.per);
    }
    for (_, credential) in &spec.credentials {
        credential
            .caller
            .iter()
            .chain(&credential.limited_by)
            .for_each(&mut check);
    }
    for (place, _) in &spec.states {
        before_dot(place).as_ref().map(&mut check);
    }
    for (_, resource) in &spec.resources {
        resource.owner.iter().for_each(|(caller, _)| check(caller));
    }
    for body in super::bodies::all(spec) {
        body.resource.as_ref().map(&mut check);
    }
    for guard in operations(spec).flat_map(|operation| &operation.endpoint.guards) {
        match guard {
            Guard::Plan(_) => {}
            Guard::Owner(resource) => check(resource),
            Guard::Exists { resource, parent } => {
                check(resource);
                parent.as_ref().map(&mut check);
            }
        }
    }
}

fn before_dot(word: &Word) -> Option<Word> {
    let (resource, _) = word.text.split_once('.')?;
    Some(word.part(resource))
}

/// `unknown-view`: a view that its resource does not have.
pub(super) fn unknown_view(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for used in uses(spec) {
        let Some((name, view)) = used.name.text.split_once('.') else {
            continue;
        };
        let Some((declared, resource)) = entry(&spec.resources, name) else {
            continue;
        };
        let view = used.name.part(view);
        if let TypeTarget::Unknown = type_target(spec, &used.name.text) {
            let message = format!("`{name}` has no view `{}`", view.text);
            let known = names(&resource.views).chain(["id"]);
            let diagnostic = Diagnostic::new(Rule::UnknownView, view.at, message).declared(declared);
            diagnostics.push(diagnostic.propose(&view.text, while_few(diagnostics, known)));
        }
    }
}

/// `unknown-enum`: a subset of an enum that is not declared.
pub(super) fn unknown_enum(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for whole in spec.enums.iter().filter_map(|(_, def)| def.of.as_ref()) {
        if find(&spec.enums, &whole.text).is_none() {
            let known = while_few(diagnostics, names(&spec.enums));
            diagnostics.push(unknown(Rule::UnknownEnum, "enum", whole, known));
        }
    }
}

/// `unknown-input`: a body that is not declared.
pub(super) fn unknown_input(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        if let Some(BodyUse::Named(name)) = &operation.endpoint.body
            && find(&spec.inputs, &name.text).is_none()
        {
            let known = while_few(diagnostics, names(&spec.inputs));
            diagnostics.push(unknown(Rule::UnknownInput, "input", name, known));
        }
    }
}

/// `unknown-credential`: a credential that is not declared.
pub(super) fn unknown_credential(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for name in spec
        .surfaces
        .iter()
        .filter_map(|(_, surface)| surface.credential.as_ref())
    {
        if find(&spec.credentials, &name.text).is_none() {
            let known = while_few(diagnostics, names(&spec.credentials));
            diagnostics.push(unknown(Rule::UnknownCredential, "credential", name, known));
        }
    }
}

/// `unknown-limit`: a limit that is not declared.
pub(super) fn unknown_limit(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for name in spec.surfaces.iter().flat_map(|(_, surface)| &surface.limits) {
        if find(&spec.limits, &name.text).is_none() {
            let known = while_few(diagnostics, names(&spec.limits));
            diagnostics.push(unknown(Rule::UnknownLimit, "limit", name, known));
        }
    }
}

/// `unknown-quota`: a quota that is not declared.
pub(super) fn unknown_quota(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for name in operations(spec).filter_map(|operation: LocatedOperation<'_>| operation.endpoint.quota.as_ref()) {
        if find(&spec.quotas, &name.text).is_none() {
            let known = while_few(diagnostics, names(&spec.quotas));
            diagnostics.push(unknown(Rule::UnknownQuota, "quota", name, known));
        }
    }
}

/// `unknown-states`: an endpoint changes states that are not declared.
pub(super) fn unknown_states(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let mut places = spec.states.iter().map(|(place, _)| place);
    if places.any(|place| resource_field(spec, &place.text).is_none()) {
        // States of an unknown field have been reported, and may be the ones that the endpoint means.
        return;
    }
    for name in operations(spec).filter_map(|operation| operation.endpoint.transitions.as_ref()) {
        if find(&spec.states, &name.text).is_none() {
            let known = while_few(diagnostics, names(&spec.states));
            diagnostics.push(unknown(Rule::UnknownStates, "field with states", name, known));
        }
    }
}

/// `unknown-decision`: `open` names a decision that does not exist.
pub(super) fn unknown_decision(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for name in operations(spec).filter_map(|operation| operation.endpoint.open.as_ref()) {
        if find(&spec.decisions, &name.text).is_none() {
            let known = while_few(diagnostics, names(&spec.decisions));
            diagnostics.push(unknown(Rule::UnknownDecision, "decision", name, known));
        }
    }
}

/// The diagnostic for a name that is not declared.
pub(super) fn unknown<'s>(rule: Rule, what: &str, name: &Word, known: impl IntoIterator<Item = &'s str>) -> Diagnostic {
    Diagnostic::new(rule, name.at, format!("there is no {what} `{}`", name.text)).propose(&name.text, known)
}
