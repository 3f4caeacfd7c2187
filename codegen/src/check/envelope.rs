//! Rules about the envelope: it has a place for everything that answers contain, and no placeholder that stays empty.

use super::lookup::{LocatedOperation, operations};
use super::success::first_with_message;
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{EnvelopeValue, Spec, Table, Word};

/// Placeholders that a success can fill.
const SUCCESS: [&str; 3] = ["data", "message", SIBLINGS];
/// The placeholder for the members that an endpoint names beside `data`.
const SIBLINGS: &str = "siblings";
const SPREAD: &str = "...";
const NO_BODY: &str = "a response with this status has no body";
/// Placeholders that an error can fill.
const ERROR: [&str; 4] = ["text", "code", "status", "request_id"];

/// `envelope`: a placeholder that is never filled, or that occurs twice.
pub(super) fn placeholders(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    check_members(&spec.envelope.success, &SUCCESS, "a success", diagnostics);
    check_members(&spec.envelope.error, &ERROR, "an error", diagnostics);
}

fn check_members(members: &Table<EnvelopeValue>, known: &[&str], what: &str, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: Vec<&Word> = Vec::new();
    for word in members.iter().filter_map(|(_, value)| placeholder(value)) {
        let name = word.text.as_str();
        if !known.contains(&name) {
            let message = format!("{what} has no placeholder `${name}`");
            let diagnostic = Diagnostic::new(Rule::Envelope, word.at, message);
            diagnostics.push(diagnostic.propose(name, known.iter().copied()));
        } else if let Some(first) = seen.iter().find(|first| first.text == name) {
            let message = format!("`${name}` occurs twice in {what}");
            let diagnostic = Diagnostic::new(Rule::Envelope, word.at, message);
            diagnostics.push(diagnostic.related(first.at, "first given here"));
        }
        seen.push(word);
    }
}

/// `envelope`: `$siblings` expands to members with their own names. It must have the key `...`, and nothing else may.
pub(super) fn spread(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (key, value) in spec.envelope.success.iter().chain(&spec.envelope.error) {
        let is_siblings = placeholder(value).is_some_and(|word| word.text == SIBLINGS);
        let message = match (key.text == SPREAD, is_siblings) {
            (true, false) => format!("`{SPREAD}` is only for `${SIBLINGS}`: any other member needs a name"),
            (false, true) => format!("`${SIBLINGS}` are several members, each with its own name"),
            _ => continue,
        };
        let help = format!("write `{SPREAD}: ${SIBLINGS}`");
        diagnostics.push(Diagnostic::new(Rule::Envelope, key.at, message).help(help));
    }
}

fn placeholder(value: &EnvelopeValue) -> Option<&Word> {
    match value {
        EnvelopeValue::Placeholder { name, .. } => Some(name),
        EnvelopeValue::Literal(_) => None,
    }
}

fn sends(members: &Table<EnvelopeValue>, name: &str) -> bool {
    members
        .iter()
        .filter_map(|(_, value)| placeholder(value))
        .any(|word| word.text == name)
}

/// `envelope`: a success without `$data`, or an error without `$text`. A contract none of whose successes has the envelope
/// need not declare one.
pub(super) fn needed(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let is_used = operations(spec).next().is_none() || operations(spec).any(|one| one.has_envelope());
    let success = (is_used || !spec.envelope.success.is_empty()).then_some((&spec.envelope.success, "success", "data"));
    let error = (&spec.envelope.error, "error", "text");
    for (members, member, name) in success.into_iter().chain([error]) {
        let has_typo = members
            .iter()
            .filter_map(|(_, value)| placeholder(value))
            .any(|word| crate::nearest::nearest(&word.text, [name]).is_some());
        if !sends(members, name) && !has_typo {
            let at = members.first().map_or(spec.api.name.at, |(first, _)| first.at);
            let message = format!("the envelope's `{member}` has no placeholder `${name}`");
            let help = format!("add one, such as `{name}: ${name}`");
            diagnostics.push(Diagnostic::new(Rule::Envelope, at, message).help(help));
        }
    }
}

/// `envelope`: an endpoint without an envelope sets what only the envelope has a place for, or need not say that it has none.
pub(super) fn without(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let LocatedOperation { endpoint, surface, .. } = operation;
        let success = &endpoint.success;
        let anyway = surface
            .envelope
            .as_ref()
            .map(|of_all| (of_all.at, "the surface says it for all its endpoints"));
        let anyway = anyway.or(success.file.as_ref().map(|file| (file.at, "the response is a file")));
        let anyway = anyway.or(operation.no_content().map(|status| (status.at, NO_BODY)));
        if let (Some(own), Some((at, why))) = (&endpoint.envelope, anyway) {
            let diagnostic = Diagnostic::new(Rule::Envelope, own.at, "the response has no envelope anyway");
            diagnostics.push(diagnostic.related(at, why).help("remove `envelope`"));
        }
        let reason = match (operation.no_content(), operation.without_envelope()) {
            (Some(status), _) => (status.at, NO_BODY),
            (None, Some(none)) => (none.at, "the response has no envelope"),
            (None, None) => continue,
        };
        let siblings = (
            success.siblings.first(),
            "leave it out, or send it in a header: `headers: { X-Total-Count: total }`",
        );
        let message = (success.message.as_ref(), "leave it out: clients see the status");
        for (word, help) in [siblings, message] {
            if let Some(word) = word {
                let diagnostic = Diagnostic::new(Rule::Envelope, word.at, "this is never sent");
                diagnostics.push(diagnostic.related(reason.0, reason.1).help(help));
            }
        }
    }
}

/// `envelope`: an endpoint sets something that the envelope does not send.
pub(super) fn said_but_not_sent(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let message = first_with_message(spec, |success| success.message.as_ref())
        .filter(|_| !sends(&spec.envelope.success, "message"));
    let siblings = first_with_message(spec, |success| success.siblings.first())
        .filter(|_| !sends(&spec.envelope.success, SIBLINGS));
    for (word, name) in [(message, "message"), (siblings, SIBLINGS)] {
        if let Some(word) = word {
            let message = format!("this is never sent: the envelope's `success` has no `${name}`");
            let first = spec
                .envelope
                .success
                .first()
                .map_or_else(Default::default, |(first, _)| first.at);
            let diagnostic = Diagnostic::new(Rule::Envelope, word.at, message);
            diagnostics.push(diagnostic.related(first, "the envelope of a success is declared here"));
        }
    }
}
