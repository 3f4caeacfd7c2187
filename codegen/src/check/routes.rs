//! Paths: their form, their parameters, and two of one shape.

use super::lookup::{Meaning, Operation, find, meaning, operations};
use crate::foreign;
use crate::report::Report;
use crate::spec::{Spec, Surface, Word};
use std::collections::HashMap;

/// `bad-route`: a path that no request can have.
pub(super) fn bad_route(spec: &Spec, reports: &mut Vec<Report>) {
    for (_, surface) in &spec.surfaces {
        let base = &surface.base;
        let is_path =
            base.text == "/" || segments(&base.text).is_some_and(|parts| parts.iter().all(|part| is_literal(part)));
        if !is_path {
            let message = format!("`{}` is no path for a surface", base.text);
            let help = "a base is written `/v1`: a slash before every segment, none at the end, no parameters";
            reports.push(Report::new("bad-route", base.at, message).help(help));
        }
    }
    for Operation { endpoint, .. } in operations(spec) {
        let route = &endpoint.route;
        let is_segment = |part: &&str| part.strip_prefix(':').map_or_else(|| is_literal(part), is_parameter);
        if !segments(&route.text).is_some_and(|parts| parts.iter().all(is_segment)) {
            let message = format!("`{}` is no route", route.text);
            let help = "a route is written `/books/:id`: a slash before every segment, none at the end";
            let help = foreign::route(&route.text).unwrap_or(help);
            reports.push(Report::new("bad-route", route.at, message).help(help));
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

/// The parameters of a route, in order.
pub(super) fn parameters(route: &str) -> impl Iterator<Item = &str> {
    route.split('/').filter_map(|part| part.strip_prefix(':'))
}

/// `path-parameter`: parameters that stand in the route or under `path` only, or are no ids.
pub(super) fn path_parameter(spec: &Spec, reports: &mut Vec<Report>) {
    for Operation { endpoint, .. } in operations(spec) {
        let route = &endpoint.route;
        let mut report = |at, message: String| reports.push(Report::new("path-parameter", at, message));
        let mut seen = Vec::new();
        for name in parameters(&route.text) {
            if seen.contains(&name) {
                report(route.at, format!("the route has `:{name}` twice"));
            } else if find(&endpoint.path, name).is_none() && is_parameter(name) {
                report(route.at, format!("`:{name}` has no type: declare it under `path`"));
            }
            seen.push(name);
        }
        for (name, used) in &endpoint.path {
            if !seen.contains(&name.text.as_str()) {
                report(name.at, format!("`{}` is not in the route `{}`", name.text, route.text));
            }
            let is_plain = !used.list && !used.optional && used.default.is_none();
            match meaning(spec, &used.name.text) {
                Meaning::Id if is_plain => {}
                Meaning::Unknown => {}
                _ => report(
                    used.name.at,
                    format!(
                        "a path parameter is an id, such as `Resource.id`; `{}` is none",
                        name.text
                    ),
                ),
            }
        }
    }
}

/// `colliding-routes`: two endpoints of a surface that the same request would reach.
pub(super) fn colliding_routes(spec: &Spec, reports: &mut Vec<Report>) {
    for (_, surface) in &spec.surfaces {
        let mut seen: HashMap<(&str, Vec<&str>), &Word> = HashMap::new();
        for (name, endpoint) in &surface.endpoints {
            let shape = endpoint
                .route
                .text
                .split('/')
                .map(|part| if part.starts_with(':') { ":" } else { part });
            let request = (endpoint.method.text.as_str(), shape.collect());
            if let Some(first) = seen.get(&request) {
                let message = format!("`{}` and `{}` answer the same requests", first.text, name.text);
                reports.push(Report::new("colliding-routes", endpoint.method.at, message));
            } else {
                seen.insert(request, name);
            }
        }
    }
}

/// `colliding-bases`: a surface under the base of another one.
pub(super) fn colliding_bases(spec: &Spec, reports: &mut Vec<Report>) {
    for (index, (name, surface)) in spec.surfaces.iter().enumerate() {
        let other = spec.surfaces[..index]
            .iter()
            .find(|(_, other)| is_under(surface, other) || is_under(other, surface));
        if let Some((other, of)) = other {
            let message = format!(
                "the base of `{}` overlaps that of `{}`, which is `{}`",
                name.text, other.text, of.base.text
            );
            reports.push(Report::new("colliding-bases", surface.base.at, message));
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
