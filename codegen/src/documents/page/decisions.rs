//! The decisions on points that the specification leaves open.

use super::table::{Row, table};
use super::text::prose;
use crate::model::{Decision, Model};
use maud::{Markup, html};

pub(super) fn body(model: &Model) -> Option<Markup> {
    let rows: Vec<Row> = model
        .decisions
        .iter()
        .map(|(name, decision)| row(model, name, decision))
        .collect();
    let body = html! {
        p { "This API follows a specification. These are the questions that the specification leaves open, and the decisions. The last column names the place in the contract that implements a decision, or the test that proves it." }
        (table(&["Name", "Question", "Decision", "Where"], rows))
    };
    (!model.decisions.is_empty()).then_some(body)
}

fn row(model: &Model, name: &str, decision: &Decision) -> Row {
    let place = decision.at.as_ref().or(decision.test.as_ref());
    let place = place.map_or_else(|| opened(model, name), |place| place.to_string());
    Row {
        anchor: Some(format!("decision-{name}")),
        cells: vec![
            html! { code { (name) } },
            prose(decision.question()),
            prose(&decision.choice),
            html! { code.place { (breakable(&place)) } },
        ],
    }
}

/// The first operation that a decision opens.
fn opened(model: &Model, decision: &str) -> String {
    let mut operations = model.operations();
    let opened = operations.find(|(_, one)| one.open.as_deref() == Some(decision));
    opened.map_or_else(String::new, |(surface, operation)| {
        format!("surfaces.{}.endpoints.{}.open", surface.name, operation.name)
    })
}

/// A path or a name that may break after a dot or a line: names are long, and their column is narrow.
fn breakable(name: &str) -> Markup {
    html! {
        @for piece in name.split_inclusive(['.', '_']) { (piece) wbr; }
    }
}
