//! Mutants that make forbidden state transitions, or reject allowed ones.

use super::{KIND, skip};
use crate::contract::{Row, Step};
use crate::mutants::catalogue::{Catalogue, rows};
use crate::mutants::layer::{Call, error_member, json_of, shown};
use crate::suite::Test;
use crate::template::holds;
use crate::types::Type;
use crate::world::Response;

pub(super) fn add(of: &mut Catalogue<'_>) {
    let (Some(moves), Some(Type::Object(members))) = (&of.operation.transitions, of.operation.body) else {
        return;
    };
    let words = members.iter().find(|one| one.name == moves.member).map(|one| one.of);
    let row = of.contract.rows.iter().find(|row| row.step == Step::Transition);
    let (Some(Type::Word(words)), Some(row)) = (words, row) else {
        return;
    };
    for to in *words {
        // If every transition is allowed, there is none to let through.
        let is_rejected = |test: &Test| test.name.starts_with("no_move_") && test.name.ends_with(&format!("_to_{to}"));
        if of.tests.iter().any(is_rejected) {
            let_through(of, row, to);
        }
        let place = format!("{} {to}", row.name);
        of.add(
            "accepted form rejected",
            place,
            "rejects to move there, and to stay",
            move |call| {
                let body = json_of(call.request).unwrap_or_default();
                let probe = call.probe();
                if body[moves.member] != *to || !call.is_row(&probe, Step::Decode) {
                    return call.pass();
                }
                call.wrong(call.refusal(&probe, row, &rows::values(call, Step::Transition)))
            },
        );
    }
}

fn let_through(of: &mut Catalogue<'_>, row: &'static Row, to: &'static str) {
    let text = error_member(of.contract, "text").unwrap_or_default();
    let goes_there = move |_: &Call<'_>, response: &Response| {
        let said = holds(row.text, &[], shown(response)[text].as_str().unwrap_or_default()).unwrap_or_default();
        said.iter().any(|(name, value)| name == "to" && value == to)
    };
    let place = format!("{} {to}", row.name);
    of.add(KIND, place, "lets every move to it through", skip(row, goes_there));
}
