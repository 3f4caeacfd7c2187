//! The limits section: rate limits, quotas, sizes of bodies.

use super::table::{Row, captioned};
use super::text::{codes, link, prose};
use crate::documents::shared::{idempotency, words};
use crate::model::{Counts, Limit, Model, Quota, Surface, Template};
use maud::{Markup, html};

pub(super) fn body(model: &Model) -> Markup {
    html! {
        @if !model.limits.is_empty() {
            (captioned("Rate limits", &["Limit", "At most", "Counted requests", "APIs"], model.limits.iter().map(|one| limit(model, one)).collect()))
            p { (prose(words::WINDOWS)) }
        }
        @if !model.limit_headers.is_empty() {
            (captioned("Headers that report a limit", &["Header", "Value", "Meaning"], model.limit_headers.iter().map(header).collect()))
            @if model.limits.iter().any(|one| words::CountedBy::ANY.counts_owners(one)) {
                p { (prose(words::OWNERS)) }
            }
            p { "Every response to a counted request has these headers, unless limits are switched off." }
        }
        @if let Some(bound) = words::in_flight(model, model.operations(), words::CountedBy::ANY) {
            p { (prose(&bound)) }
        }
        @if let Some(bound) = words::response_bytes(model, &model.surfaces, words::CountedBy::ANY) {
            p { (prose(&bound)) }
        }
        @if let Some(keys) = idempotency_keys(model) {
            p { (prose(&keys)) }
        }
        @if !model.quotas.is_empty() {
            (captioned("Quotas", &["Quota", "At most", "Operations"], model.quotas.iter().map(|one| quota(model, one)).collect()))
        }
        (captioned("Request bodies", &["Operations", "Maximum bytes", "Maximum seconds"], bodies(model)))
        @if let Some(pace) = words::pace(model) {
            p { (prose(&pace)) }
        }
    }
}

fn idempotency_keys(model: &Model) -> Option<String> {
    let operations = model.operations();
    let operations = operations.map(|(surface, operation)| (words::operation_id(surface, operation), operation));
    idempotency::of_operations(model.idempotency.as_ref()?, &operations.collect::<Vec<_>>())
}

fn limit(model: &Model, limit: &Limit) -> Row {
    let of_surface = |surface: &&Surface| match limit.counts {
        Counts::Methods { .. } => surface.limits.contains(&limit.name),
        Counts::FailedCredentials => surface.credential.is_some(),
    };
    let surfaces = model
        .surfaces
        .iter()
        .filter(of_surface)
        .map(|surface| surface.name.as_str());
    let what = match &limit.counts {
        Counts::Methods { methods, .. } => codes(methods.iter().map(String::as_str)),
        Counts::FailedCredentials => html! { "requests with invalid credentials" },
    };
    Row {
        anchor: Some(format!("limit-{}", limit.name)),
        cells: vec![
            html! { code { (limit.name) } },
            prose(&words::capitalised(&words::limit(limit, words::CountedBy::ANY))),
            what,
            codes(surfaces),
        ],
    }
}

fn header((name, template): &(String, Template)) -> Row {
    let meanings = template.placeholders().into_iter();
    let meanings = meanings.map(|one| format!("{}: {}", one, words::of_limit(one)));
    let meanings: Vec<String> = meanings.collect();
    Row {
        anchor: None,
        cells: vec![
            html! { code { (name) } },
            html! { code { (template) } },
            prose(&meanings.join("; ")),
        ],
    }
}

fn quota(model: &Model, quota: &Quota) -> Row {
    let counted = model.operations().filter(|(_, one)| one.counts_towards(&quota.name));
    Row {
        anchor: Some(format!("quota-{}", quota.name)),
        cells: vec![
            html! { code { (quota.name) } },
            prose(&words::quota(model, quota)),
            html! { ul { @for (surface, operation) in counted { li { (link(surface, operation)) } } } },
        ],
    }
}

/// The most common size of bodies, and the operations with another one.
fn bodies(model: &Model) -> Vec<Row> {
    let row = |which: Markup, bytes: u64, seconds: u64| Row {
        anchor: None,
        cells: vec![which, html! { (bytes) }, html! { (seconds) }],
    };
    let others = model
        .operations()
        .filter(|(_, one)| one.takes_body() && one.max_bytes != model.body_max_bytes);
    let others: Vec<Row> = others
        .map(|(surface, one)| row(link(surface, one), one.max_bytes, model.max_seconds(one)))
        .collect();
    let most = if others.is_empty() {
        "All operations"
    } else {
        "All other operations"
    };
    others
        .into_iter()
        .chain([row(html! { (most) }, model.body_max_bytes, model.body_max_seconds)])
        .collect()
}
