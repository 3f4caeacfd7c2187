//! Rules about views: secrets that they show, and views without members.

use super::lookup::{find, operations};
use super::unguarded::is_meant;
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Data, Spec};

/// Last words of names of fields that must stay secret.
const HIDDEN: [&str; 6] = ["digest", "hash", "password", "secret", "token", "salt"];

/// `empty-view`: a view without members.
pub(super) fn empty_view(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (view, members) in spec.resources.iter().flat_map(|(_, resource)| &resource.views) {
        if members.is_empty() {
            let message = format!("the view `{}` has no fields", view.text);
            diagnostics.push(Diagnostic::new(Rule::EmptyView, view.at, message).help("name its fields: `[id, title]`"));
        }
    }
}

/// `shown-secret`: a view shows a stored `string` whose name says that it is secret. (Only identifiers of credentials
/// are stored as `string`; request data has types with bounds.)
pub(super) fn shown_secret(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, resource) in &spec.resources {
        let views = resource.views.iter();
        for (view, member) in views.flat_map(|(view, of)| of.iter().map(move |member| (view, member))) {
            let is_string = find(&resource.fields, &member.source.text).is_some_and(|used| used.name.text == "string");
            let last = member.source.text.rsplit('_').next().unwrap_or_default();
            let (name, view, field) = (&name.text, &view.text, &member.source.text);
            let nodes = [
                format!("resources.{name}.fields.{field}"),
                format!("resources.{name}.views.{view}"),
                format!("resources.{name}.views.{view}.{field}"),
            ];
            if is_string && HIDDEN.contains(&last) && !is_meant(spec, &nodes) {
                let message = format!("`{}` looks like a secret, but this view returns it", member.source.text);
                let help = format!(
                    "remove it: a secret is returned once, by `data: {{ key: secret }}` of the endpoint that creates \
                     it; if it is not secret, say so in `decisions`: `at: {}`",
                    nodes[0]
                );
                diagnostics.push(Diagnostic::new(Rule::ShownSecret, member.source.at, message).help(help));
            }
        }
    }
}

/// `shown-secret`: a secret in the answer to a GET, which clients and proxies may repeat, cache and log.
pub(super) fn secret_on_get(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec).filter(|operation| operation.is_read()) {
        let Some(Data::Members(members)) = &operation.endpoint.success.data else {
            continue;
        };
        for (_, used) in members.iter().filter(|(_, used)| used.name.text == "secret") {
            let message = "a secret is returned once, when it is created, but a GET creates nothing";
            let help = "return it from a POST";
            diagnostics.push(Diagnostic::new(Rule::ShownSecret, used.name.at, message).help(help));
        }
    }
}
