//! Mutants that make forbidden state transitions, or reject allowed ones.

use super::{KIND, skip};
use crate::mutants::catalogue::{Catalogue, errors};
use crate::mutants::layer::{Call, body_json, json_of};
use crate::suite::Test;
use crate::template::match_template;
use crate::world::Response;
use codegen::model::ErrorEntry;
use codegen::step::Step;

pub(super) fn add(of: &mut Catalogue<'_>) {
    let error = of.contract.model.error_at(Step::Transition);
    let (Some(moves), Some(error)) = (&of.operation.transitions, error) else {
        return;
    };
    for to in moves.words {
        // If every transition is allowed, there is none to let through.
        let is_rejected = |test: &Test| test.name.starts_with("no_move_") && test.name.ends_with(&format!("_to_{to}"));
        if of.tests.iter().any(is_rejected) {
            let_through(of, error, to);
        }
        let place = format!("{} {to}", error.name);
        of.add(
            "accepted form rejected",
            place,
            "rejects to move there, and to stay",
            move |call| {
                let body = json_of(call.request).unwrap_or_default();
                let probe = call.probe();
                if body[moves.member] != *to || !call.is_error(&probe, Step::Decode) {
                    return call.pass();
                }
                call.wrong(call.error_response(&probe, error, &errors::values(call, Step::Transition)))
            },
        );
    }
}

fn let_through(of: &mut Catalogue<'_>, error: &'static ErrorEntry, to: &'static str) {
    let text = of.contract.error_member("text").unwrap_or_default();
    let goes_there = move |_: &Call<'_>, response: &Response| {
        let message = match_template(&error.text, &[], body_json(response)[text].as_str().unwrap_or_default())
            .unwrap_or_default();
        message.iter().any(|(name, value)| name == "to" && value == to)
    };
    let place = format!("{} {to}", error.name);
    of.add(KIND, place, "lets every move to it through", skip(error, goes_there));
}
