//! Rules about request bodies.

use super::lookup::{LocatedOperation, body_members, find, operations, record_members};
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Body, BodyUse, Endpoint, Span, Spec, TypeUse, Word};

/// Every body, named or inline.
pub(super) fn all(spec: &Spec) -> impl Iterator<Item = &Body> {
    let own = operations(spec).filter_map(|operation| match &operation.endpoint.body {
        Some(BodyUse::Inline(body)) => Some(body),
        _ => None,
    });
    spec.inputs.iter().map(|(_, body)| body).chain(own)
}

/// The members that a body takes from its resource, with their types.
pub(super) fn of_record<'s>(spec: &'s Spec, body: &'s Body) -> Vec<(&'s Word, &'s TypeUse)> {
    let own = body.members.len();
    let mut members = body_members(spec, body);
    members.truncate(members.len() - own);
    members
}

/// `body-on-get`: a body on a method whose requests carry none.
pub(super) fn body_on_get(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for LocatedOperation { endpoint, .. } in operations(spec) {
        let method = &endpoint.method;
        let is_ignored = matches!(method.text.as_str(), "GET" | "DELETE");
        let file = endpoint.file.as_ref().map(|file| file.at);
        if let Some(file) = file.filter(|_| !matches!(method.text.as_str(), "POST" | "PUT")) {
            let message = format!("a {} request does not send a file", method.text);
            let diagnostic = Diagnostic::new(Rule::BodyOnGet, method.at, message);
            diagnostics.push(diagnostic.related(file, "this file"));
        } else if let Some((file, body)) = file.zip(endpoint.body.as_ref()) {
            let message = "the body is a file, so it has no members";
            let diagnostic = Diagnostic::new(Rule::BodyOnGet, file, message).related(place(body), "these members");
            diagnostics.push(diagnostic.help("take other values from the query"));
        } else if endpoint.body.is_some() && is_ignored {
            let message = format!("a {} request has no body", method.text);
            let help = "take the values from the path and the query";
            let diagnostic = Diagnostic::new(Rule::BodyOnGet, method.at, message).help(help);
            let body = endpoint.body.as_ref().map(place).unwrap_or_default();
            diagnostics.push(diagnostic.related(body, "this body"));
        } else if let (false, Some(max)) = (endpoint.takes_body(), endpoint.max_bytes) {
            let message = "`max_bytes` bounds a body, but this endpoint has none";
            let diagnostic = Diagnostic::new(Rule::BodyOnGet, max.at, message);
            diagnostics.push(diagnostic.help("remove it, or add a `body`"));
        }
    }
}

fn place(body: &BodyUse) -> Span {
    match body {
        BodyUse::Named(name) => name.at,
        BodyUse::Inline(body) => body.at,
    }
}

/// `content`: a response with the content of a file that is none, or that no guard finds.
pub(super) fn content(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let (endpoint, success) = (operation.endpoint, &operation.endpoint.success);
        let Some(resource) = &success.file else { continue };
        let mut report = |message: String, help: &str| {
            diagnostics.push(Diagnostic::new(Rule::Content, resource.at, message).help(help));
        };
        if operation.endpoint.method.text != "GET" {
            report(
                format!("a {} returns no file", endpoint.method.text),
                "return it with GET",
            );
        }
        if success.data.is_some() || success.message.is_some() || !success.siblings.is_empty() {
            let message = "the response is a file, so it has no members".to_owned();
            report(message, "leave `data`, `message` and `siblings` out");
        }
        if !operation.always_finds(&resource.text) {
            let message = format!("no guard finds the `{}` whose content is returned", resource.text);
            report(message, "add `exists` to `guards`");
        }
        let makes = |endpoint: &Endpoint| {
            let makes = endpoint.makes.as_ref();
            endpoint.file.is_some() && makes.is_some_and(|makes| makes.get(&resource.text).is_some())
        };
        if !operations(spec).any(|operation| makes(operation.endpoint)) {
            let message = format!("no endpoint takes a file and makes a `{}`", resource.text);
            report(message, "add an endpoint with `file` and `makes`");
        }
    }
}

/// `empty-body`: a body without members.
pub(super) fn empty_body(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for body in all(spec) {
        if record_members(body).next().is_none() && body.members.is_empty() {
            let message = "this body has no members";
            let help = "leave the body out, or name members in `required`, `optional`, `at_least_one_of` or `members`";
            diagnostics.push(Diagnostic::new(Rule::EmptyBody, body.at, message).help(help));
        }
    }
}

/// `body-resource`: fields without `resource`, `resource` without fields, or `at_least_one_of` together with `required`
/// or `optional`.
pub(super) fn bodies_of_a_record(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for body in all(spec) {
        let first = record_members(body).next();
        if let (None, Some(first)) = (&body.resource, first) {
            let message = format!(
                "`{}` is listed as a field of a resource, but the body names no `resource`",
                first.text
            );
            let diagnostic = Diagnostic::new(Rule::BodyResource, first.at, message);
            diagnostics.push(diagnostic.help("add `resource: Name`, or declare it with a type under `members`"));
        }
        if let (Some(record), None) = (&body.resource, first) {
            let message = format!("the body uses no field of `{}`", record.text);
            let help = "name its fields in `required`, `optional` or `at_least_one_of`, or leave `resource` out";
            diagnostics.push(Diagnostic::new(Rule::BodyResource, record.at, message).help(help));
        }
        let beside = body.required.first().or(body.optional.first());
        if let (Some(any), Some(beside)) = (body.any.first(), beside) {
            let message = "a body with `at_least_one_of` cannot have `required` or `optional`";
            let diagnostic = Diagnostic::new(Rule::BodyResource, any.at, message);
            diagnostics.push(diagnostic.related(beside.at, "remove this, or `at_least_one_of`"));
        }
    }
}

/// `no-default`: an optional field of a body has no default, so that a new record would have no value if it is absent.
pub(super) fn nothing_to_take(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for body in all(spec) {
        let Some(record) = &body.resource else { continue };
        let Some(resource) = find(&spec.resources, &record.text) else {
            continue;
        };
        for name in &body.optional {
            let Some(used) = find(&resource.fields, &name.text) else {
                continue;
            };
            if !used.optional && used.default.is_none() && !used.list {
                let message = format!(
                    "`{}` is optional here, but a new `{}` needs a value for it",
                    name.text, record.text
                );
                let help = format!(
                    "make it `required` here; or in `{}` write `{}?` or `{} = value`",
                    record.text, used.name.text, used.name.text
                );
                let diagnostic = Diagnostic::new(Rule::NoDefault, name.at, message).help(help);
                diagnostics.push(diagnostic.related(used.name.at, "declared without `?` and without a default"));
            }
        }
    }
}
