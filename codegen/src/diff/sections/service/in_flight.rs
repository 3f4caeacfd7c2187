//! Compares the bounds on a caller's requests in flight: for all operations together, and for each that waits
//! for events (`waits_at_once`).

use crate::diff::matching::operations;
use crate::diff::output::{Comparison, OperationPair, Rule};
use crate::model::{Model, Operation, Surface};

/// Compares the bound of the whole service.
pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    let (old, new) = (comparison.old, comparison.new);
    let counted =
        |surface: &Surface, operation: &Operation| operation.waits_at_once.is_none() && caller_is_known(new, surface);
    let path = |max: Option<u32>| max.map(|_| "api.in_flight");
    let (was, is) = (old.in_flight, new.in_flight);
    if let Some(rule) = rule((was, is)) {
        let message = format!("each caller can have {} in flight, was {}", describe(is), describe(was));
        comparison.report(rule, (path(was), path(is)), operations(new, counted), message);
    }
}

/// Compares the bound of an operation that waits for events. Either contract may lack it.
pub(crate) fn of_operation(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    let (was, is) = (both.old.waits_at_once, both.new.waits_at_once);
    let rule = match (was, is) {
        // Its requests are now counted apart, or together with all others.
        (None, Some(is)) if comparison.old.in_flight.is_some_and(|all| is >= all) => Some(Rule::InFlightRaised),
        (Some(was), None) if comparison.new.in_flight.is_none_or(|all| all > was) => Some(Rule::InFlightRaised),
        (Some(_), None) => Some(Rule::InFlightLowered),
        _ => rule((was, is)),
    };
    let Some(rule) = rule else { return };
    let name = &both.new.name;
    let apart = |max: Option<u32>| max.map_or_else(|| "counted with all others".to_owned(), |max| describe(Some(max)));
    let message = match is {
        Some(_) => format!(
            "each caller can have {} to `{name}` waiting, was {}",
            describe(is),
            apart(was)
        ),
        None => format!(
            "requests to `{name}` are counted with all others, was {} waiting",
            apart(was)
        ),
    };
    match (was, is) {
        (None, _) => both.added(comparison, rule, "waits_at_once", message),
        (_, None) => both.removed(comparison, rule, "waits_at_once", message),
        _ => both.changed(comparison, rule, "waits_at_once", message),
    }
}

fn rule((was, is): (Option<u32>, Option<u32>)) -> Option<Rule> {
    let most = |max: Option<u32>| max.unwrap_or(u32::MAX);
    match most(is).cmp(&most(was)) {
        std::cmp::Ordering::Less => Some(Rule::InFlightLowered),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Rule::InFlightRaised),
    }
}

fn describe(max: Option<u32>) -> String {
    match max {
        Some(1) => "1 request".to_owned(),
        Some(max) => format!("{max} requests"),
        None => "any number of requests".to_owned(),
    }
}

pub(super) fn caller_is_known(model: &Model, surface: &Surface) -> bool {
    let credential = model.credential_of(surface);
    credential.is_some_and(|credential| credential.caller.is_some())
}
