//! Rules about endpoints that try others.

use super::lookup::operations;
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{BodyUse, Endpoint, Guard, Spec, Word};

/// `dry-run`: an endpoint that tries none of its surface, one that cannot be tried, or that repeats what it takes from there.
pub(super) fn dry_run(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let own = operation.endpoint;
        let Some(name) = &own.dry_run else { continue };
        let Some((declared, tried)) = own.tried(operation.surface) else {
            let known = operation.surface.endpoints.iter().map(|(name, _)| name.text.as_str());
            let message = format!("there is no endpoint `{}` in this surface", name.text);
            diagnostics.push(Diagnostic::new(Rule::DryRun, name.at, message).propose(&name.text, known));
            continue;
        };
        if let Some(reason) = why_not(tried) {
            let message = format!("`{}` cannot be tried: {reason}", name.text);
            diagnostics.push(Diagnostic::new(Rule::DryRun, name.at, message).declared(declared));
        }
        let method = &own.method;
        if method.text != "POST" {
            let message = format!("a {} tries no other endpoint", method.text);
            diagnostics.push(Diagnostic::new(Rule::DryRun, method.at, message).help("use POST"));
        }
        for (key, at) in repeated(own) {
            let message = format!("`{key}` comes from `{}`", name.text);
            diagnostics.push(Diagnostic::new(Rule::DryRun, at.at, message).help(format!("remove `{key}`")));
        }
        if own.success.data.is_some() || !own.success.siblings.is_empty() {
            let message = "an endpoint that tries another one has no data to return";
            let diagnostic = Diagnostic::new(Rule::DryRun, name.at, message);
            diagnostics.push(diagnostic.help("leave `data` and `siblings` out"));
        }
        let parameters = |endpoint: &Endpoint| {
            let mut all: Vec<String> = endpoint.path.iter().map(|(name, _)| name.text.clone()).collect();
            all.sort();
            all
        };
        if parameters(own) != parameters(tried) {
            let message = format!("its path has other parameters than that of `{}`", name.text);
            diagnostics.push(Diagnostic::new(Rule::DryRun, own.route.at, message).declared(declared));
        }
    }
}

/// Why an endpoint cannot be tried.
fn why_not(tried: &Endpoint) -> Option<&'static str> {
    match tried {
        one if one.dry_run.is_some() => Some("it tries another one itself"),
        one if one.method.text == "GET" => Some("it changes nothing"),
        one if one.file.is_some() || one.success.file.is_some() => Some("it moves a file"),
        one if one.waits_at_once.is_some() || one.feed.is_some() => Some("it waits"),
        one if one.undeclared.is_some() => Some("the contract does not declare all that it does"),
        _ => None,
    }
}

/// The keys that it takes from the tried endpoint and has itself, each with a place in it.
fn repeated(own: &Endpoint) -> Vec<(&'static str, &Word)> {
    let body = own.body.as_ref().and_then(|body| match body {
        BodyUse::Named(name) => Some(name),
        BodyUse::Inline(body) => body.members.iter().map(|(name, _)| name).next(),
    });
    let guard = own.guards.first().map(|guard| match guard {
        Guard::Plan(word) | Guard::Owner(word) => word,
        Guard::Exists { resource, .. } => resource,
    });
    let made = own.makes.as_ref().and_then(|makes| makes.iter().next());
    let put = own.puts.as_ref().and_then(|puts| puts.iter().next());
    let all = [
        ("query", own.query.iter().map(|(name, _)| name).next()),
        ("body", body),
        ("guards", guard),
        ("open", own.open.as_ref()),
        ("quota", own.quotas.first()),
        ("errors", own.errors.first()),
        ("transitions", own.transitions.as_ref()),
        ("makes", made.map(|(name, _)| name)),
        ("puts", put.map(|(name, _)| name)),
        ("changes", own.changes.as_ref()),
        ("ends", own.ends.as_ref()),
        ("renews", own.renews.as_ref()),
        ("revokes", own.revokes.as_ref()),
        ("undeclared", own.undeclared.as_ref()),
        ("event", own.event.as_ref()),
    ];
    all.into_iter().filter_map(|(key, word)| Some((key, word?))).collect()
}
