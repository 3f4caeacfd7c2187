//! `idle-parameter`, a warning: query parameters without an effect that the contract declares.

use super::lookup::{has, operations};
use super::success::listed;
use super::unguarded::{is_meant, node};
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Endpoint, FilterBy, Spec};

/// `idle-parameter`: a parameter that nothing in its endpoint names. An endpoint with `undeclared` has a handler that may
/// use it.
pub(super) fn idle_parameter(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    // Beside a file, the query says what a body would.
    let declared = operations(spec)
        .filter(|operation| operation.endpoint.undeclared.is_none() && operation.endpoint.file.is_none());
    for operation in declared {
        let endpoint = operation.endpoint;
        let node = node(operation);
        for (name, _) in &endpoint.query {
            let nodes = [
                node.clone(),
                format!("{node}.query"),
                format!("{node}.query.{}", name.text),
            ];
            if is_used(endpoint, &name.text) || is_meant(spec, &nodes) {
                continue;
            }
            let message = format!(
                "nothing states what `{}` does: no filter and no `pages` names it",
                name.text
            );
            let by_contract = match (listed(endpoint), &endpoint.pages) {
                (None, _) => "",
                (Some(_), Some(_)) => "name it in `filters`, or ",
                (Some(_), None) => "name it in `filters` or in `pages`, or ",
            };
            let help = format!(
                "{by_contract}say in `decisions` what the handler does with it: `at: {node}.query.{}`",
                name.text
            );
            diagnostics.push(Diagnostic::new(Rule::IdleParameter, name.at, message).help(help));
        }
    }
}

/// Whether the response depends on a parameter.
pub(super) fn is_used(endpoint: &Endpoint, name: &str) -> bool {
    let is_compared = |by: &FilterBy| matches!(by, FilterBy::Parameter(parameter, _) if parameter.text == name);
    let pages = endpoint.pages.iter().flat_map(|pages| {
        let others = [&pages.offset, &pages.number].into_iter().flatten();
        others.chain([&pages.size])
    });
    let feed = endpoint.feed.iter().flat_map(|feed| {
        let others = [&feed.types, &feed.wait].into_iter().flatten();
        others.chain([&feed.after, &feed.size])
    });
    endpoint.filters.iter().any(|filter| is_compared(&filter.by))
        || pages.chain(feed).any(|parameter| parameter.text == name)
        || has(&endpoint.success.siblings, name)
        || endpoint
            .sort
            .chosen
            .as_ref()
            .is_some_and(|chosen| chosen.by.text == name)
}
