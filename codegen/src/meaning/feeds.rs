//! `feed`: checks the endpoints that are feeds of events.

use crate::diagnostic::{Diagnostic, Rule};
use crate::model::{Feed, Field, Kind, Model, Operation, Span, Surface, TypeRule};
use crate::step::Step;
use crate::syntax::{EnvelopeValue, Spec};

/// Reports feeds that cannot work, and parameters that only a feed can have.
pub(super) fn check(spec: &Spec, model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    for (surface, operation) in model.operations() {
        let mut report = |at: Span, message: String, help: &str| {
            diagnostics.push(Diagnostic::new(Rule::Feed, at, message).help(help));
        };
        match &operation.feed {
            Some(feed) => {
                place(spec, model, (surface, operation), feed, &mut report);
                parameters(model, operation, feed, &mut report);
                let named = [Some(&feed.after), feed.types.as_ref()];
                without(
                    operation,
                    &named.map(|name| name.map_or("", String::as_str)),
                    &mut report,
                );
            }
            None => without(operation, &[], &mut report),
        }
    }
}

type Report<'r> = dyn FnMut(Span, String, &str) + 'r;

fn place(
    spec: &Spec,
    model: &Model,
    (surface, operation): (&Surface, &Operation),
    feed: &Feed,
    report: &mut Report<'_>,
) {
    let name = &operation.name;
    if operation.method != "GET" {
        let help = "declare it as `GET`: a feed only reads";
        report(feed.at, format!("`{name}` is a feed, but not a GET"), help);
    }
    if model.events_for(surface).next().is_none() {
        let help = "name a field with the id of its caller in `to` of an event";
        report(feed.at, format!("callers of `{}` get no events", surface.name), help);
    }
    let endpoints = spec.surfaces.get(&surface.name).map(|surface| &surface.endpoints);
    let success = endpoints
        .and_then(|endpoints| endpoints.get(name))
        .map(|endpoint| &endpoint.success);
    if success.is_some_and(|success| success.data.is_some() || !success.siblings.is_empty()) {
        let help = "remove `data` and `siblings`";
        report(feed.at, format!("`{name}` returns events, and no other data"), help);
    }
    let has = |wanted: &str| {
        let mut members = spec.envelope.success.iter();
        members.any(|(_, value)| matches!(value, EnvelopeValue::Placeholder { name, .. } if name == wanted))
    };
    if !has("data") || !has("siblings") {
        let help = "write `data: $data` and `...: $siblings` in `envelope.success`";
        report(
            feed.at,
            "the envelope does not show the events and the cursor".to_owned(),
            help,
        );
    }
    if !operation.has_envelope {
        let help = "let the response have the envelope";
        report(
            feed.at,
            format!("`{name}` has no envelope, so that it cannot show the cursor beside the events"),
            help,
        );
    }
    if let Some(taken) = Feed::SIBLINGS
        .iter()
        .find(|name| spec.envelope.success.get(name).is_some())
    {
        let help = "give the member of the envelope another name";
        report(feed.at, format!("the envelope already has a member `{taken}`"), help);
    }
    if operation.pages.is_some() || !operation.filters.is_empty() || !operation.sort.is_empty() {
        let help = "remove `pages`, `filters` and `sort`: a feed is in the order of its events";
        report(feed.at, format!("`{name}` is a feed, which has no pages"), help);
    }
}

fn parameters(model: &Model, operation: &Operation, feed: &Feed, report: &mut Report<'_>) {
    let mut one = |name: &str, wanted: &str, fits: &dyn Fn(&Field) -> bool| {
        let found = operation.query.iter().find(|field| field.name == *name);
        match found {
            None => report(
                feed.at,
                format!("there is no parameter `{name}`"),
                "declare it in `query`",
            ),
            Some(field) if !fits(field) => {
                report(field.at, format!("`{name}` is not {wanted}"), "give it that type");
            }
            Some(_) => {}
        }
    };
    let whole = |field: &Field, least: i64| {
        let min = match &field.of.kind {
            Kind::Named(name) => match model.named_type(name).rule {
                TypeRule::Integer { min, max: Some(_) } => min,
                _ => None,
            },
            _ => None,
        };
        min.is_some_and(|min| min >= least) && field.of.default.is_some()
    };
    one(&feed.after, "a `cursor?`", &|field| {
        field.of.kind == Kind::Cursor && field.of.optional
    });
    if let Some(types) = &feed.types {
        one(types, "an `event_names?`", &|field| {
            matches!(field.of.kind, Kind::EventNames(_)) && field.of.optional
        });
    }
    one(&feed.size, "an integer from 1 with a maximum and a default", &|field| {
        whole(field, 1)
    });
    if let Some(wait) = &feed.wait {
        one(wait, "an integer from 0 with a maximum and a default", &|field| {
            whole(field, 0)
        });
    }
    if feed.wait.is_some() && model.error_at(Step::Busy).is_none() {
        let help = "add an error at the step `busy` to `errors`";
        report(
            feed.at,
            "no error tells a caller that too many requests wait".to_owned(),
            help,
        );
    }
    if feed.wait.is_some() != operation.waits_at_once.is_some() {
        let help = "a feed with `wait` needs `waits_at_once`, another feed does not";
        report(feed.at, "`wait` and `waits_at_once` belong together".to_owned(), help);
    }
    if feed.wait.is_none() && feed.tool_wait.is_some() {
        report(
            feed.at,
            "`tool_wait` is the default of `wait`, which is missing".to_owned(),
            "add `wait`, or remove it",
        );
    }
}

/// Only parameters that a feed names have the types of a feed.
fn without(operation: &Operation, named: &[&str], report: &mut Report<'_>) {
    let of_feeds = operation
        .query
        .iter()
        .filter(|field| matches!(field.of.kind, Kind::Cursor | Kind::EventNames(_)))
        .filter(|field| !named.contains(&field.name.as_str()));
    for field in of_feeds {
        report(
            field.at,
            format!(
                "`{}` is a parameter of a feed, but no `feed` of `{}` names it",
                field.name, operation.name
            ),
            "name it in `feed`",
        );
    }
}
