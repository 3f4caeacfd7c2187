//! Compares `api`: the properties of the whole service.
//!
//! The list of statuses is not compared: it follows from the statuses of errors and successes.

use super::{bounds, headers, in_flight, pace, response_bytes};
use crate::diff::matching::operations;
use crate::diff::output::{Comparison, PathPair, Rule};
use crate::model::{Contact, License, Word};
use std::collections::BTreeSet;

pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    let (old, new) = (comparison.old, comparison.new);
    if old.name != new.name {
        let message = format!("the name of the service is `{}`, was `{}`", new.name, old.name);
        comparison.changed(Rule::ServiceRenamed, "api.name", BTreeSet::new(), message);
    }
    if old.title != new.title {
        let message = format!("the title is `{}`, was `{}`", new.title, old.title);
        comparison.changed(Rule::ServiceTitleChanged, "api.title", BTreeSet::new(), message);
    }
    about(comparison);
    body(comparison);
    pace(comparison);
    in_flight::compare(comparison);
    response_bytes::compare(comparison);
    let everywhere = operations(new, |_, _| true);
    let place = PathPair::same("api.headers");
    headers::compare(comparison, &place, (&old.headers, &new.headers), &everywhere);
    let place = PathPair::same("api.error_headers");
    headers::compare(
        comparison,
        &place,
        (&old.error_headers, &new.error_headers),
        &everywhere,
    );
}

/// Compares the descriptions of the service, for readers of its documents.
fn about(comparison: &mut Comparison<'_>) {
    let (old, new) = (comparison.old, comparison.new);
    if old.version != new.version {
        let message = format!("the version is `{}`, was `{}`", new.version, old.version);
        comparison.changed(Rule::ServiceVersionChanged, "api.version", BTreeSet::new(), message);
    }
    comparison.described_by_doc(&PathPair::same("api"), &new.name, (&old.doc, &new.doc));
    if old.contact != new.contact {
        let named = |contact: &Option<Contact>| contact.as_ref().map_or_else(|| "none".to_owned(), shown_contact);
        let message = format!("the contact is {}, was {}", named(&new.contact), named(&old.contact));
        comparison.changed(Rule::ServiceContactChanged, "api.contact", BTreeSet::new(), message);
    }
    if old.license != new.license {
        let named = |license: &Option<License>| license.as_ref().map_or_else(|| "none".to_owned(), shown_license);
        let message = format!("the license is {}, was {}", named(&new.license), named(&old.license));
        comparison.changed(Rule::ServiceLicenseChanged, "api.license", BTreeSet::new(), message);
    }
}

fn shown_contact(contact: &Contact) -> String {
    let Contact { name, url, email } = contact;
    with_places(name, [url, email])
}

fn shown_license(license: &License) -> String {
    let License { name, identifier, url } = license;
    with_places(name, [identifier, url])
}

/// A name with its addresses.
fn with_places(name: &str, places: [&Option<Word>; 2]) -> String {
    let places: Vec<&str> = places.into_iter().flatten().map(|place| place.as_str()).collect();
    match places.as_slice() {
        [] => format!("`{name}`"),
        places => format!("`{name}` ({})", places.join(", ")),
    }
}

fn body(comparison: &mut Comparison<'_>) {
    let (old, new) = (comparison.old, comparison.new);
    if old.body_max_bytes != new.body_max_bytes {
        let by_default = |_: &_, operation: &crate::model::Operation| {
            operation.body.is_some() && operation.max_bytes == new.body_max_bytes
        };
        let (rule, message) = bounds::bytes(old.body_max_bytes, new.body_max_bytes);
        let message = format!("{message}, unless the operation has its own bound");
        comparison.changed(rule, "api.body.max_bytes", operations(new, by_default), message);
    }
    let (was, is) = (old.body_max_seconds, new.body_max_seconds);
    if was != is {
        let rule = if is < was {
            Rule::BodySecondsLowered
        } else {
            Rule::BodySecondsRaised
        };
        let with_body = operations(new, |_, operation| operation.body.is_some());
        let message = format!("a body can take at most {is} s to arrive, was {was} s");
        comparison.changed(rule, "api.body.max_seconds", with_body, message);
    }
}

/// Compares the minimum rate of a body.
fn pace(comparison: &mut Comparison<'_>) {
    let (was, is) = (&comparison.old.body_min_rate, &comparison.new.body_min_rate);
    let Some((rule, rates)) = pace::compare(was.as_ref(), is.as_ref()) else {
        return;
    };
    let message = format!("the minimum rate of a body is {rates}");
    let with_body = operations(comparison.new, |_, operation| operation.body.is_some());
    let path = "api.body.min_rate";
    let [old, new] = [was, is].map(|rate| rate.as_ref().map(|_| path));
    comparison.report(rule, (old, new), with_body, message);
}
