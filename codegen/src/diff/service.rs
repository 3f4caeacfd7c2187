//! `api`: what holds for the whole service.
//!
//! The statuses are not compared a second time: those that are listed are those that rows and successes answer with.

use super::headers;
use super::paired::operations;
use super::place::Place;
use super::{Comparison, bounds};
use std::collections::BTreeSet;

pub(super) fn compare(comparison: &mut Comparison<'_>) {
    let (old, new) = (comparison.old, comparison.new);
    if old.name != new.name {
        let message = format!("the service is called `{}`, was `{}`", new.name, old.name);
        comparison.changed("service-renamed", "api.name", BTreeSet::new(), message);
    }
    if old.title != new.title {
        let message = format!("the title is `{}`, was `{}`", new.title, old.title);
        comparison.changed("service-title-changed", "api.title", BTreeSet::new(), message);
    }
    body(comparison);
    let everywhere = operations(new, |_, _| true);
    let place = Place::same("api.headers");
    headers::compare(comparison, &place, (&old.headers, &new.headers), &everywhere);
}

fn body(comparison: &mut Comparison<'_>) {
    let (old, new) = (comparison.old, comparison.new);
    if old.body_max_bytes != new.body_max_bytes {
        let by_default = |_: &_, operation: &crate::model::Operation| {
            operation.body.is_some() && operation.max_bytes == new.body_max_bytes
        };
        let (rule, message) = bounds::bytes(old.body_max_bytes, new.body_max_bytes);
        let message = format!("{message}, unless the operation says otherwise");
        comparison.changed(rule, "api.body.max_bytes", operations(new, by_default), message);
    }
    let (was, is) = (old.body_max_seconds, new.body_max_seconds);
    if was != is {
        let rule = if is < was {
            "body-seconds-lowered"
        } else {
            "body-seconds-raised"
        };
        let with_body = operations(new, |_, operation| operation.body.is_some());
        let message = format!("a body may take {is} s to arrive, was {was} s");
        comparison.changed(rule, "api.body.max_seconds", with_body, message);
    }
}
