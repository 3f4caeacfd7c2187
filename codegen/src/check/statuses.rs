//! Rules about statuses: those in `api.statuses` and those of the answers must be the same.

use super::lookup::operations;
use crate::diagnostic::{Diagnostic, Rule, places};
use crate::syntax::{Data, Endpoint, Num, Span, Spec};
use std::collections::HashSet;

/// Status of a success that declares none.
const USUAL: f64 = 200.0;

/// Every status of an answer, with its position.
fn answered(spec: &Spec) -> impl Iterator<Item = Num> {
    let errors = spec.errors.iter().map(|(_, row)| row.status);
    errors.chain(operations(spec).map(|operation| {
        let named = operation.endpoint.success.status;
        named.unwrap_or(Num {
            value: USUAL,
            at: operation.endpoint.method.at,
        })
    }))
}

/// `wrong-status`: a status that does not mean what it is used for.
pub(super) fn wrong_status(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    // 205 asks a browser to clear a form.
    const RESET_CONTENT: f64 = 205.0;
    let mut check = |status: Num, range: std::ops::Range<f64>, what: &str| {
        if !range.contains(&status.value) || status.value == RESET_CONTENT {
            let message = format!("{} is not a status of {what}", status.value);
            diagnostics.push(Diagnostic::new(Rule::WrongStatus, status.at, message));
        }
    };
    for (_, row) in &spec.errors {
        check(row.status, 400.0..600.0, "an error");
    }
    for status in operations(spec).filter_map(|operation| operation.endpoint.success.status) {
        check(status, 200.0..300.0, "a success");
    }
    for operation in operations(spec) {
        let Some(status) = operation.no_content() else { continue };
        if let Some((what, at)) = returned(operation.endpoint) {
            let message = format!("{} has no body, so it cannot return {what}", status.value);
            let diagnostic = Diagnostic::new(Rule::WrongStatus, status.at, message).related(at, "what it returns");
            diagnostics.push(diagnostic.help("use the status 200, or return nothing"));
        }
    }
}

/// What a success returns, and where that is declared.
fn returned(endpoint: &Endpoint) -> Option<(&'static str, Span)> {
    let data = endpoint.success.data.as_ref().and_then(|data| match data {
        Data::View(used) => Some(used.name.at),
        Data::Members(members) => members.first().map(|(name, _)| name.at),
    });
    let file = endpoint.success.file.as_ref().map(|file| ("a file", file.at));
    let counts = endpoint.counts.as_ref().map(|counts| ("counts", counts.at));
    let feed = endpoint.feed.as_ref().map(|feed| ("events", feed.at));
    data.map(|at| ("`data`", at)).or(file).or(counts).or(feed)
}

/// `status-not-listed`: an answer has a status that is not in `api.statuses`.
pub(super) fn status_not_listed(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: HashSet<u64> = spec.api.statuses.iter().map(|status| status.value.to_bits()).collect();
    let reported = places(diagnostics);
    for status in answered(spec) {
        if !reported.contains(&status.at) && seen.insert(status.value.to_bits()) {
            let message = format!("{} is not in `api.statuses`", status.value);
            let listed = spec
                .api
                .statuses
                .first()
                .map_or_else(Default::default, |first| first.at);
            let diagnostic = Diagnostic::new(Rule::StatusNotListed, status.at, message);
            diagnostics.push(
                diagnostic
                    .related(listed, "the statuses are listed here")
                    .help("add it there, or use another status"),
            );
        }
    }
}

/// `unused-status`: a status in `api.statuses` that no answer has.
pub(super) fn unused_status(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let answered: HashSet<u64> = answered(spec).map(|status| status.value.to_bits()).collect();
    for status in spec
        .api
        .statuses
        .iter()
        .filter(|status| !answered.contains(&status.value.to_bits()))
    {
        let message = format!("no response has the status {}", status.value);
        diagnostics.push(Diagnostic::new(Rule::UnusedStatus, status.at, message).help("remove it, or use it"));
    }
}
