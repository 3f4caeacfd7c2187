//! Rules about paths: syntax, parameters, and collisions.

use super::lookup::{LocatedOperation, TypeTarget, find, operations, type_target};
use crate::aliases;
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Spec, Surface, TypeUse, Word};
use std::collections::HashMap;

/// `bad-route`: a path that no request can have.
pub(super) fn bad_route(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (_, surface) in &spec.surfaces {
        if let Some(mcp) = &surface.mcp
            && !segments(&mcp.path.text).is_some_and(|parts| parts.iter().all(|part| is_literal(part)))
        {
            let message = format!("`{}` is not a valid path", mcp.path.text);
            let help = "a path is written `/mcp`: a slash before every segment, none at the end, no parameters";
            diagnostics.push(Diagnostic::new(Rule::BadRoute, mcp.path.at, message).help(help));
        }
        let base = &surface.base;
        let is_path =
            base.text == "/" || segments(&base.text).is_some_and(|parts| parts.iter().all(|part| is_literal(part)));
        if !is_path {
            let message = format!("`{}` is not a valid base", base.text);
            let help = "a base is written `/v1`: a slash before every segment, none at the end, no parameters";
            diagnostics.push(Diagnostic::new(Rule::BadRoute, base.at, message).help(help));
        }
    }
    for LocatedOperation { endpoint, .. } in operations(spec) {
        let route = &endpoint.route;
        if !is_route(&route.text) {
            let message = format!("`{}` is not a valid route", route.text);
            let help = "a route is written `/books/:id`: a slash before every segment, none at the end";
            let help = aliases::route(&route.text).unwrap_or(help);
            diagnostics.push(Diagnostic::new(Rule::BadRoute, route.at, message).help(help));
        }
    }
}

fn segments(path: &str) -> Option<Vec<&str>> {
    Some(path.strip_prefix('/')?.split('/').collect())
}

fn is_literal(part: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~');
    !part.is_empty() && part.chars().all(is_plain) && !part.chars().all(|c| c == '.')
}

fn is_parameter(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_route(path: &str) -> bool {
    let is_segment = |part: &&str| part.strip_prefix(':').map_or_else(|| is_literal(part), is_parameter);
    segments(path).is_some_and(|parts| parts.iter().all(is_segment))
}

/// The parameters of a route, in order.
pub(super) fn parameters(route: &str) -> impl Iterator<Item = &str> {
    route.split('/').filter_map(|part| part.strip_prefix(':'))
}

/// `path-parameter`: a parameter that is only in the route or only under `path`, or that is not an id.
pub(super) fn path_parameter(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for LocatedOperation { endpoint, .. } in
        operations(spec).filter(|operation| is_route(&operation.endpoint.route.text))
    {
        let route = &endpoint.route;
        let mut seen: Vec<Word> = Vec::new();
        for name in parameters(&route.text).map(|name| route.part(name)) {
            let diagnostic = |message: String| Diagnostic::new(Rule::PathParameter, name.at, message);
            if let Some(first) = seen.iter().find(|first| first.text == name.text) {
                let message = format!("the route has `:{}` twice", name.text);
                diagnostics.push(diagnostic(message).related(first.at, "first given here"));
            } else if find(&endpoint.path, &name.text).is_none() {
                let message = format!("`:{}` has no type", name.text);
                let resource = resource_named(spec, &name.text);
                let help = format!(
                    "declare it under `path`, for example `path: {{ {}: {resource}.id }}`",
                    name.text
                );
                diagnostics.push(diagnostic(message).help(help));
            }
            seen.push(name);
        }
        for parameter in &endpoint.path {
            diagnostics.extend(misfit(spec, parameter, route, &seen));
        }
    }
}

/// The resource after which a parameter is named, such as `Book` for `:book`.
fn resource_named<'s>(spec: &'s Spec, parameter: &str) -> &'s str {
    let words = parameter.strip_suffix("_id").unwrap_or(parameter).replace('_', "");
    let mut resources = spec.resources.iter().map(|(name, _)| name.text.as_str());
    resources
        .find(|name| name.eq_ignore_ascii_case(&words))
        .unwrap_or("Resource")
}

/// Why a parameter under `path` is wrong.
fn misfit(spec: &Spec, (name, used): &(Word, TypeUse), route: &Word, parameters: &[Word]) -> Option<Diagnostic> {
    if !parameters.iter().any(|parameter| parameter.text == name.text) {
        let message = format!("`{}` is not in the route `{}`", name.text, route.text);
        let diagnostic = Diagnostic::new(Rule::PathParameter, name.at, message).related(route.at, "the route");
        let known: Vec<&str> = parameters.iter().map(|parameter| parameter.text.as_str()).collect();
        return Some(match known.as_slice() {
            [] => diagnostic.help(format!("add `/:{}` to the route, or remove it here", name.text)),
            _ => diagnostic.propose(&name.text, known),
        });
    }
    let is_plain = !used.list && !used.optional && used.default.is_none();
    match type_target(spec, &used.name.text) {
        TypeTarget::Id if is_plain => None,
        TypeTarget::Unknown => None,
        _ => {
            let message = format!(
                "a path parameter must be an id, such as `Resource.id`: `{}` is not",
                name.text
            );
            Some(Diagnostic::new(Rule::PathParameter, used.name.at, message))
        }
    }
}

/// `colliding-routes`: two endpoints of a surface that match the same request.
pub(super) fn colliding_routes(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (_, surface) in &spec.surfaces {
        let mut seen: HashMap<(&str, Vec<&str>), (&Word, &Word)> = HashMap::new();
        for (name, endpoint) in &surface.endpoints {
            let shape = endpoint
                .route
                .text
                .split('/')
                .map(|part| if part.starts_with(':') { ":" } else { part });
            let request = (endpoint.method.text.as_str(), shape.collect());
            if let Some((first, route)) = seen.get(&request) {
                let message = format!("`{}` and `{}` match the same requests", first.text, name.text);
                let diagnostic = Diagnostic::new(Rule::CollidingRoutes, endpoint.route.at, message);
                diagnostics.push(diagnostic.related(route.at, format!("the other endpoint, `{}`", first.text)));
            } else {
                seen.insert(request, (name, &endpoint.route));
            }
        }
    }
}

/// `colliding-bases`: the base of a surface lies below the base of another one.
pub(super) fn colliding_bases(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (index, (name, surface)) in spec.surfaces.iter().enumerate() {
        let other = spec.surfaces[..index]
            .iter()
            .filter(|(_, other)| !surface.base.at.is_unknown() && !other.base.at.is_unknown())
            .find(|(_, other)| is_under(surface, other) || is_under(other, surface));
        if let Some((other, of)) = other {
            let message = format!(
                "the base of `{}` overlaps that of `{}`, which is `{}`",
                name.text, other.text, of.base.text
            );
            let diagnostic = Diagnostic::new(Rule::CollidingBases, surface.base.at, message);
            diagnostics.push(diagnostic.related(of.base.at, format!("the base of `{}`", other.text)));
        }
    }
}

fn is_under(surface: &Surface, other: &Surface) -> bool {
    let split = |base: &str| -> Vec<String> {
        base.split('/')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    };
    split(&surface.base.text).starts_with(&split(&other.base.text))
}
