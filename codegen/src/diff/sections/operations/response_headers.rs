//! Compares the headers that successes declare.

use crate::diff::matching::match_by;
use crate::diff::output::{Comparison, OperationPair, Rule};
use crate::model::{HeaderPart, Operation, ResponseHeader};

pub(super) fn compare(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    let [old, new] = [&both.old.headers, &both.new.headers].map(|headers| {
        let named = headers.iter().map(|header| (header.name.to_ascii_lowercase(), header));
        named.collect::<Vec<(String, &ResponseHeader)>>()
    });
    let matched = match_by(&old, &new, |(name, _)| name.as_str());
    for ((_, was), (_, is)) in &matched.kept {
        if !is_same(comparison, both, was, is) {
            let message = format!("the header `{}` shows {}, was {}", is.name, describe(is), describe(was));
            both.changed(comparison, Rule::SuccessHeaderChanged, &key(is), message);
        }
    }
    for (_, was) in &matched.removed {
        let message = format!(
            "a success no longer has the header `{}`, which showed {}",
            was.name,
            describe(was)
        );
        both.removed(comparison, Rule::SuccessHeaderRemoved, &key(was), message);
    }
    for (_, is) in &matched.added {
        let message = format!("a success now has the header `{}`: {}", is.name, describe(is));
        both.added(comparison, Rule::SuccessHeaderAdded, &key(is), message);
    }
}

fn key(header: &ResponseHeader) -> String {
    match header.leads_to {
        Some(_) => "success.location".to_owned(),
        None => format!("success.headers.{}", header.name),
    }
}

fn describe(header: &ResponseHeader) -> String {
    match &header.leads_to {
        Some(operation) => format!("the path of `{operation}`"),
        None => format!("`{}`", header.source()),
    }
}

/// Whether a header shows the same. Another path of the same operation, and another name of the same member, are changes of
/// those.
fn is_same(comparison: &Comparison<'_>, both: &OperationPair<'_>, was: &ResponseHeader, is: &ResponseHeader) -> bool {
    match (&was.leads_to, &is.leads_to) {
        (Some(old), Some(new)) => {
            let full = |name: &str| format!("{}.{name}", both.surface.old.name);
            let now = comparison.paired.now(&full(old));
            now.is_none_or(|now| now == format!("{}.{new}", both.surface.new.name))
        }
        (None, None) => {
            let (Some(HeaderPart::Member(old, _)), Some(HeaderPart::Member(new, _))) =
                (was.parts.first(), is.parts.first())
            else {
                return was.source() == is.source();
            };
            let has = |operation: &Operation, model: &crate::model::Model, name: &str| {
                let members = operation.data.iter().flat_map(|data| model.data_members(data));
                members.into_iter().any(|(known, _)| known == name)
            };
            old == new || !(has(both.new, comparison.new, old) || has(both.old, comparison.old, new))
        }
        _ => false,
    }
}
