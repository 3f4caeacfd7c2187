//! Resolves the declared meaning of a contract: where values come from, what operations do, when rules apply. It runs on a
//! [`Model`] that is otherwise complete, infers what the contract leaves to the types, and reports what nothing fills.

mod answers;
mod averages;
mod circles;
mod conditions;
mod distinct;
mod effects;
mod events;
mod feeds;
mod fills;
mod headers;
mod hidden;
mod nearest;
mod origins;
mod quotas;
mod synonyms;
mod texts;
mod tools;

use crate::check::optional_guard;
use crate::diagnostic::{Diagnostic, Rule, while_few};
use crate::model::{Field, Kind, Model, Resource, Span, Target};
use crate::syntax::{Spec, Word};
pub(crate) use texts::missing as missing_texts;

/// Adds the declared meaning to a model, and reports errors in it.
pub(crate) fn declare(spec: &Spec, model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    tools::check(model, diagnostics);
    distinct::declare(spec, model, diagnostics);
    origins::declare(spec, model, diagnostics);
    circles::check(model, diagnostics);
    conditions::declare(spec, model, diagnostics);
    hidden::declare(spec, model, diagnostics);
    averages::declare(spec, model, diagnostics);
    synonyms::declare(spec, model, diagnostics);
    nearest::declare(spec, model, diagnostics);
    headers::declare(spec, model, diagnostics);
    if diagnostics.is_empty() {
        conditions::check_targets(model, diagnostics);
        hidden::check_lists(model, diagnostics);
    }
    if diagnostics.is_empty() && is_declared(spec) {
        effects::declare(spec, model, diagnostics);
    }
    if diagnostics.is_empty() {
        conditions::check_texts(model, diagnostics);
    }
    if diagnostics.is_empty() && is_declared(spec) {
        answers::declare(model, diagnostics);
    }
    if diagnostics.is_empty() {
        quotas::check_evaded(model, diagnostics);
    }
    if diagnostics.is_empty() {
        events::declare(spec, model, diagnostics);
    }
    if diagnostics.is_empty() {
        feeds::check(spec, model, diagnostics);
    }
}

/// Whether the contract declares what its endpoints do: as soon as one of them says so.
fn is_declared(spec: &Spec) -> bool {
    let mut endpoints = spec.surfaces.iter().flat_map(|(_, surface)| &surface.endpoints);
    endpoints.any(|(_, endpoint)| {
        endpoint.makes.is_some()
            || endpoint.puts.is_some()
            || endpoint.changes.is_some()
            || endpoint.ends.is_some()
            || endpoint.renews.is_some()
            || endpoint.revokes.is_some()
            || endpoint.undeclared.is_some()
    })
}

/// The resource with this name, or a diagnostic.
fn resource<'m>(model: &'m Model, name: &Word, diagnostics: &mut Vec<Diagnostic>) -> Option<&'m Resource> {
    let found = model.resources.iter().find(|one| one.name == name.text);
    if found.is_none() {
        let known = model.resources.iter().map(|one| one.name.as_str());
        let diagnostic = Diagnostic::new(
            Rule::UnknownResource,
            name.at,
            format!("there is no resource `{}`", name.text),
        );
        diagnostics.push(diagnostic.propose(&name.text, while_few(diagnostics, known)));
    }
    found
}

/// The stored field with this name, or a diagnostic.
fn field<'m>(resource: &'m Resource, name: &Word, diagnostics: &mut Vec<Diagnostic>) -> Option<&'m Field> {
    let found = resource.fields.iter().find(|one| one.name == name.text);
    if found.is_none() {
        let known = resource.fields.iter().map(|one| one.name.as_str());
        let message = format!("`{}` has no stored field `{}`", resource.name, name.text);
        let diagnostic = Diagnostic::new(Rule::UnknownField, name.at, message);
        diagnostics.push(diagnostic.propose(&name.text, while_few(diagnostics, known)));
    }
    found
}

/// The credential with this name, or a diagnostic.
fn credential<'m>(
    model: &'m Model,
    name: &Word,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<&'m crate::model::Credential> {
    let found = model.credentials.iter().find(|one| one.name == name.text);
    if found.is_none() {
        let known = model.credentials.iter().map(|one| one.name.as_str());
        let message = format!("there is no credential `{}`", name.text);
        let diagnostic = Diagnostic::new(Rule::UnknownCredential, name.at, message);
        diagnostics.push(diagnostic.propose(&name.text, while_few(diagnostics, known)));
    }
    found
}

/// The only field of `from` that holds an id of `to`, or a diagnostic.
fn link(from: &Resource, to: &str, at: Span, diagnostics: &mut Vec<Diagnostic>) -> Option<String> {
    let mut ids = from.fields.iter().filter(|field| is_id(field, to));
    match (ids.next(), ids.next()) {
        (Some(one), None) => return Some(one.name.clone()),
        (None, _) => {
            let message = format!("no field of `{}` is the id of a `{to}`", from.name);
            let help = format!("add a field of the type `{to}.id`, or let the handler look the value up");
            diagnostics.push(Diagnostic::new(Rule::OriginLink, at, message).help(help));
        }
        (Some(first), Some(second)) => {
            let message = format!(
                "two fields of `{}` are ids of a `{to}`: `{}` and `{}`",
                from.name, first.name, second.name
            );
            diagnostics.push(Diagnostic::new(Rule::OriginLink, at, message).help("let the handler look the value up"));
        }
    }
    None
}

fn is_id(field: &Field, of: &str) -> bool {
    !field.of.list && matches!(&field.of.kind, Kind::Id(resource) if resource == of)
}

/// The records that an operation knows beside those that it creates: what guards find, and the caller.
struct Known<'m> {
    model: &'m Model,
    operation: &'m crate::model::Operation,
    /// What guards find in every request.
    found: Vec<&'m str>,
    caller: Option<&'m str>,
}

impl<'m> Known<'m> {
    fn for_operation(
        model: &'m Model,
        surface: &'m crate::model::Surface,
        operation: &'m crate::model::Operation,
    ) -> Self {
        let credential = model.credential_of(surface);
        let found = operation.exists().filter(|exists| !exists.is_optional);
        Known {
            model,
            operation,
            found: found.map(|exists| exists.resource.as_str()).collect(),
            caller: credential
                .and_then(|one| one.caller.as_ref())
                .map(|caller| caller.resource.as_str()),
        }
    }

    /// The record of a resource: the one that a guard found, else the caller.
    fn target(&self, resource: &str) -> Option<Target> {
        if self.found.contains(&resource) {
            Some(Target::Found(resource.to_owned()))
        } else {
            (self.caller == Some(resource)).then_some(Target::Caller)
        }
    }

    /// The member with the id that a guard looks up if it is given.
    fn optional_id(&self, resource: &str) -> Option<&'m str> {
        let mut guards = self.operation.exists();
        let guard = guards.find(|exists| exists.resource == resource && exists.is_optional);
        guard.map(|exists| exists.id.name())
    }

    /// How a guard would find a record of a resource in every request.
    fn help_to_find(&self, resource: &str) -> String {
        match self.optional_id(resource) {
            Some(id) => optional_guard(resource, id),
            None => format!("add the guard `exists {resource}`"),
        }
    }

    /// The resource of a target.
    fn resource<'a>(&'a self, target: &'a Target) -> &'m Resource {
        let name = match target {
            Target::Made(name) | Target::Found(name) => name.as_str(),
            Target::Caller => self.caller.expect("only a surface with callers has this target"),
        };
        self.model.resource(name)
    }
}
