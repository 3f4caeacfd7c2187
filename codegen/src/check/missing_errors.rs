//! Suggests an entry for an error that is missing in the error table. It can be pasted unchanged.

use super::lookup::find;
use crate::step::Step;
use crate::syntax::Spec;

/// An error for a step, with a name that is not in use.
pub(super) fn suggested_error(spec: &Spec, step: Step) -> String {
    let (status, rest) = usual(step);
    let word = step.as_str();
    let mut name = word.to_owned();
    while find(&spec.errors, &name).is_some() {
        name.push_str("_rejected");
    }
    format!("{name}: {{ status: {status}, at: {word}, {rest} }}")
}

/// The usual status of a step, and a text with headers that contain what the caller needs.
fn usual(step: Step) -> (u16, &'static str) {
    match step {
        Step::Route => (404, r#"text: "unknown path""#),
        Step::Method => (405, r#"text: "use {allow}", headers: { Allow: "{allow}" }"#),
        Step::Available => (
            503,
            r#"text: "the service is not available, try again in a moment", headers: { Retry-After: "1" }"#,
        ),
        Step::CredentialLimit => (
            429,
            r#"text: "too many wrong credentials, try again in {seconds} s", headers: { Retry-After: "{seconds}" }"#,
        ),
        Step::Credential => (401, r#"text: "send a valid credential in {header}""#),
        Step::Suspended => (403, r#"text: "you are suspended""#),
        Step::Limit => (
            429,
            r#"text: "too many requests, try again in {seconds} s", headers: { Retry-After: "{seconds}" }"#,
        ),
        Step::ResponseBytes => (
            429,
            r#"text: "more than {max} bytes were sent to you, try again in {seconds} s", headers: { Retry-After: "{seconds}" }"#,
        ),
        Step::InFlight => (
            429,
            r#"text: "at most {max} of your requests at a time", headers: { Retry-After: "1" }"#,
        ),
        Step::Busy => (
            503,
            r#"text: "the server is busy, try again in a moment", headers: { Retry-After: "1" }"#,
        ),
        Step::MediaType => (415, r#"text: "send Content-Type: application/json""#),
        Step::BodySize => (413, r#"text: "send at most {max_bytes} bytes""#),
        Step::BodyTime => (408, r#"text: "send the body within {max_seconds} s""#),
        Step::Decode => (400, r#"text: "{faults}""#),
        Step::KeyReused => (422, r#"text: "this key was sent with another request""#),
        Step::KeyInProgress => (
            409,
            r#"text: "the first request with this key is in progress", headers: { Retry-After: "1" }"#,
        ),
        Step::KeySecret => (409, r#"text: "{noun} {id} was made with this key""#),
        Step::Plan => (403, r#"text: "this needs the plan {plan}""#),
        Step::Exists => (404, r#"text: "{noun} {id} not found""#),
        Step::Owner => (403, r#"text: "{noun} {id} is not yours""#),
        Step::Quota => (403, r#"text: "you may have at most {max} {noun}""#),
        Step::Transition => (409, r#"text: "{noun} {id} is {from} and cannot become {to}""#),
        Step::Rule => (409, r#"text: "this is not allowed""#),
        Step::Write => (503, r#"text: "changes cannot be saved now""#),
        Step::Outcome => (503, r#"text: "this may or may not have been done""#),
        Step::Internal => (500, r#"text: "something went wrong""#),
    }
}
