//! What was decided where the specification leaves it open.

use super::table::{Row, table};
use crate::model::{Decision, Model};
use maud::{Markup, html};

pub(super) fn body(model: &Model) -> Option<Markup> {
    let rows: Vec<Row> = model.decisions.iter().map(row).collect();
    let body = html! {
        p { "What the specification leaves open, and what was decided. The last column is the place in the contract that enacts it, or the test that shows it." }
        (table(&["Decision", "Left open", "Decided", "Where"], rows))
    };
    (!model.decisions.is_empty()).then_some(body)
}

fn row(decision: &Decision) -> Row {
    let place = decision.enacted_by.as_deref().or(decision.test.as_deref());
    Row {
        anchor: Some(format!("decision-{}", decision.name)),
        cells: vec![
            html! { code { (decision.name) } },
            html! { (decision.gap) },
            html! { (decision.choice) },
            html! { code.place { (breakable(place.unwrap_or_default())) } },
        ],
    }
}

/// A path or a name that may be cut behind a dot or a line: they are long, and their column is not.
fn breakable(name: &str) -> Markup {
    html! {
        @for piece in name.split_inclusive(['.', '_']) { (piece) wbr; }
    }
}
