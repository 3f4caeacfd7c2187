//! The decisions on points that the specification leaves open.

use super::table::{Row, table};
use super::text::prose;
use crate::model::{Decision, Model};
use maud::{Markup, html};

pub(super) fn body(model: &Model) -> Option<Markup> {
    let rows: Vec<Row> = model
        .decisions
        .iter()
        .map(|(name, decision)| row(name, decision))
        .collect();
    let body = html! {
        p { "This API follows a specification. These are the questions that the specification leaves open, and the decisions." }
        (table(&["Name", "Question", "Decision"], rows))
    };
    (!model.decisions.is_empty()).then_some(body)
}

fn row(name: &str, decision: &Decision) -> Row {
    Row {
        anchor: Some(format!("decision-{name}")),
        cells: vec![
            html! { code { (name) } },
            prose(decision.question()),
            prose(&decision.choice),
        ],
    }
}
