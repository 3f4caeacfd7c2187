//! `wrong-status`: statuses of the wrong class, and 201 for endpoints that create nothing.

use super::lookup::operations;
use crate::diagnostic::{Diagnostic, Rule};
use crate::step::Step;
use crate::syntax::Spec;

const CREATED: f64 = 201.0;

/// An error of the client with a 5xx status, or an error of the server with a 4xx status.
pub(super) fn blame(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, row) in &spec.errors {
        let Some(step) = Step::parse(&row.step.text) else {
            continue;
        };
        let status = row.status.value;
        let is_servers = status >= 500.0;
        let help = match step {
            Step::Available | Step::Busy | Step::Write | Step::Outcome | Step::Internal if !is_servers => {
                "nothing is wrong with the request: use a status from 500"
            }
            Step::Available | Step::Busy | Step::Write | Step::Outcome | Step::Internal => continue,
            Step::Limit | Step::CredentialLimit | Step::ResponseBytes | Step::InFlight => continue,
            _ if is_servers => {
                "the request must change: use a status from 400 to 499; clients repeat a request after a status from \
                 500"
            }
            _ => continue,
        };
        if (400.0..600.0).contains(&status) {
            let message = format!(
                "{status} is wrong for `{}`, an error of the step `{}`",
                name.text, row.step.text
            );
            diagnostics.push(Diagnostic::new(Rule::WrongStatus, row.status.at, message).help(help));
        }
    }
}

/// 201 from an endpoint that creates nothing.
pub(super) fn created_by_none(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let method = operation.endpoint.method.text.as_str();
        let makes = matches!(method, "POST" | "PUT");
        if let Some(status) = operation
            .endpoint
            .success
            .status
            .filter(|status| status.value == CREATED && !makes)
        {
            let message = format!("201 means that something was created, but a {method} creates nothing");
            diagnostics.push(Diagnostic::new(Rule::WrongStatus, status.at, message));
        }
    }
}
