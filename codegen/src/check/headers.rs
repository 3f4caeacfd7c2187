//! Names and values of headers.

use crate::report::Report;
use crate::spec::{Span, Spec, Table, Word};
use std::collections::HashMap;

/// Headers that the server writes or reads itself.
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

/// `header-name`: a header that cannot be sent, is sent by the server itself, or is sent twice.
pub(super) fn header_name(spec: &Spec, reports: &mut Vec<Report>) {
    let requested = spec.credentials.iter().map(|(_, credential)| &credential.header);
    for name in requested.chain(answered(spec).map(|(name, _)| name)) {
        let message = if !is_token(&name.text) {
            format!("`{}` is no name of a header", name.text)
        } else if OWN.contains(&name.text.to_lowercase().as_str()) {
            format!("the server sees to the header `{}` itself", name.text)
        } else {
            continue;
        };
        reports.push(Report::new("header-name", name.at, message));
    }
    let always: Vec<&Word> = spec
        .api
        .headers
        .iter()
        .chain(&spec.limit_headers)
        .map(|(name, _)| name)
        .collect();
    let mut found = Vec::new();
    let mut sent = HashMap::new();
    always
        .into_iter()
        .for_each(|name| found.extend(twice(name, &mut sent, None)));
    for (_, row) in &spec.errors {
        let mut own = HashMap::new();
        let names = row.headers.iter().map(|(name, _)| name);
        names.for_each(|name| found.extend(twice(name, &mut own, Some(&sent))));
    }
    reports.extend(found);
}

type Sent = HashMap<String, Span>;

/// A header that is among those that are sent already.
fn twice(name: &Word, sent: &mut Sent, always: Option<&Sent>) -> Option<Report> {
    let key = name.text.to_ascii_lowercase();
    let known = always.and_then(|always| always.get(&key)).or_else(|| sent.get(&key));
    let report = known.map(|first| {
        let message = format!("the header `{}` is sent already", name.text);
        let report = Report::new("header-name", name.at, message);
        report.related(*first, "first declared here")
    });
    sent.entry(key).or_insert(name.at);
    report
}

/// `header-value`: a value that no header can have.
pub(super) fn header_value(spec: &Spec, reports: &mut Vec<Report>) {
    for (name, value) in answered(spec) {
        if !value.text.chars().all(|c| c == ' ' || c.is_ascii_graphic()) {
            let message = format!(
                "the value of `{}` may have visible ASCII characters and spaces only",
                name.text
            );
            reports.push(Report::new("header-value", value.at, message));
        }
    }
}

/// All headers of answers.
fn answered(spec: &Spec) -> impl Iterator<Item = &(Word, Word)> {
    let of_rows = spec.errors.iter().flat_map(|(_, row)| &row.headers);
    let always: [&Table<Word>; 2] = [&spec.api.headers, &spec.limit_headers];
    always.into_iter().flatten().chain(of_rows)
}

fn is_token(name: &str) -> bool {
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    !name.is_empty() && name.chars().all(is_token)
}
