//! `bad-placeholder`: a text contains a placeholder that has no value at its step.

use super::lookup::{has, operations};
use super::routes::parameters;
use crate::diagnostic::{Diagnostic, Rule};
use crate::step::Step;
use crate::syntax::{ErrorEntry, Spec, Word};

/// Placeholders of every answer.
const ALWAYS: [&str; 1] = ["request_id"];
/// Placeholders of the headers of every error response.
const OF_ERRORS: [&str; 1] = ["code"];
/// Placeholders of limits.
const OF_LIMITS: [&str; 6] = ["limit", "max", "remaining", "seconds", "window_seconds", "reset_unix"];
/// Placeholders with prose as values, which headers cannot contain.
const PROSE: [&str; 4] = ["faults", "noun", "did_you_mean", "problem"];

/// Placeholders with what only programs read, which texts cannot contain.
const FOR_PROGRAMS: [&str; 1] = ["fault_codes"];

/// `bad-placeholder`: checks the placeholders of all texts and headers.
pub(super) fn bad_placeholder(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, error) in &spec.errors {
        let Some(step) = Step::parse(&error.step.text) else {
            continue;
        };
        let Some(allowed) = allowed(spec, name, step) else {
            continue;
        };
        let in_text: Vec<&str> = allowed
            .iter()
            .filter(|name| !FOR_PROGRAMS.contains(name))
            .copied()
            .collect();
        check(&error.text, &in_text, &place(error), diagnostics);
        let in_headers: Vec<&str> = allowed.into_iter().filter(|name| !PROSE.contains(name)).collect();
        for (_, value) in &error.headers {
            check(
                value,
                &in_headers,
                &format!("a header of {}", place(error)),
                diagnostics,
            );
        }
    }
    for (_, value) in &spec.api.headers {
        check(value, &ALWAYS, "a header of every response", diagnostics);
    }
    for (_, value) in &spec.api.error_headers {
        check(value, &OF_ERRORS, "a header of every error response", diagnostics);
    }
    for (_, value) in &spec.limit_headers {
        check(value, &OF_LIMITS, "a header of `limit_headers`", diagnostics);
    }
}

fn place(error: &ErrorEntry) -> String {
    format!("an error of the step `{}`", error.step.text)
}

/// The placeholders that an error may use. An error of the step `rule` may use the path parameters that all its
/// endpoints have.
fn allowed<'s>(spec: &'s Spec, name: &Word, step: Step) -> Option<Vec<&'s str>> {
    if step != Step::Rule {
        return Some(step.placeholders().to_vec());
    }
    let mut naming = operations(spec).filter(|operation| has(&operation.endpoint.errors, &name.text));
    let first = naming.next()?;
    let others: Vec<_> = naming.collect();
    let shared = parameters(&first.endpoint.route.text).filter(|name| {
        others
            .iter()
            .all(|other| parameters(&other.endpoint.route.text).any(|own| own == *name))
    });
    Some(shared.collect())
}

fn check(template: &Word, allowed: &[&str], place: &str, diagnostics: &mut Vec<Diagnostic>) {
    let mut rest = template.text.as_str();
    while let Some(start) = rest.find(['{', '}']) {
        let behind = &rest[start + 1..];
        let name = behind
            .split_once('}')
            .map(|(name, _)| name)
            .filter(|name| is_name(name));
        let Some(name) = name.filter(|_| rest[start..].starts_with('{')) else {
            let message = "this brace belongs to no placeholder such as `{id}`: a literal brace cannot be written";
            let brace = template.part(&rest[start..=start]);
            return diagnostics.push(Diagnostic::new(Rule::BadPlaceholder, brace.at, message));
        };
        if !allowed.contains(&name) {
            let message = format!("the placeholder `{{{name}}}` is not known in {place}");
            let diagnostic = Diagnostic::new(Rule::BadPlaceholder, template.part(name).at, message);
            diagnostics.push(match allowed {
                [] => diagnostic.help("no placeholder is known here"),
                allowed => diagnostic.propose(name, allowed.iter().copied()),
            });
        }
        rest = &behind[name.len() + 1..];
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
