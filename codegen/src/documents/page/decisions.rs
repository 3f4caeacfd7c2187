//! The decisions on points that the specification leaves open.

use super::table::{Row, table};
use crate::model::{Decision, Model};
use maud::{Markup, html};

pub(super) fn body(model: &Model) -> Option<Markup> {
    let rows: Vec<Row> = model.decisions.iter().map(|decision| row(model, decision)).collect();
    let body = html! {
        p { "The questions that the specification leaves open, and the decisions. The last column names the place in the contract that implements a decision, or the test that proves it." }
        (table(&["Name", "Question", "Decision", "Where"], rows))
    };
    (!model.decisions.is_empty()).then_some(body)
}

fn row(model: &Model, decision: &Decision) -> Row {
    let place = decision.enacted_by.clone().or_else(|| decision.test.clone());
    let place = place.or_else(|| opened(model, decision));
    Row {
        anchor: Some(format!("decision-{}", decision.name)),
        cells: vec![
            html! { code { (decision.name) } },
            html! { (decision.gap) },
            html! { (decision.choice) },
            html! { code.place { (breakable(&place.unwrap_or_default())) } },
        ],
    }
}

/// The first operation that a decision opens.
fn opened(model: &Model, decision: &Decision) -> Option<String> {
    let mut operations = model.operations();
    let (surface, operation) = operations.find(|(_, one)| one.open.as_ref() == Some(&decision.name))?;
    Some(format!("surfaces.{}.endpoints.{}.open", surface.name, operation.name))
}

/// A path or a name that may break after a dot or a line: names are long, and their column is narrow.
fn breakable(name: &str) -> Markup {
    html! {
        @for piece in name.split_inclusive(['.', '_']) { (piece) wbr; }
    }
}
