//! Rules about error texts: a caller can tell from an error response what to do, and can tell two errors apart.

use super::lookup::operations;
use super::unguarded::is_meant;
use crate::diagnostic::{Diagnostic, Rule};
use crate::step::Step;
use crate::syntax::{EnvelopeValue, ErrorEntry, Spec, Word};
use std::collections::HashMap;

/// `says-too-little`: an error omits a placeholder that a caller needs to correct the request.
pub(super) fn says_too_little(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, error) in &spec.errors {
        let Some(step) = Step::parse(&error.step.text) else {
            continue;
        };
        let (needed, why) = match step {
            Step::Decode => ("faults", "what is wrong with the request"),
            Step::Limit | Step::CredentialLimit | Step::ResponseBytes => ("seconds", "how long to wait"),
            Step::Method => ("allow", "which methods there are"),
            Step::Exists if finds_two(spec) => ("noun", "which of the two resources does not exist"),
            _ => continue,
        };
        let placeholder = format!("{{{needed}}}");
        let mut templates = error.headers.iter().map(|(_, value)| value).chain([&error.text]);
        if !templates.any(|template| template.text.contains(&placeholder)) && !is_meant(spec, &nodes(name)) {
            let message = format!("`{}` does not tell the caller {why}", name.text);
            let help = match step {
                Step::Decode | Step::Exists => format!("put `{placeholder}` into its `text`"),
                _ => format!("put `{placeholder}` into its `text`, or into one of its `headers`"),
            };
            let help = format!("{help}; or give the reason in `decisions`: `at: errors.{}`", name.text);
            diagnostics.push(Diagnostic::new(Rule::SaysTooLittle, error.text.at, message).help(help));
        }
    }
}

fn finds_two(spec: &Spec) -> bool {
    operations(spec).any(|operation| operation.existing().count() > 1)
}

/// `same-refusal`: two errors that look the same to a caller.
pub(super) fn same_error_response(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    if EnvelopeValue::shows(&spec.envelope.error.members, "code") {
        return;
    }
    let has_titles = EnvelopeValue::shows(&spec.envelope.error.members, "title");
    let mut seen: HashMap<_, &Word> = HashMap::new();
    for (name, error) in &spec.errors {
        let other = *seen.entry(displayed_form(error, has_titles)).or_insert(name);
        if !std::ptr::eq(other, name) && !is_meant(spec, &[nodes(name), nodes(other)].concat()) {
            let message = format!(
                "callers cannot distinguish `{}` from `{}`: status, text and headers are the same",
                name.text, other.text
            );
            let help = match error.step.text.as_str() {
                "owner" => "to hide a resource from other callers, write `private: true` in it",
                _ => "give it another text, or add the name of the error to the envelope: `code: $code`",
            };
            let help = format!("{help}; or give the reason in `decisions`: `at: errors.{}`", name.text);
            diagnostics.push(Diagnostic::new(Rule::SameRefusal, error.text.at, message).help(help));
        }
    }
}

/// The paths of an error and of its text.
fn nodes(error: &Word) -> Vec<String> {
    vec![format!("errors.{}", error.text), format!("errors.{}.text", error.text)]
}

/// All that a caller sees of an error: status, text, title and headers.
type Displayed<'s> = (u64, &'s str, Option<&'s str>, Vec<(&'s str, &'s str)>);

fn displayed_form(error: &ErrorEntry, has_titles: bool) -> Displayed<'_> {
    let headers = error.headers.iter();
    let headers = headers.map(|(name, value)| (name.text.as_str(), value.text.as_str()));
    let title = error.shown_title().filter(|_| has_titles);
    (error.status.value.to_bits(), &error.text.text, title, headers.collect())
}

/// `bad-placeholder`: the placeholder syntax of another language, or a placeholder in a text that cannot have one.
pub(super) fn foreign_placeholder(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let errors = spec
        .errors
        .iter()
        .flat_map(|(_, error)| error.headers.iter().map(|(_, value)| value).chain([&error.text]));
    let always = spec
        .api
        .headers
        .iter()
        .chain(&spec.api.error_headers)
        .chain(&spec.limit_headers)
        .map(|(_, value)| value);
    for template in errors.chain(always) {
        if let Some(found) = foreign(&template.text) {
            let message = format!("`{found}` is sent unchanged: write a placeholder as `{{id}}`");
            diagnostics.push(Diagnostic::new(Rule::BadPlaceholder, template.at, message));
        }
    }
    for message in operations(spec).filter_map(|operation| operation.endpoint.success.message.as_ref()) {
        if let Some(found) = braced(message).or_else(|| foreign(&message.text)) {
            let message_of = format!("`{found}` is sent unchanged: the message of a success has no placeholders");
            diagnostics.push(
                Diagnostic::new(Rule::BadPlaceholder, message.at, message_of)
                    .help("put values that differ into `data`"),
            );
        }
    }
}

fn braced(message: &Word) -> Option<String> {
    let (_, behind) = message.text.split_once('{')?;
    let (name, _) = behind.split_once('}')?;
    Some(format!("{{{name}}}"))
}

/// `$name`, `${name}`, `%s` or `%d`.
fn foreign(template: &str) -> Option<String> {
    let mut rest = template;
    while let Some(start) = rest.find(['$', '%']) {
        let (sign, behind) = rest[start..].split_at(1);
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name: String = behind.chars().take_while(|c| is_name(*c)).collect();
        let is_variable =
            sign == "$" && (name.starts_with(|c: char| c.is_ascii_alphabetic()) || behind.starts_with('{'));
        if is_variable || (sign == "%" && matches!(name.as_str(), "s" | "d")) {
            return Some(if behind.starts_with('{') {
                "${".to_owned()
            } else {
                format!("{sign}{name}")
            });
        }
        rest = behind;
    }
    None
}
