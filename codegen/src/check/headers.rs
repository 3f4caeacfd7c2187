//! Rules about names and values of headers.

use super::lookup::operations;
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Span, Spec, Table, Word};
use std::collections::HashMap;

/// Headers that the server itself writes or reads.
const OWN: [&str; 9] = [
    "content-type",
    "content-length",
    "transfer-encoding",
    "connection",
    "date",
    "host",
    "upgrade",
    "te",
    "trailer",
];

/// `header-name`: a header that is invalid, reserved for the server, or sent twice.
pub(super) fn header_name(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let requested = spec.credentials.iter().map(|(_, credential)| &credential.header);
    let keys = spec.idempotency.iter().flat_map(|keys| [&keys.header, &keys.replayed]);
    let nearest = operations(spec).flat_map(|located| located.endpoint.nearest.iter().map(|(_, header)| header));
    let of_successes =
        operations(spec).flat_map(|located| located.endpoint.success.headers.iter().map(|(header, _)| header));
    for name in requested
        .chain(keys)
        .chain(nearest)
        .chain(of_successes)
        .chain(answered(spec).map(|(name, _)| name))
    {
        let message = if !is_token(&name.text) {
            format!("`{}` is not a valid header name", name.text)
        } else if OWN.contains(&name.text.to_lowercase().as_str()) {
            format!("the server sets the header `{}` itself", name.text)
        } else {
            continue;
        };
        diagnostics.push(Diagnostic::new(Rule::HeaderName, name.at, message));
    }
    let always: Vec<&Word> = spec
        .api
        .headers
        .iter()
        .chain(&spec.api.error_headers)
        .chain(&spec.limit_headers)
        .map(|(name, _)| name)
        .chain(spec.idempotency.as_ref().map(|keys| &keys.replayed))
        .collect();
    let mut found = Vec::new();
    let mut sent = HashMap::new();
    always
        .into_iter()
        .for_each(|name| found.extend(twice(name, &mut sent, None)));
    let mut of_callers = HashMap::new();
    for (name, _) in of_realms(spec) {
        // Realms may share a header, with another value in each.
        found.extend(twice(name, &mut HashMap::new(), Some(&sent)));
        of_callers.entry(name.text.to_ascii_lowercase()).or_insert(name.at);
    }
    sent.extend(of_callers);
    for located in operations(spec) {
        let mut own = HashMap::new();
        let success = &located.endpoint.success;
        let location = success.location.as_ref().map(|target| Word {
            text: "Location".to_owned(),
            at: target.at,
        });
        let names = located.endpoint.nearest.iter().map(|(_, header)| header);
        let names = names
            .chain(success.headers.iter().map(|(name, _)| name))
            .chain(&location);
        names.for_each(|name| found.extend(twice(name, &mut own, Some(&sent))));
    }
    for (_, row) in &spec.errors {
        let mut own = HashMap::new();
        let names = row.headers.iter().map(|(name, _)| name);
        names.for_each(|name| found.extend(twice(name, &mut own, Some(&sent))));
    }
    diagnostics.extend(found);
}

type Sent = HashMap<String, Span>;

/// The diagnostic for a header that is sent already.
fn twice(name: &Word, sent: &mut Sent, always: Option<&Sent>) -> Option<Diagnostic> {
    let key = name.text.to_ascii_lowercase();
    let known = always.and_then(|always| always.get(&key)).or_else(|| sent.get(&key));
    let diagnostic = known.map(|first| {
        let message = format!("the header `{}` is declared twice", name.text);
        let diagnostic = Diagnostic::new(Rule::HeaderName, name.at, message);
        diagnostic.related(*first, "first declared here")
    });
    sent.entry(key).or_insert(name.at);
    diagnostic
}

/// `header-value`: a value that is not a valid header value.
pub(super) fn header_value(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, value) in answered(spec) {
        if !value.text.chars().all(|c| c == ' ' || c.is_ascii_graphic()) {
            let message = format!(
                "the value of `{}` may only have visible ASCII characters and spaces",
                name.text
            );
            diagnostics.push(Diagnostic::new(Rule::HeaderValue, value.at, message));
        }
    }
}

/// All headers of answers.
fn answered(spec: &Spec) -> impl Iterator<Item = &(Word, Word)> {
    let of_rows = spec.errors.iter().flat_map(|(_, row)| &row.headers);
    let of_realms = of_realms(spec);
    let always: [&Table<Word>; 3] = [&spec.api.headers, &spec.api.error_headers, &spec.limit_headers];
    always.into_iter().flatten().chain(of_rows).chain(of_realms)
}

/// The headers of answers to callers of some realms.
fn of_realms(spec: &Spec) -> impl Iterator<Item = &(Word, Word)> {
    let realms = spec.credentials.iter().flat_map(|(_, credential)| &credential.realms);
    realms.flat_map(|(_, realm)| &realm.headers)
}

fn is_token(name: &str) -> bool {
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    !name.is_empty() && name.chars().all(is_token)
}
