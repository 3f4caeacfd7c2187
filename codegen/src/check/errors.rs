//! Rules about the error table: it has an error for each way to reject a request, and none that cannot occur.

use super::limits::asks_for_credentials;
use super::lookup::{LocatedOperation, body_members, entry, find, has, operations};
use super::missing_errors::suggested_error;
use crate::diagnostic::{Diagnostic, Rule, while_few};
use crate::step::Step;
use crate::syntax::{Condition, ErrorEntry, Guard, Num, Span, Spec, Word};
use crate::yaml::{Node, Value};

/// `unknown-step`: an error at a step that does not exist.
pub(super) fn unknown_step(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (_, error) in &spec.errors {
        if Step::parse(&error.step.text).is_none() {
            let message = format!("there is no step `{}`", error.step.text);
            let known = Step::ALL.iter().map(|(_, word)| *word);
            diagnostics
                .push(Diagnostic::new(Rule::UnknownStep, error.step.at, message).propose(&error.step.text, known));
        }
    }
}

/// `unknown-error-row`: an endpoint names an error that is not in the table, or that is not of the step `rule`.
pub(super) fn unknown_error_row(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for name in operations(spec).flat_map(|operation| &operation.endpoint.errors) {
        let diagnostic = |message: String| Diagnostic::new(Rule::UnknownErrorRow, name.at, message);
        let diagnostic = match find(&spec.errors, &name.text) {
            None => diagnostic(format!("there is no error `{}`", name.text)),
            Some(error) if Step::parse(&error.step.text).is_some_and(|step| step != Step::Rule) => diagnostic(format!(
                "the error `{}` has the step `{}`: endpoints name only errors of the step `rule`",
                name.text, error.step.text
            ))
            .related(error.step.at, "its step"),
            Some(_) => continue,
        };
        let rules = spec
            .errors
            .iter()
            .filter(|(_, error)| error.step.text == Step::Rule.as_str());
        let known = while_few(diagnostics, rules.map(|(word, _)| word.text.as_str()));
        diagnostics.push(diagnostic.propose(&name.text, known));
    }
}

/// The errors with their steps. Errors with an unknown step are skipped.
fn rows(spec: &Spec) -> impl Iterator<Item = (&Word, &ErrorEntry, Step)> {
    spec.errors
        .iter()
        .filter_map(|(name, error)| Some((name, error, Step::parse(&error.step.text)?)))
}

/// `duplicate-step`: two errors of a step that can have only one.
pub(super) fn duplicate_step(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: Vec<(Step, &Word, &Word)> = Vec::new();
    for (name, error, step) in rows(spec).filter(|(_, _, step)| *step != Step::Rule) {
        match seen.iter().find(|(known, ..)| *known == step) {
            None => seen.push((step, name, &error.step)),
            Some((_, first, at)) => {
                let message = format!("the step `{}` already has an error, `{}`", error.step.text, first.text);
                let diagnostic = Diagnostic::new(Rule::DuplicateStep, error.step.at, message);
                diagnostics.push(diagnostic.related(at.at, "the first error of this step"));
            }
        }
    }
}

/// `missing-error-row`: requests can be rejected at a step that has no error.
pub(super) fn missing_error_row(spec: &Spec, tree: &Node, diagnostics: &mut Vec<Diagnostic>) {
    if rows(spec).count() < spec.errors.len() {
        return;
    }
    let table = table(spec, tree);
    for (step, word) in Step::ALL {
        if let Some((at, reason)) =
            needed_by(spec, step, table).filter(|_| rows(spec).all(|(_, _, known)| known != step))
        {
            let message = format!("{reason}, but no error has `at: {word}`");
            let help = format!("add one to `errors`, such as `{}`", suggested_error(spec, step));
            let diagnostic = Diagnostic::new(Rule::MissingErrorRow, at, message).help(help);
            diagnostics.push(match at == table {
                true => diagnostic,
                false => diagnostic.related(table, "errors are declared here"),
            });
        }
    }
}

/// The position of the error table, or of the contract's name if there is no table.
fn table(spec: &Spec, tree: &Node) -> Span {
    let sections = match &tree.form {
        Value::Map(sections) => sections.as_slice(),
        _ => &[],
    };
    let errors = sections.iter().find(|(key, _)| key.text == "errors");
    errors.map_or(spec.api.name.at, |(key, _)| key.at)
}

/// Where and why requests can be rejected at a step.
fn needed_by(spec: &Spec, step: Step, table: Span) -> Option<(Span, String)> {
    let always = |reason: &str| Some((table, reason.to_owned()));
    match step {
        Step::Route => always("a request can have an unknown path"),
        Step::Method => always("a request can have a method that its path does not have"),
        Step::Internal => always("every request can fail with an internal error"),
        Step::CredentialLimit => {
            let counting = spec.limits.iter().find(|(_, limit)| limit.counts.is_some())?;
            asks_for_credentials(spec).then(|| (counting.0.at, format!("`{}` can be exceeded", counting.0.text)))
        }
        // These count only if they have an error; endpoints name the errors of `rule` themselves.
        Step::Available | Step::Outcome | Step::Busy | Step::Rule => None,
        _ => {
            let operation = operations(spec).find(|operation| meets(*operation, step))?;
            let reason = format!(
                "a request to `{}` can be rejected at the step `{}`",
                operation.name.text,
                step.as_str()
            );
            Some((operation.name.at, reason))
        }
    }
}

/// Whether a request to an endpoint can be rejected at a step.
fn meets(operation: LocatedOperation<'_>, step: Step) -> bool {
    let LocatedOperation {
        spec,
        surface,
        endpoint,
        ..
    } = operation;
    match step {
        Step::Route | Step::Method | Step::Available | Step::Internal | Step::Busy | Step::Decode => true,
        Step::Credential | Step::CredentialLimit => surface.credential.is_some(),
        Step::Suspended => operation
            .credential()
            .is_some_and(|credential| credential.suspended.is_some()),
        Step::Limit => !surface.limits.is_empty(),
        Step::ResponseBytes => spec.api.response_bytes.is_some() && operation.caller().is_some(),
        Step::InFlight => operation.is_bounded_at_once(),
        Step::MediaType | Step::BodySize | Step::BodyTime => endpoint.takes_body(),
        Step::KeyReused | Step::KeyInProgress => operation.takes_keys(),
        Step::KeySecret => operation.takes_keys() && endpoint.shows_secret(),
        Step::Plan => endpoint.guards.iter().any(|guard| matches!(guard, Guard::Plan(_))),
        Step::Exists => operation.existing().next().is_some(),
        Step::Owner => operation.owned().any(|name| is_rejected_to_strangers(spec, name)),
        Step::Quota => !endpoint.quotas.is_empty(),
        Step::Transition => endpoint.transitions.is_some(),
        Step::Write | Step::Outcome => !operation.is_read(),
        Step::Rule => !endpoint.errors.is_empty(),
    }
}

/// Whether callers other than the owner get the error of the step `owner`. For a private resource they get that of
/// `exists`, so that they cannot learn that it exists.
fn is_rejected_to_strangers(spec: &Spec, resource: &Word) -> bool {
    find(&spec.resources, &resource.text).is_some_and(|resource| !resource.private)
}

/// `unused-error-row`: an error that no request can cause.
pub(super) fn unused_error_row(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, error, step) in rows(spec) {
        if is_met(spec, &name.text, step) {
            continue;
        }
        let Num { value: status, .. } = error.status;
        let message = format!("no request can get the error `{}` ({status})", name.text);
        let help = match step {
            Step::Rule => "name it in the `errors` of an endpoint, or remove it".to_owned(),
            Step::Owner if operations(spec).any(|operation| operation.owned().next().is_some()) => {
                "every resource with an owner here is `private`, so other callers get the error of `exists`: remove \
                 this error, or `private`"
                    .to_owned()
            }
            _ => format!(
                "no endpoint can reject a request at the step `{}`: remove the error",
                error.step.text
            ),
        };
        diagnostics.push(Diagnostic::new(Rule::UnusedErrorRow, name.at, message).help(help));
    }
}

/// Whether a request can cause an error. What is declared and unused counts as used: another rule reports it.
fn is_met(spec: &Spec, error: &str, step: Step) -> bool {
    let is_rate = |limit: &crate::syntax::Limit| !limit.methods.is_empty();
    match step {
        Step::Route | Step::Method | Step::Internal => true,
        Step::Rule => operations(spec).any(|operation| {
            let errors = &operation.endpoint.errors;
            has(errors, error) || errors.iter().any(|name| find(&spec.errors, &name.text).is_none())
        }),
        Step::Quota => !spec.quotas.is_empty() || operations(spec).any(|operation| meets(operation, step)),
        Step::Limit => spec.limits.iter().any(|(_, limit)| is_rate(limit)),
        Step::CredentialLimit => spec.limits.iter().any(|(_, limit)| !is_rate(limit)),
        Step::Owner => operations(spec).any(|operation| {
            let is_unknown = |name: &Word| find(&spec.resources, &name.text).is_none();
            meets(operation, step) || operation.owned().any(is_unknown)
        }),
        Step::Suspended => operations(spec).any(|operation| {
            let is_unknown = operation.surface.credential.is_some() && operation.credential().is_none();
            is_unknown || meets(operation, step)
        }),
        _ => operations(spec).any(|operation| meets(operation, step)),
    }
}

/// `untestable`: an error is declared untestable although a request can cause it.
pub(super) fn untestable(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let is_of_handler = |error: &ErrorEntry, step: Step| step == Step::Rule && !is_caused_by_requests(spec, error);
    let declared = rows(spec).filter(|(_, error, step)| !step.is_out_of_reach() && !is_of_handler(error, *step));
    for (_, error, step) in declared {
        if let Some(untestable) = &error.untestable {
            let message = format!(
                "requests can cause an error at the step `{}`, so probes can meet it",
                step.as_str()
            );
            let help = "remove `untestable`: it is only for errors at the steps `available`, `response_bytes`, `in_flight`, \
                `busy`, `body_time`, `key_in_progress`, `write`, `outcome` and `internal`, and for a `rule` without `when`, \
                or whose `when` is about a field that no body has";
            let diagnostic = Diagnostic::new(Rule::Untestable, untestable.at, message).help(help);
            diagnostics.push(diagnostic.related(error.step.at, "the step"));
        }
    }
}

/// Whether requests can cause an error of the step `rule`: it has a `when`, and a body can set the field that it is about.
fn is_caused_by_requests(spec: &Spec, error: &ErrorEntry) -> bool {
    let Some(Some(when)) = &error.when else {
        return error.when.is_some();
    };
    let Condition::Field { resource, is } = when else {
        return true;
    };
    let has_states = || entry(&spec.states, &format!("{}.{}", resource.text, is.field.text)).is_some();
    let mut bodies = operations(spec).filter_map(|operation| operation.body());
    has_states()
        || bodies.any(|body| {
            body_members(spec, body)
                .iter()
                .any(|(name, _)| name.text == is.field.text)
        })
}
