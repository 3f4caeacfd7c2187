//! Rules about the envelope: it has a place for everything that answers contain, and no placeholder that stays empty.

use super::lookup::{LocatedOperation, operations};
use super::success::first_with_message;
use crate::diagnostic::{Diagnostic, Rule};
use crate::span::Span;
use crate::syntax::{Choice, Envelope, EnvelopeValue, OF_ERROR, OF_FAULT, OF_SUCCESS, Spec, Table, Word};

/// The placeholder for the members that an endpoint names beside `data`.
const SIBLINGS: &str = "siblings";
const SPREAD: &str = "...";
const NO_BODY: &str = "a response with this status has no body";

/// `envelope`: a placeholder that is never filled, or that occurs twice.
pub(super) fn placeholders(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let envelope = &spec.envelope;
    check_members(&envelope.success, OF_SUCCESS, "a success", diagnostics);
    check_members(&envelope.error.members, OF_ERROR, "an error", diagnostics);
    check_members(&envelope.fault, OF_FAULT, "a fault", diagnostics);
}

fn check_members(
    members: &Table<EnvelopeValue>,
    known: &'static [Choice],
    what: &str,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let known = known.iter().map(|choice| choice.word);
    let mut seen: Vec<&Word> = Vec::new();
    for word in placeholders_in(members) {
        let name = word.text.as_str();
        if !known.clone().any(|known| known == name) {
            let message = format!("{what} has no placeholder `${name}`");
            let diagnostic = Diagnostic::new(Rule::Envelope, word.at, message);
            diagnostics.push(diagnostic.propose(name, known.clone()));
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
    let Envelope {
        success, error, fault, ..
    } = &spec.envelope;
    let all = [&success[..], &error.members, fault].map(EnvelopeValue::flat);
    let is_object = |member: &&(Word, EnvelopeValue)| matches!(member.1, EnvelopeValue::Object(_));
    let objects = error.members.iter().filter(is_object);
    for (key, value) in all.into_iter().flatten().chain(objects) {
        let is_siblings = value.placeholder().is_some_and(|word| word.text == SIBLINGS);
        let message = match (key.text == SPREAD, is_siblings) {
            (true, false) => format!("`{SPREAD}` is only for `${SIBLINGS}`: any other member needs a name"),
            (false, true) => format!("`${SIBLINGS}` are several members, each with its own name"),
            _ => continue,
        };
        let help = format!("write `{SPREAD}: ${SIBLINGS}`");
        diagnostics.push(Diagnostic::new(Rule::Envelope, key.at, message).help(help));
    }
}

fn placeholders_in(members: &Table<EnvelopeValue>) -> impl Iterator<Item = &Word> {
    let all = EnvelopeValue::flat(members).into_iter();
    all.filter_map(|(_, value)| value.placeholder())
}

/// `envelope`: a success without `$data`, or an error without `$text`. A contract none of whose successes has the envelope
/// need not declare one.
pub(super) fn needed(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let is_used = operations(spec).next().is_none() || operations(spec).any(|one| one.has_envelope());
    let success = (is_used || !spec.envelope.success.is_empty()).then_some((&spec.envelope.success, "success", "data"));
    let error = (&spec.envelope.error.members, "error", "text");
    for (members, member, name) in success.into_iter().chain([error]) {
        let has_typo = placeholders_in(members).any(|word| crate::nearest::nearest(&word.text, [name]).is_some());
        if !EnvelopeValue::shows(members, name) && !has_typo {
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
        .filter(|_| !EnvelopeValue::shows(&spec.envelope.success, "message"));
    let siblings = first_with_message(spec, |success| success.siblings.first())
        .filter(|_| !EnvelopeValue::shows(&spec.envelope.success, SIBLINGS));
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

/// `envelope`: what errors list of faults, and the titles of errors, without a place for them, or a place for nothing.
pub(super) fn faults_and_titles(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let envelope = &spec.envelope;
    let place_of = |name: &str| placeholders_in(&envelope.error.members).find(|word| word.text == name);
    let mut report = |at: Span, message: &str, help: &str| {
        diagnostics.push(Diagnostic::new(Rule::Envelope, at, message).help(help));
    };
    match (place_of("faults"), envelope.fault.first()) {
        (Some(faults), None) if envelope.error.problem.is_none() => {
            let help = "add one, such as `fault: { message: $text, field: $place }`";
            report(faults.at, "`$faults` needs `fault`: the members of each fault", help);
        }
        (Some(_), Some((first, _)))
            if !["text", "code"]
                .iter()
                .any(|name| EnvelopeValue::shows(&envelope.fault, name)) =>
        {
            let help = "add a member, such as `message: $text`";
            report(first.at, "`fault` needs `$text` or `$code`", help);
        }
        (None, Some((first, _))) => {
            let help = "write `errors: $faults?` in `error`, or remove `fault`";
            report(
                first.at,
                "this is never sent: the envelope's `error` has no `$faults`",
                help,
            );
        }
        _ => {}
    }
    let title = place_of("title");
    for (name, error) in &spec.errors {
        match (&error.title, title) {
            (Some(own), None) => {
                let help = "write `title: $title` in `envelope.error`, or remove `title`";
                report(
                    own.at,
                    "this is never sent: the envelope's `error` has no `$title`",
                    help,
                );
            }
            (None, Some(_)) if error.shown_title().is_none() => {
                let message = format!("`{}` needs a `title`: its status has no phrase", name.text);
                report(name.at, &message, "write a short name of the error as `title`");
            }
            _ => {}
        }
    }
}

/// `envelope`: a media type of errors that is not JSON, and a `?` in a fault, where there is always a value.
pub(super) fn media_type_and_marks(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let envelope = &spec.envelope;
    if let Some(media_type) = envelope.error_media_type.as_ref().filter(|one| !one.at.is_unknown())
        && !media_type.text.ends_with("+json")
        && media_type.text != "application/json"
    {
        let message = format!("error responses are JSON, which `{}` is not", media_type.text);
        let diagnostic = Diagnostic::new(Rule::Envelope, media_type.at, message);
        diagnostics.push(diagnostic.help("write a media type that ends with `+json`: `application/problem+json`"));
    }
    for (_, value) in &envelope.fault {
        if let EnvelopeValue::Placeholder { name, optional: true } = value {
            let message = format!("`${}` always has a value", name.text);
            let help = format!("write `${}`", name.text);
            diagnostics.push(Diagnostic::new(Rule::Envelope, name.at, message).help(help));
        }
    }
}
