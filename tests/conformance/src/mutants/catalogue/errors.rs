//! Mutants of the error table: another status, text or header, another error in its place, or a success.

use super::envelopes::{set_header, without_header};
use super::{Catalogue, concerns};
use crate::mutants::TestScope;
use crate::mutants::json_path::{JsonPath, members};
use crate::mutants::layer::{Call, parameters, with_json};
use crate::template::{fill_template, match_template};
use crate::verdict::quota_values;
use crate::world::Response;
use codegen::model::ErrorEntry;
use codegen::step::Step;
use serde_json::{Value as Json, json};

pub(super) fn add(of: &mut Catalogue<'_>) {
    let errors = of.errors();
    for (index, error) in errors.iter().enumerate() {
        changed(of, error);
        let neighbours = [index.checked_sub(1), Some(index + 1)];
        for other in neighbours.into_iter().flatten().filter_map(|at| errors.get(at)) {
            instead(of, error, other);
        }
    }
    names(of);
}

/// An answer with this error, changed.
fn when(
    error: &'static ErrorEntry,
    change: impl Fn(&Call<'_>, Response) -> Response,
) -> impl Fn(&Call<'_>) -> Response {
    move |call| {
        let response = call.pass();
        let is_it = concerns(call, error.step) && call.error(&response).is_some_and(|came| std::ptr::eq(came, error));
        if is_it { change(call, response) } else { response }
    }
}

/// The tests that see such an error response.
fn test_scope(error: &ErrorEntry) -> TestScope {
    if error.step == Step::Limit {
        TestScope::Limits
    } else {
        TestScope::Operation
    }
}

fn changed(of: &mut Catalogue<'_>, error: &'static ErrorEntry) {
    let status_member = of.contract.error_member("status");
    let other = if error.status == 400 { 422 } else { 400 };
    let sentence = format!("answers {other}");
    of.add_anywhere(
        "status changed",
        &error.name,
        sentence,
        when(error, move |call, response| {
            let changed_body = status_member.and_then(|name| with_json(&response, |json| json[name] = json!(other)));
            call.wrong(Response {
                status: other,
                ..changed_body.unwrap_or(response)
            })
        }),
    )
    .tests = test_scope(error);
    if let Some(code) = of.contract.error_member("code") {
        of.add_anywhere(
            "text changed",
            &error.name,
            "has another code",
            when(error, move |call, response| {
                let changed_body = with_json(&response, |json| json[code] = json!("error"));
                call.wrong(changed_body.unwrap_or(response))
            }),
        )
        .tests = test_scope(error);
    }
    if error.text.to_string() != "{faults}" {
        texts(of, error);
    }
    headers(of, error);
}

fn texts(of: &mut Catalogue<'_>, error: &'static ErrorEntry) {
    let text_member = of.contract.error_member("text").unwrap_or_default();
    let text = move |call: &Call<'_>, response: Response, change: &dyn Fn(&str) -> String| {
        let changed_body =
            |json: &mut Json| json[text_member] = change(json[text_member].as_str().unwrap_or_default()).into();
        call.wrong(with_json(&response, changed_body).unwrap_or(response))
    };
    of.add_anywhere(
        "text changed",
        &error.name,
        "says more",
        when(error, move |call, response| {
            text(call, response, &|text| format!("{text}!"))
        }),
    )
    .tests = test_scope(error);
    for name in error.text.placeholders() {
        let sentence = format!("says another {{{name}}}");
        let replaced = move |text: &str| {
            let values: Vec<_> = match_template(&error.text, &[], text)
                .unwrap_or_default()
                .into_iter()
                .map(|(known, value)| (known.clone(), if known == name { another(&value) } else { value }))
                .collect();
            let values: Vec<_> = values
                .iter()
                .map(|(name, value)| (name.as_str(), value.clone()))
                .collect();
            fill_template(&error.text, &values)
        };
        of.add_anywhere(
            "text changed",
            &error.name,
            sentence,
            when(error, move |call, response| text(call, response, &replaced)),
        )
        .tests = test_scope(error);
    }
}

fn headers(of: &mut Catalogue<'_>, error: &'static ErrorEntry) {
    for (name, _) in &error.headers {
        let place = format!("{}: {name}", error.name);
        of.add_anywhere(
            "header",
            &*place,
            "leaves it out",
            when(error, move |call, mut response| {
                without_header(&mut response, name);
                call.wrong(response)
            }),
        )
        .tests = test_scope(error);
        of.add_anywhere(
            "header",
            &*place,
            "gives another value",
            when(error, move |call, mut response| {
                let value = another(response.header(name).unwrap_or_default());
                set_header(&mut response, name, &value);
                call.wrong(response)
            }),
        )
        .tests = test_scope(error);
    }
}

/// A similar value: a number one greater, a longer text.
pub(super) fn another(value: &str) -> String {
    match value.parse::<i64>() {
        Ok(number) => number.wrapping_add(1).to_string(),
        Err(_) => format!("{value}x"),
    }
}

fn instead(of: &mut Catalogue<'_>, error: &'static ErrorEntry, other: &'static ErrorEntry) {
    let sentence = format!("answers {} instead", other.name);
    of.add_anywhere(
        "row for another",
        &error.name,
        sentence,
        when(error, move |call, response| {
            call.wrong(call.error_response(&response, other, &values(call, other.step)))
        }),
    )
    .tests = test_scope(error);
}

/// Values for the placeholders of another error, as far as they are known.
pub(super) fn values(call: &Call<'_>, step: Step) -> Vec<(&'static str, String)> {
    let operation = call.operation;
    let number = |name: &'static str| (name, "1".to_owned());
    let mut values = vec![
        ("allow", operation.allow.join(", ")),
        (
            "header",
            operation.credential.map_or("", |kind| &kind.header).to_owned(),
        ),
        ("max_bytes", operation.max_bytes().to_string()),
        ("plan", operation.plan.unwrap_or_default().to_owned()),
        ("faults", "something is wrong with the request".to_owned()),
        ("from", "one".to_owned()),
        ("to", "another".to_owned()),
    ];
    match operation.quota.filter(|_| step == Step::Quota) {
        Some(quota) => values.extend(quota_values(quota)),
        None => values.extend(
            operation
                .exists
                .first()
                .map(|exists| ("noun", exists.resource.noun.to_owned())),
        ),
    }
    values.extend(parameters(operation, call.request));
    values.extend(["id", "max", "seconds", "max_seconds"].map(number));
    values
}

/// Error responses to malformed requests that do not name the error.
fn names(of: &mut Catalogue<'_>) {
    let error = of.contract.error(Step::Decode);
    let text = of.contract.error_member("text").unwrap_or_default();
    let body = match of.operation.body {
        Some(body) => members(body, &JsonPath::default()),
        None => Vec::new(),
    };
    let in_body = body.iter().map(|(place, _)| place.last());
    let query = of.operation.query.iter().map(|member| member.name);
    let path = of.operation.parameters.iter().map(|one| one.name);
    let mut all: Vec<_> = in_body.chain(query).chain(path).chain(["no_such_name"]).collect();
    all.sort_unstable();
    all.dedup();
    for name in all {
        of.add(
            "fault not named",
            name,
            "does not name it in the refusal",
            when(error, move |call, response| {
                let changed_body = |json: &mut Json| {
                    let said = json[text].as_str().unwrap_or_default();
                    json[text] = said.replace(name, "it").into();
                };
                match with_json(&response, changed_body) {
                    Some(changed) => call.wrong(changed),
                    None => response,
                }
            }),
        );
    }
}
