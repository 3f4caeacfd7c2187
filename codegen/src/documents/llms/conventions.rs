//! The conventions of all operations: how to write requests and read answers.

use super::operations;
use super::used::Used;
use crate::documents::shared::selection::Selection;
use crate::documents::shared::{examples, idempotency, lists, words};
use crate::formats;
use crate::model::{Body, EnvelopeValue, Kind, Model, Resource, SuccessBody, Template, Word};
use std::collections::BTreeSet;

pub(super) fn section(part: &Selection<'_>, used: &Used<'_>) -> String {
    let mut lines = requests(part);
    lines.extend(answers(part));
    lines.extend(notation(part, used));
    let lines: Vec<String> = lines.iter().map(|line| format!("- {line}")).collect();
    super::section("Requests and responses", &lines)
}

fn requests(part: &Selection<'_>) -> Vec<String> {
    let model = part.model;
    let mut lines = vec!["Paths are relative to the root of the server that serves this text. Values in a path or a query are percent-encoded UTF-8.".to_owned()];
    if part.operations().any(|(_, operation)| operation.body.is_some()) {
        lines.push(format!(
            "A body is a JSON object, sent with `Content-Type: application/json`, of at most {} bytes unless the operation states another maximum.{}",
            model.body_max_bytes,
            if has(part, Body::may_be_absent) { " One without required members may be left out." } else { "" },
        ));
    }
    let keyed: Vec<_> = part
        .operations()
        .map(|(surface, one)| (operations::name(part, surface, one), one))
        .collect();
    let keys = model.idempotency.as_ref();
    lines.extend(keys.and_then(|keys| idempotency::of_operations(keys, &keyed)));
    lines.push("Undocumented parameters and members are rejected, and so are those that are sent twice.".to_owned());
    lines
}

/// Whether an operation has such a body.
fn has(part: &Selection<'_>, is_such: fn(&Body) -> bool) -> bool {
    let mut bodies = part.operations().filter_map(|(_, one)| part.model.body(one));
    bodies.any(is_such)
}

fn answers(part: &Selection<'_>) -> Vec<String> {
    let model = part.model;
    let mut lines = vec![success_line(part)];
    lines.push(format!(
        "An error response is `{}`.{}{}",
        envelope(&model.error),
        error_headers(model),
        error_body(model)
    ));
    let pages = part.operations().flat_map(|(_, one)| lists::pages(one));
    let pages: BTreeSet<_> = pages.collect();
    if !pages.is_empty() {
        let pages = pages.iter().map(|(name, meaning)| format!("`{name}`: {meaning}"));
        lines.push(format!(
            "A list that has any of these parameters or members is divided into pages: {}. All other lists are complete.",
            pages.collect::<Vec<_>>().join("; ")
        ));
    }
    let bears_id = |template: &Template| template.placeholders().contains(&"request_id");
    let headers = model.headers.iter().filter(|(_, template)| bears_id(template));
    let headers = headers.map(|(name, _)| name);
    let headers: Vec<&String> = headers.collect();
    if !headers.is_empty() {
        lines.push(format!(
            "Every response has the header {} with the id of the request. Quote it in questions to the operator.",
            words::listed(&headers, "and")
        ));
    }
    lines
}

/// What a success is: the envelope, its data alone, or nothing.
fn success_line(part: &Selection<'_>) -> String {
    let bodies: Vec<SuccessBody> = part.operations().map(|(_, one)| one.success_body()).collect();
    let is_bare = bodies.iter().any(|body| body.is_bare());
    match (bodies.contains(&SuccessBody::Envelope), is_bare) {
        (false, true) => {
            "A success response is what the example of its operation shows: the data alone, or no body.".to_owned()
        }
        (_, is_bare) => {
            let others = " A response `with the body` that an example shows has none of these members.";
            let others = if is_bare { others } else { "" };
            format!(
                "A success response is `{}`.{}{others}",
                envelope(&part.model.success),
                success(part)
            )
        }
    }
}

/// What an error response has beside its text: another media type, and a list of faults.
fn error_body(model: &Model) -> String {
    let media_type = model.error_media_type.as_ref();
    let media_type = media_type.map(|media_type| format!(" Its `Content-Type` is `{media_type}`."));
    let mut members = EnvelopeValue::flat(&model.error).into_iter();
    let faults = members.find_map(|(_, value)| match value {
        EnvelopeValue::Placeholder { name, optional } if name.as_str() == "faults" => Some(*optional),
        _ => None,
    });
    let faults = faults.map(|optional| {
        let others = match optional {
            true => "Other errors do not have it.",
            false => "In other errors it is empty.",
        };
        let fault = model.fault.iter().map(|(name, value)| match value.placeholder() {
            Some(what) => format!("\"{name}\":FAULT_{}", what.to_uppercase()),
            None => envelope(&[(name.clone(), value.clone())])
                .trim_matches(['{', '}'])
                .to_owned(),
        });
        let fault = fault.collect::<Vec<_>>().join(",");
        format!(" FAULTS is a list: what is wrong with an invalid request, each as `{{{fault}}}`. {others}")
    });
    [media_type, faults].map(Option::unwrap_or_default).concat()
}

/// `{"ok":true,"data":DATA,"note":MESSAGE,…}`
fn envelope(members: &[(Word, EnvelopeValue)]) -> String {
    let members = members.iter().map(|(name, value)| match value {
        EnvelopeValue::Object(members) => format!("\"{name}\":{}", envelope(members)),
        EnvelopeValue::Literal(json) => format!("\"{name}\":{json}"),
        EnvelopeValue::Placeholder { name: what, .. } => match what.as_str() {
            "siblings" => "…".to_owned(),
            what => format!("\"{name}\":{}", what.to_uppercase()),
        },
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// Where an error response names its error.
fn error_headers(model: &Model) -> String {
    let headers = model.error_headers.iter();
    let headers = headers.map(|(name, template)| format!("{name}: {}", template.filled(|_| Some("CODE".to_owned()))));
    let headers: Vec<String> = headers.collect();
    match headers.as_slice() {
        [] => String::new(),
        headers => format!(
            " It has the header {}: the name of the error, as listed below.",
            words::listed(headers, "and")
        ),
    }
}

fn success(part: &Selection<'_>) -> String {
    let has = |what: &str| {
        let mut values = part.model.success.iter().map(|(_, value)| value);
        values.find_map(|value| match value {
            EnvelopeValue::Placeholder { name, optional } if name == what => Some(*optional),
            _ => None,
        })
    };
    let mut text = String::new();
    if let Some(is_optional) = has("data") {
        let absent = if is_optional { "is absent" } else { "is null" };
        text += &format!(" The examples below show DATA only. If an example shows none, the member {absent}.");
    }
    if has("message").is_some() {
        text += " MESSAGE is a sentence for people, if the operation has one.";
    }
    if has("siblings").is_some() {
        text += " Some operations have more members, at the place of `…`; the examples list them after `also`.";
    }
    text
}

/// What ids are, with the names of resources that have UUIDs.
fn ids(part: &Selection<'_>, used: &Used<'_>) -> String {
    const NUMBER: &str = "a whole number from 1 to 9007199254740991";
    let named = |resource: &&Resource| used.has_kind(&Kind::Id(resource.name.clone()));
    let (numbers, others): (Vec<_>, Vec<_>) = part
        .model
        .resources
        .iter()
        .filter(named)
        .partition(|resource| resource.ids.format().is_none());
    let others: Vec<String> = others.iter().map(|resource| format!("`{}`", resource.name)).collect();
    match (numbers.is_empty(), others.is_empty()) {
        (_, true) => NUMBER.to_owned(),
        (true, false) => "a UUID in lower case".to_owned(),
        (false, false) => format!("a UUID in lower case for {}, else {NUMBER}", others.join(", ")),
    }
}

fn notation(part: &Selection<'_>, used: &Used<'_>) -> Vec<String> {
    let mut lines = vec![
        "In requests `name: type` is required, `name: type?` may be absent or null, and `name: type = x` is x if it is \
         absent; `[type]` is a list. Responses have every member, and those with `?` may be null."
            .to_owned(),
        format!(
            "Bounds are inclusive, except after `above`. A whole number has no decimal point. A `Name.id` is the id of a resource of that name: {}.",
            ids(part, used)
        ),
    ];
    let omitting = part.model.resources.iter().filter(|one| used.omits_members(one));
    let omitting: Vec<String> = omitting.map(|one| format!("`{}`", one.name)).collect();
    if !omitting.is_empty() {
        lines.push(format!(
            "In views of {} a member with `?` is absent instead of null. A body for such a record leaves it out, too; only where a \
             body has `at least one of` its members, null removes the value.",
            words::listed(&omitting, "and")
        ));
    }
    if has(part, |body| body.partial) {
        lines.push("If a body has `at least one of` its members, the absent ones stay unchanged.".to_owned());
    }
    if used.has_texts() {
        lines.push(
            "A text must not be empty unless its type allows it. It must not consist of white space and invisible characters \
             only, and must not have control characters except tabs and line breaks."
                .to_owned(),
        );
    }
    let mut parameters = part.operations().flat_map(|(_, one)| &one.query);
    let names_events = parameters.any(|field| matches!(field.of.kind, Kind::EventNames(_)));
    let timestamp = (
        used.has_kind(&Kind::Timestamp),
        format!("`timestamp`: `{}`, in UTC.", examples::TIMESTAMP),
    );
    let formats = formats::ALL.map(|format| {
        let line = format!("`{}`: {}.", format.name, format.notation);
        (used.has_kind(&Kind::Format(format)), line)
    });
    let others = [
        (
            used.has_kind(&Kind::Cursor),
            "`cursor`: a `cursor` of an earlier response, or `now`.".to_owned(),
        ),
        (
            names_events,
            "`event_names`: names of events that you can get, separated by commas.".to_owned(),
        ),
        (
            used.has_kind(&Kind::Flag),
            "`flag`: `true` or `1`, `false` or `0`.".to_owned(),
        ),
        (
            used.has_kind(&Kind::Secret),
            "`secret`: a credential. It is shown only once.".to_owned(),
        ),
    ];
    let built_in = std::iter::once(timestamp).chain(formats).chain(others);
    let built_in = built_in.filter(|(is_used, _)| *is_used);
    lines.extend(built_in.map(|(_, line)| line));
    lines
}
