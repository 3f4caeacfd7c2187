//! Error responses and what to do next, with the limits that cause some of them. Quotas are described at their
//! operations.

use super::{operations, section, sentence, together};
use crate::documents::shared::selection::Selection;
use crate::documents::shared::{possible_errors, words};
use crate::fault_codes;
use crate::model::{Counts, EnvelopeValue, ErrorEntry, Limit, Model, Operation, Surface, Template};
use crate::step::Step;

/// Maximum number of operations that are named for an error.
const NAMED_OPERATIONS: usize = 6;

pub(super) fn errors(part: &Selection<'_>) -> String {
    let lines: Vec<String> = part.all_errors().into_iter().map(|one| error(part, one)).collect();
    let heading = "If a request causes several errors, the response is the first of them in this list. In texts, `{…}` is a placeholder.";
    section("Errors", &[&[format!("{heading}\n")], &lines[..]].concat())
}

fn error(part: &Selection<'_>, error: &ErrorEntry) -> String {
    let code = if shows_code(part.model) {
        format!(" `{}`", error.name)
    } else {
        String::new()
    };
    let headers = match headers(&error.headers) {
        headers if headers.is_empty() => headers,
        headers => format!(", with {headers}"),
    };
    let text = error.text.to_string();
    let quoted = words::code(&text);
    let help = error.help.clone().unwrap_or_else(|| words::meaning(error));
    let help = if help == text { String::new() } else { sentence(&help) };
    let help = together(&[&help, &answered(part, error)]);
    let line = format!("- {}{code} {quoted}{headers}", error.status);
    if help.is_empty() {
        line
    } else {
        format!("{line}: {help}")
    }
}

/// Whether an error response contains the name of its error.
fn shows_code(model: &Model) -> bool {
    let is_in_header = |(_, template): &(String, Template)| template.placeholders().contains(&"code");
    EnvelopeValue::shows(&model.error, "code") || model.error_headers.iter().any(is_in_header)
}

/// The operations that an error can answer, if they are few. An error about bodies applies to operations with a body.
fn answered(part: &Selection<'_>, error: &ErrorEntry) -> String {
    if matches!(error.step, Step::MediaType | Step::BodySize | Step::BodyTime) {
        return String::new();
    }
    let can_answer = |(surface, operation): &(&Surface, &Operation)| {
        possible_errors::can_answer(part.model, surface, operation, error)
    };
    let names = part.operations().filter(can_answer);
    let names: Vec<String> = names
        .map(|(surface, operation)| operations::name(part, surface, operation))
        .collect();
    let all = part.operations().count();
    if names.is_empty() || names.len() > NAMED_OPERATIONS || names.len() == all {
        return String::new();
    }
    format!("Only for {}.", words::listed(&names, "and"))
}

pub(super) fn limits(part: &Selection<'_>) -> String {
    let by = part.counted_by();
    let limits = part.limits().into_iter().chain(part.failed_credentials());
    let mut lines: Vec<String> = limits.map(|one| limit(one, by)).collect();
    if !lines.is_empty() {
        lines.push(format!("- {}", words::WINDOWS));
    }
    let counts = part.operations().any(|(_, operation)| operation.limit.is_some());
    let headers = headers(&part.model.limit_headers);
    if counts && !headers.is_empty() {
        lines.push(format!("- Responses to counted requests report the limit: {headers}."));
        if part.counts_owners() {
            lines.push(format!("- {}", words::OWNERS));
        }
    }
    let in_flight = words::in_flight(part.model, part.operations(), by);
    let response_bytes = words::response_bytes(part.model, part.surfaces.iter().copied(), by);
    lines.extend(
        in_flight
            .into_iter()
            .chain(response_bytes)
            .map(|bound| format!("- {bound}")),
    );
    section("Limits", &lines)
}

fn limit(limit: &Limit, caller: words::CountedBy<'_>) -> String {
    let methods = match &limit.counts {
        Counts::Methods { methods, .. } => format!(" ({})", methods.join(", ")),
        Counts::FailedCredentials => String::new(),
    };
    format!("- `{}`: {}{methods}.", limit.name, words::limit(limit, caller))
}

/// `` `Retry-After: {seconds}`, `Allow: {allow}` ``
fn headers(headers: &[(String, Template)]) -> String {
    let example = |name: &str| (name == "fault_codes").then(|| fault_codes::EXAMPLE.to_owned());
    let headers = headers
        .iter()
        .map(|(name, template)| format!("`{name}: {}`", template.filled(example)));
    headers.collect::<Vec<_>>().join(", ")
}
