//! Rules about endpoints that try others.

use super::lookup::operations;
use super::taken::{taken, unknown};
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Endpoint, Spec, TypeUse, Word};

/// `dry-run`: an endpoint that tries none of its surface, one that cannot be tried, or that repeats what it takes from there.
pub(super) fn dry_run(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let own = operation.endpoint;
        let Some(name) = &own.dry_run else { continue };
        let Some((declared, tried)) = own.tried(operation.surface) else {
            diagnostics.push(unknown(Rule::DryRun, operation.surface, name));
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
        for (key, at) in taken(own) {
            let message = format!("`{key}` comes from `{}`", name.text);
            diagnostics.push(Diagnostic::new(Rule::DryRun, at, message).help(format!("remove `{key}`")));
        }
        if own.success.data.is_some() || !own.success.siblings.is_empty() {
            let message = "an endpoint that tries another one has no data to return";
            let diagnostic = Diagnostic::new(Rule::DryRun, name.at, message);
            diagnostics.push(diagnostic.help("leave `data` and `siblings` out"));
        }
        let parameters = |endpoint: &Endpoint| {
            let parameter = |(name, of): &(Word, TypeUse)| (name.text.clone(), of.name.text.clone());
            let mut all: Vec<_> = endpoint.path.iter().map(parameter).collect();
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
        one if one.file.is_some() || one.success.file.is_some() => Some("it moves a file"),
        one if one.undeclared.is_some() => Some("the contract does not declare all that it does"),
        one if one.transitions.is_some()
            || one.changes.is_some()
            || one.ends.is_some()
            || one.renews.is_some()
            || one.revokes.is_some() =>
        {
            Some("it does more than to make records")
        }
        one if one.makes.is_none() => Some("it makes no record"),
        _ => None,
    }
}
