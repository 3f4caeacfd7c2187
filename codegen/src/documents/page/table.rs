//! Tables that become cards where the page is narrow: each cell bears the heading of its column.

use maud::{Markup, html};

/// A table under a heading of its section. In each row there is a cell for each column; the first one names the row.
pub(super) fn table(columns: &[&str], rows: Vec<Row>) -> Markup {
    written(None, columns, rows)
}

/// A table with a caption, where a section has several.
pub(super) fn captioned(caption: &str, columns: &[&str], rows: Vec<Row>) -> Markup {
    written(Some(caption), columns, rows)
}

/// What is shown as cards is a table no more to those who have the page read to them, unless its roles are said.
fn written(caption: Option<&str>, columns: &[&str], rows: Vec<Row>) -> Markup {
    html! {
        table role="table" {
            @if let Some(caption) = caption { caption { (caption) } }
            thead role="rowgroup" {
                tr role="row" {
                    @for heading in columns { th role="columnheader" scope="col" { (heading) } }
                }
            }
            tbody role="rowgroup" {
                @for row in rows {
                    tr role="row" id=[row.anchor] {
                        @for (place, (heading, cell)) in columns.iter().zip(row.cells).enumerate() {
                            @if place == 0 { th role="rowheader" scope="row" { (cell) } }
                            @else { td role="cell" data-heading=(heading) { (cell) } }
                        }
                    }
                }
            }
        }
    }
}

/// A row of a table.
pub(super) struct Row {
    /// What the address of the page ends with there, if it leads there.
    pub(super) anchor: Option<String>,
    pub(super) cells: Vec<Markup>,
}
